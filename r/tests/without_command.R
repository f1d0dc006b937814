# What needs no command: tables, options, knowledge and model strings.
library(dagscape)
hidden <- asNamespace("dagscape")
fails <- function(call, words) {
  said <- tryCatch({ force(call); "no error" }, error = conditionMessage)
  if (!grepl(words, said, fixed = TRUE)) stop("said: ", said)
}

# Options
stopifnot(identical(
  hidden$as_options(list(max_parents = 3, rows_independent = TRUE, leave_out = c("a", "b c"), seed = NULL)),
  c("--max-parents=3", "--rows-independent", "--leave-out=a", "--leave-out=b c")))
stopifnot(identical(hidden$as_options(list(time_limit = 100000)), "--time-limit=100000"))
fails(hidden$as_options(list(3)), "by name")

# Tables
frame <- data.frame("a b" = factor(c("u", "v", NA), levels = c("u", "v", "w")),
                    size = factor(c("s", "l", "m"), levels = c("s", "m", "l"), ordered = TRUE),
                    item = c("1", "2", "2"), "\u00e9t\u00e9" = c("\"q\"", "x,y", "z"), x = c(0.1, NA, 3),
                    check.names = FALSE, stringsAsFactors = FALSE)
table <- hidden$as_table(frame)
stopifnot(identical(table$types, "a b=u|v|w,size=s<m<l,item=states"))
back <- read.csv(table$file, check.names = FALSE, encoding = "UTF-8")
stopifnot(identical(back[["a b"]], c("u", "v", "")), identical(back[[4]], frame[[4]]),
          identical(back$x, frame$x))
stopifnot(identical(hidden$table_options(table, list(types = "x=continuous")),
                    "--types=a b=u|v|w,size=s<m<l,item=states,x=continuous"))
fails(hidden$as_table(data.frame(a = c("", "x"))), 'column "a" has a state ""')
fails(hidden$as_table(data.frame(a = factor(c("NA", "x")))), "read as a missing value")
fails(hidden$as_table(data.frame(a = I(list(1, 2)))), 'column "a" holds lists')
fails(hidden$as_table(data.frame(a = factor("x", levels = c("x", "y|z")))), "states that do not occur")
fails(hidden$as_table(1:3), "data must be a data frame")

# Knowledge
known <- list(required = data.frame(from = "a", to = "b \"c\""), tiers = list("a", c("x", "y")),
              roots = "a", max_parents = list(x = 2))
file <- sub("--knowledge=", "", hidden$as_knowledge(known))
stopifnot(identical(readLines(file), c('required = [["a", "b \\"c\\""]]', 'tiers = [["a"], ["x", "y"]]',
                                       'roots = ["a"]', 'max_parents = {"x" = 2}')))
fails(hidden$as_knowledge(list("a")), "knowledge must be a list")
fails(hidden$as_knowledge(list(required = data.frame(from = "a"))), "two columns")

# Model strings
arcs <- data.frame(from = c("a", "c"), to = c("b", "b"))
stopifnot(identical(model_string(arcs), "[a][c][b|a:c]"), identical(model_string("[a]"), "[a]"))
graph <- structure(list(learning = list(), nodes = list(b = list(), a = list(), alone = list()),
                        arcs = matrix(c("a", "b"), 1, dimnames = list(NULL, c("from", "to")))),
                   class = "bn")  # as bnlearn has it
stopifnot(identical(model_string(graph), "[b|a][a][alone]"))
graph$arcs <- rbind(graph$arcs, c("b", "a"))
fails(model_string(graph), "no direction")
fitted <- structure(list(a = list(parents = character()), b = list(parents = "a")), class = c("bn.fit", "bn.fit.dnet"))
stopifnot(identical(model_string(fitted), "[a][b|a]"))
fails(model_string(data.frame(from = "a:b", to = "c")), "cannot be in a model string")
fails(model_string("a -> b"), "is a model string")
if (!requireNamespace("bnlearn", quietly = TRUE)) {
  fails(as_bn(arcs), "needs the package bnlearn")
} else {
  stopifnot(setequal(bnlearn::nodes(as_bn(arcs)), c("a", "b", "c")), identical(model_string(as_bn(arcs)), "[a][c][b|a:c]"))
}

# The command
options(dagscape.command = "no such command")
fails(hidden$command_path(), "there is no command \"no such command\"")
