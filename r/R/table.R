# Data frames as files that the command reads.

#' Return the file of a table, and the options that say what its columns hold.
as_table <- function(data) {
  if (is.character(data) && length(data) == 1)
    return(list(file = path.expand(data), types = ""))
  if (!is.data.frame(data))
    stop("data must be a data frame, or the name of a file; got ", class(data)[1], call. = FALSE)
  data <- as.data.frame(data)
  said <- unlist(Map(column_options, names(data), data))
  path <- tempfile("dagscape-table", fileext = ".csv")
  utils::write.csv(data, path, row.names = FALSE, na = "", fileEncoding = "UTF-8")
  list(file = path, types = paste(said, collapse = ","))
}

#' Return the options of a table: what its columns hold, beside what the caller says they do.
table_options <- function(table, given) {
  given$types <- paste(c(if (nzchar(table$types)) table$types, given$types), collapse = ",")
  if (!nzchar(given$types)) given$types <- NULL
  as_options(given)
}

#' Return what must be said of a column that its text does not say.
column_options <- function(name, column) {
  if (is.list(column) || !is.null(dim(column)))
    stop(sprintf('column "%s" holds lists or a table; give a column of plain values', name),
         call. = FALSE)
  if (!is.factor(column) && !is.character(column)) return(character())
  words <- if (is.factor(column)) levels(column) else unique(column[!is.na(column)])
  if (any(words %in% c("", "NA")))
    stop(sprintf('column "%s" has a state "%s", which would be read as a missing value; rename it',
                 name, words[words %in% c("", "NA")][1]), call. = FALSE)
  ordered <- is.ordered(column)
  unused <- is.factor(column) && any(table(column) == 0)
  if (ordered || unused) {
    if (any(grepl("[<|,=]", words)) || grepl(",", name))
      stop(sprintf(paste('column "%s" has %s, and its name has a comma, or a state one of < | , =;',
                         "rename these, or give factor(as.character(x))"),
                   name, if (ordered) "ordered states" else "states that do not occur"),
           call. = FALSE)
    return(paste0(name, "=", paste(words, collapse = if (ordered) "<" else "|")))
  }
  numbers <- length(words) > 0 && !anyNA(suppressWarnings(as.numeric(words)))
  if (numbers) paste0(name, "=states") else character()
}

