# Networks as model strings, "[a][b|a]", and as objects of the package bnlearn.

#' Return the model string of a network.
model_string <- function(network) UseMethod("model_string")

#' @describeIn model_string What learn found.
model_string.dagscape_network <- function(network) format_string(network$variables, network$arcs)

#' @describeIn model_string A model string as it is.
model_string.character <- function(network) {
  if (length(network) != 1 || !startsWith(trimws(network), "["))
    stop('a graph as text is a model string, such as "[a][b|a]"', call. = FALSE)
  network
}

#' @describeIn model_string Arcs: columns from and to.
model_string.data.frame <- function(network)
  format_string(unique(c(as.character(network$from), as.character(network$to))), network)

#' @describeIn model_string A graph of bnlearn, whose edges all have directions.
model_string.bn <- function(network) {
  arcs <- data.frame(from = network$arcs[, 1], to = network$arcs[, 2])
  both <- paste(arcs$from, arcs$to, sep = "\r") %in% paste(arcs$to, arcs$from, sep = "\r")
  if (any(both))
    stop(sprintf("the edge between %s and %s has no direction; take bnlearn::cextend(graph)",
                 arcs$from[both][1], arcs$to[both][1]), call. = FALSE)
  format_string(names(network$nodes), arcs)
}

#' @describeIn model_string A network of bnlearn with its tables.
model_string.bn.fit <- function(network) {
  parents <- lapply(network, function(node) node$parents)
  format_string(names(network), data.frame(from = unlist(parents, use.names = FALSE),
                                           to = rep(names(parents), lengths(parents))))
}

#' Write a model string: each variable with its parents.
format_string <- function(variables, arcs) {
  odd <- grep("[][|:]", variables, value = TRUE)
  if (length(odd) > 0)
    stop(sprintf('"%s" cannot be in a model string, whose names have no brackets, bars or colons',
                 odd[1]), call. = FALSE)
  one <- function(variable) {
    parents <- arcs$from[arcs$to == variable]
    sprintf("[%s%s]", variable, if (length(parents)) paste0("|", paste(parents, collapse = ":")) else "")
  }
  paste(vapply(variables, one, ""), collapse = "")
}

#' Return what learn found as a graph of bnlearn.
as_bn <- function(network) {
  need_bnlearn()
  bnlearn::model2network(model_string(network))
}

#' Return what learn found, of states, with its probabilities, as a network of bnlearn.
as_bn_fit <- function(network) {
  file <- file.path(network$folder, "network.bif")
  if (!file.exists(file))
    stop("there is no network.bif, which is written where all columns are states", call. = FALSE)
  need_bnlearn()
  bnlearn::read.bif(file)
}

need_bnlearn <- function() {
  if (!requireNamespace("bnlearn", quietly = TRUE))
    stop("this needs the package bnlearn", call. = FALSE)
}
