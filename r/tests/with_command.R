# What calls the command, on a small table; left out where there is no command.
library(dagscape)
found <- tryCatch(asNamespace("dagscape")$command_path(), error = function(e) NULL)
if (is.null(found)) {
  message("no command dagscape: not tried")
  quit(save = "no", status = 0)
}
set.seed(1)
n <- 300
flip <- function(x, p) ifelse(runif(n) < p, ifelse(x == "yes", "no", "yes"), x)
smoke <- sample(c("yes", "no"), n, TRUE)
cough <- flip(smoke, 0.1)
frame <- data.frame(smoke = factor(smoke, levels = c("no", "yes", "unknown")), cough, wheeze = flip(cough, 0.1))
frame$wheeze[c(3, 30)] <- NA
whole <- frame[!is.na(frame$wheeze), ]

r <- learn(whole, resamples = 2, runs = 0, quiet = TRUE,
           knowledge = list(required = data.frame(from = "smoke", to = "cough")))
stopifnot(inherits(r, "dagscape_learned"), grepl("optimal", r$claim), file.exists(r$page),
          any(r$arcs$from == "smoke" & r$arcs$to == "cough"), is.data.frame(r$edges))
stopifnot(grepl("[smoke]", model_string(r), fixed = TRUE))
network <- jsonlite::fromJSON(file.path(r$folder, "network.json"), simplifyVector = FALSE)
states <- function(v) if (v$name == "smoke") unlist(v$states)
stopifnot(setequal(unlist(lapply(network$variables, states)), c("no", "yes", "unknown")))
shown <- capture.output(print(r))
stopifnot(any(grepl("near certain", shown)))
if (requireNamespace("bnlearn", quietly = TRUE))
  stopifnot(inherits(as_bn(r), "bn"), inherits(as_bn_fit(r), "bn.fit"))

P <- posterior(whole, kind = "arcs", quiet = TRUE)
stopifnot(P$exact, is.data.frame(P$features), nrow(P$features) >= 2,
          all(P$features$probability <= 1))

E <- effect(whole, "smoke", "cough", networks = 100, quiet = TRUE)
stopifnot(is.data.frame(E$effect), nrow(E$effect) == 6, all(E$effect$lower <= E$effect$upper))

X <- examine("[smoke][cough|smoke][wheeze|smoke]", whole, relabelings = 0, resamples = 0, quiet = TRUE)
stopifnot(X$regret > 1, X$proven, nrow(X$graph$arcs) == 2)
stopifnot(examine(r, whole, relabelings = 0, resamples = 0, quiet = TRUE)$regret < 1e-6)

# Missing cells stay missing, and what the command says is an error of R.
G <- posterior(frame, rounds = 3, chains = 2, quiet = TRUE)
stopifnot(grepl("drawn cells", G$claim))
said <- tryCatch(learn(whole, max_parents = -1), error = conditionMessage)
stopifnot(grepl("--max-parents must be", said))
said <- tryCatch(effect(whole, "smok", "cough"), error = conditionMessage)
stopifnot(grepl("unknown variable", said))
