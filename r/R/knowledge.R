# What is known of arcs, as a file that the command reads.

#' Return the option: a list is written to a file, the name of a file is taken as it is.
as_knowledge <- function(known) {
  if (is.null(known)) return(character())
  if (is.character(known)) return(paste0("--knowledge=", path.expand(known)))
  if (!is.list(known) || is.null(names(known)))
    stop("knowledge must be a list such as list(required = data.frame(from = \"a\", to = \"b\")), ",
         "or the name of a TOML file", call. = FALSE)
  lines <- unlist(Map(known_line, names(known), known))
  file <- tempfile("dagscape-knowledge", fileext = ".toml")
  writeLines(enc2utf8(lines), file, useBytes = TRUE)
  paste0("--knowledge=", file)
}

#' Return a line of TOML; lists and words are written as in JSON.
known_line <- function(name, value) {
  if (name == "max_parents") {
    keys <- vapply(names(value), quoted, "")
    return(paste0("max_parents = {", paste(keys, "=", unlist(value), collapse = ", "), "}"))
  }
  rows <- switch(name,
    required = , forbidden = pairs_of(value),
    tiers = if (is.list(value)) value else list(value),
    NULL)
  words <- if (is.null(rows)) list_of(value) else paste0("[", paste(vapply(rows, list_of, ""), collapse = ", "), "]")
  paste(name, "=", words)
}

#' Return arcs as pairs: rows of a data frame or matrix with two columns.
pairs_of <- function(arcs) {
  arcs <- as.matrix(as.data.frame(arcs, stringsAsFactors = FALSE))
  if (ncol(arcs) != 2)
    stop("arcs are rows of two columns, from and to; got ", ncol(arcs), " columns", call. = FALSE)
  lapply(seq_len(nrow(arcs)), function(row) unname(arcs[row, ]))
}

list_of <- function(words) paste0("[", paste(vapply(words, quoted, ""), collapse = ", "), "]")

quoted <- function(word) as.character(jsonlite::toJSON(as.character(word), auto_unbox = TRUE))
