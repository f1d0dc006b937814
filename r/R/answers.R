# What users call: each is a command of the same name, and its answer.

#' Learn a network.
learn <- function(data, ..., knowledge = NULL, folder = NULL, quiet = FALSE) {
  table <- as_table(data)
  folder <- if (is.null(folder)) tempfile("dagscape-learned") else path.expand(folder)
  options <- c(table_options(table, list(...)), as_knowledge(knowledge), paste0("--out=", folder))
  found <- ask(c("learn", table$file, options), quiet)
  found$arcs <- arcs_frame(found$arcs)
  found$edges <- read_edges(file.path(folder, "edges.csv"))
  found$folder <- folder
  found$page <- file.path(folder, "report.html")
  answer(found, "edges", c("dagscape_learned", "dagscape_network"))
}

#' How probable are arcs, or other features?
posterior <- function(data, ..., knowledge = NULL, quiet = FALSE) {
  table <- as_table(data)
  options <- c(table_options(table, list(...)), as_knowledge(knowledge))
  answer(ask(c("posterior", table$file, options), quiet), "features")
}

#' What does setting a cause do to an outcome?
effect <- function(data, cause, outcome, ..., knowledge = NULL, quiet = FALSE) {
  table <- as_table(data)
  options <- c(table_options(table, list(...)), as_knowledge(knowledge))
  answer(ask(c("effect", table$file, cause, outcome, options), quiet), "effect")
}

#' What does a table say of a graph?
examine <- function(graph, data, ..., knowledge = NULL, quiet = FALSE) {
  table <- as_table(data)
  file <- tempfile("dagscape-graph", fileext = ".modelstring")
  writeLines(enc2utf8(model_string(graph)), file, useBytes = TRUE)
  options <- c(table_options(table, list(...)), as_knowledge(knowledge))
  found <- ask(c("examine", file, table$file, options), quiet)
  found$claim <- sprintf("%.4g nats below the best network %s", found$regret,
                         if (found$proven) "(proven)" else "found")
  found$graph$arcs <- arcs_frame(found$graph$arcs)
  found$best$arcs <- arcs_frame(found$best$arcs)
  answer(found, "arcs")
}

#' Return pairs as a data frame, also where there are none.
arcs_frame <- function(arcs) {
  if (length(arcs) == 0) return(data.frame(from = character(), to = character()))
  data.frame(from = arcs[, 1], to = arcs[, 2])
}

#' Return the table of edges, the columns that people need first.
read_edges <- function(file) {
  edges <- utils::read.csv(file, check.names = FALSE, encoding = "UTF-8", stringsAsFactors = FALSE,
                           colClasses = c(from = "character", to = "character"))
  first <- intersect(c("from", "to", "probability", "direction", "verdict", "in_network"), names(edges))
  edges[c(first, setdiff(names(edges), first))]
}
