# The command, its options and what it answers.

#' Return where the command is.
command_path <- function() {
  named <- getOption("dagscape.command", Sys.getenv("DAGSCAPE_COMMAND"))
  found <- if (nzchar(named)) Sys.which(path.expand(named)) else Sys.which("dagscape")
  if (nzchar(found)) return(unname(found))
  if (nzchar(named)) stop(sprintf('there is no command "%s"', named), call. = FALSE)
  stop("there is no command dagscape on the path; install the Python package dagscape, and say ",
       'where its command is: options(dagscape.command = "path/to/.venv/bin/dagscape")',
       call. = FALSE)
}

#' Return options of the command: max_parents = 3 as --max-parents=3, TRUE as a switch.
as_options <- function(given) {
  if (length(given) == 0) return(character())
  if (is.null(names(given)) || any(names(given) == ""))
    stop("options are given by name, such as max_parents = 3", call. = FALSE)
  one <- function(name, values) {
    option <- paste0("--", gsub("_", "-", name))
    if (is.null(values) || identical(values, FALSE)) return(character())
    if (isTRUE(values)) return(option)
    if (!is.atomic(values)) stop(sprintf("%s must be a plain value", name), call. = FALSE)
    if (is.numeric(values)) values <- format(values, digits = 15, scientific = FALSE, trim = TRUE)
    paste0(option, "=", values)
  }
  unlist(Map(one, names(given), given), use.names = FALSE)
}

#' Run the command, pass on what it tells, and return its answer.
ask <- function(arguments, quiet) {
  said <- tempfile("dagscape-said")
  told <- tempfile("dagscape-told")
  on.exit(unlink(c(said, told)))
  arguments <- enc2utf8(c(arguments, "--json", if (quiet) "--quiet"))
  status <- system2(command_path(), shQuote(arguments), stdout = told, stderr = said)
  words <- readLines(said, encoding = "UTF-8", warn = FALSE)
  if (status != 0) stop(sentence(words, status), call. = FALSE)
  if (length(words) > 0) message(paste(words, collapse = "\n"))
  jsonlite::fromJSON(paste(readLines(told, encoding = "UTF-8", warn = FALSE), collapse = "\n"))
}

#' Return what the command said as one sentence.
sentence <- function(words, status) {
  words <- sub("^dagscape: ", "", words)
  if (length(words) == 0) sprintf("dagscape ended with status %d", status)
  else paste(words, collapse = "\n")
}

MOST_ROWS <- 20
MOST_COLUMNS <- 7

#' Print an answer: what it claims, then the first rows and columns of its table.
print.dagscape_answer <- function(x, ...) {
  cat(strwrap(x$claim), sep = "\n")
  name <- attr(x, "shown")
  rows <- x[[name]]
  if (!is.data.frame(rows)) return(invisible(x))
  seen <- rows[seq_len(min(nrow(rows), MOST_ROWS)), seq_len(min(ncol(rows), MOST_COLUMNS)),
               drop = FALSE]
  print(seen, row.names = FALSE, digits = 3, ...)
  if (any(dim(seen) < dim(rows)))
    cat(sprintf("all %d rows and %d columns are in $%s\n", nrow(rows), ncol(rows), name))
  invisible(x)
}

#' Return an answer; print shows one of its tables.
answer <- function(found, shown, class = NULL) {
  structure(found, class = c(class, "dagscape_answer"), shown = shown)
}
