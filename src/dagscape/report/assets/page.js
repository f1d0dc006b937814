// The page as a whole: what it says at first, and what each control changes.

const LARGE = 120; // variables, from which on the drawing starts with a neighborhood
const READABLE = 30; // variables that this may have to take in two steps

function pick({ node = null, pair = null }) {
  state.node = pair ? (state.around ? state.node : null) : node;
  state.pair = pair;
  graph.edgesOf = null;
  if (node == null && pair == null && state.map == null) setAround(0, true);
  if (node != null && state.map != null && (onMap() || !graph.places.has(node))) { state.node = node; setAround(stepsAround(node), true); }
  drawGraph();
  showCounts();
  showDetails();
  showEdges();
  if (node != null) { $("search").value = NAMES[node]; graph.here = node; reveal(node); }
}

// One step where two would hold too many to read.
function stepsAround(node) {
  const near = surroundings(node, 2, lines());
  return near.level.size + near.more > READABLE ? 1 : 2;
}

function setAround(steps, quiet) {
  if (!steps && !HAS_WHOLE && MAP) { state.map = []; if (!quiet) openMap([]); else $("around").value = "map"; state.around = 0; return; }
  state.around = steps;
  state.map = null;
  if (steps && state.node == null) state.node = mostJoined();
  $("around").value = String(steps);
  graph.fitted = true;
  if (quiet) return;
  drawGraph();
  showDetails();
}

function setView(view) {
  state.view = view;
  $("view").value = view;
  update();
}

function mostJoined() {
  const degree = NAMES.map(() => 0);
  for (const pair of viewEdges().keys()) { degree[pair.a] += 1; degree[pair.b] += 1; }
  return degree.indexOf(Math.max(...degree));
}

let waiting = 0;
function update() {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(() => {
    showHidden();
    drawGraph();
    showCounts();
    showLegend();
    showDetails();
    if (MODELS) {
      drawTradeoff();
      drawStrengths();
      showOptima();
    }
    if (DATA.truth || $("edges-shown").checked) showEdges();
  });
}

function showCounts() {
  if (hiddenAllowed()) { $("counts").replaceChildren(...hiddenCounts()); return; }
  const drawn = lines();
  const number = (mark) => drawn.filter((line) => line.mark === mark).length;
  const shown = drawn.length - number("missing") - number("outside");
  const reference = state.compare === "truth" ? DATA.truth : "the network found";
  const parts = [make("b", { id: "count-edges" }, many(shown, "edge"))];
  if (state.view === "confident") {
    const { tp, fp, fn } = countsAt(state.threshold);
    parts.push(` with confidence ${share(state.threshold)} or more. Against ${reference}: `,
      make("b", { id: "count-tp" }, whole(tp)), " in both, ", make("b", { id: "count-fp" }, whole(fp)), " not in it, ", make("b", { id: "count-fn" }, whole(fn)), " of it left out.");
    const kinds = tp + fp - shown;
    if (!state.adjacency && kinds > 0) parts.push(make("span", { class: "soft" }, ` Directed and undirected edges of one pair count by themselves; a pair is drawn once.`));
  } else {
    const name = { found: "in the network found", truth: `in ${DATA.truth}` }[state.view] || `in optimum ${Number(state.view) + 1}`;
    parts.push(` ${name}`);
    if (number("outside")) {
      const above = outsideAbove().length;
      parts.push(", and ", make("b", { id: "count-outside" }, whole(number("outside"))), ` outside it${above > number("outside") ? `, the most ${believedWord === "probability" ? "probable" : "stable"} of ${whole(above)}` : ""}`);
    }
    if (state.view === state.compare) parts.push(".");
    else parts.push(`. Against ${reference}: `, make("b", { id: "count-tp" }, whole(number("same"))), " the same, ", make("b", {}, whole(number("turned"))), " directed otherwise, ", make("b", { id: "count-fp" }, whole(number("extra"))), " not in it, ", make("b", { id: "count-fn" }, whole(number("missing"))), " of it missing.");
  }
  if (state.around && state.node != null) parts.push(make("span", { class: "soft" }, ` Drawn is what lies ${many(state.around, "step")} around ${NAMES[state.node]}.`));
  if (state.map) parts.push(...mapWords());
  if (graph.more) parts.push(make("span", { class: "soft" }, ` ${many(graph.more, "further variable")} of the neighborhood left out.`));
  $("counts").replaceChildren(...parts);
}

function showLegend() {
  if (hiddenAllowed()) { $("legend").replaceChildren(...hiddenKeys()); return; }
  if (onMap()) { $("legend").replaceChildren(...mapKeys()); return; }
  const reference = state.compare === "truth" ? DATA.truth : "the network found";
  const marks = new Set(lines().map(({ mark }) => mark));
  const rows = [["same", `as in ${reference}`], ["turned", "there, directed differently"], ["extra", "not there"], ["missing", state.view === "confident" ? "there, but below the threshold" : "there, but not here"]];
  const sample = (mark, width = 2.6) => draw("svg", { width: 38, height: 12, "aria-hidden": "true", class: mark }, draw("path", { class: "line", d: "M1 6H37", style: `stroke-width:${width}` }));
  const parts = rows.filter(([mark]) => marks.has(mark)).map(([mark, words]) => make("span", {}, sample(mark), words));
  const keyed = state.view === "found" ? trustKeys() : [];
  const thick = keyed.length ? "" : MODELS ? "thicker: more confident" : PAIRS.some((pair) => pair.change != null) ? "thicker: more score lost without it" : "";
  if (thick) parts.push(make("span", {}, sample("same", 1.2), sample("same", 5), thick));
  const samples = {
    thick: () => [sample("same", 1.2), sample("same", 5)],
    unsure: () => [draw("svg", { width: 38, height: 12, "aria-hidden": "true", class: "same unsure" }, draw("path", { class: "line", d: "M1 6H37", style: "stroke-width:2.6" }))],
    way: () => [0.15, 1].map((weight) => draw("svg", { width: 38, height: 12, "aria-hidden": "true", class: "same" }, draw("path", { class: "line", d: "M1 6H26", style: "stroke-width:2" }), draw("path", { class: "head", d: "M37 6L26 1V11Z", "fill-opacity": weight }))),
    outside: () => [sample("outside")],
  };
  for (const [key, words] of keyed) parts.push(make("span", {}, samples[key](), words));
  $("legend").replaceChildren(...parts, ...knownKeys(), ...beliefKeys());
}

// What the page is of: the table's file and size, the command, the version and the day.
function originWords() {
  const { file, command, date } = DATA.origin;
  const size = `${DATA.rows == null ? "" : `${many(DATA.rows, "row")} × `}${many(NAMES.length, "variable")}`;
  const day = new Date(`${date}T12:00:00Z`).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const parts = [file && make("b", {}, file), size, command && make("code", {}, command), `dagscape ${DATA.version}`, make("time", { datetime: date }, day)];
  return parts.filter(Boolean).flatMap((part, i) => (i ? [" · ", part] : [part]));
}

function showHead() {
  const { result, rows } = DATA;
  document.title = DATA.title;
  $("title").textContent = DATA.title;
  const learned = rows == null ? "" : ` in ${many(rows, "row")}`;
  const agreed = MODELS ? ` ${many(MODELS.runs, MODELS.kind === "optima" ? "further search" : "sample", MODELS.kind === "optima" ? "further searches" : "samples")} ended at ${MODELS.scores.length === 1 ? "one network" : `${whole(MODELS.scores.length)} different networks`}; ${TRUST ? "that shows how hard the search was" : "an edge that most of them have can be trusted more than one that few have"}.` : "";
  $("origin").replaceChildren(...originWords());
  $("summary").textContent = `The network below says which of ${whole(NAMES.length)} variables depend directly on which others${learned}. ${result.proof}${agreed}`;
  const facts = [[whole(NAMES.length), "variables"]];
  if (rows != null) facts.push([whole(rows), "rows"]);
  facts.push([whole(result.edges), result.undirected ? `edges, ${whole(result.undirected)} undirected` : "edges"]);
  facts.push([scoreWords(result.score), result.score_words]);
  if (!result.optimal && result.bound != null && result.bound_words) facts.push([scoreWords(result.bound), result.bound_words]);
  if (MODELS) facts.push([whole(MODELS.scores.length), `${MODELS.kind === "optima" ? "local optima" : "different networks"} in ${many(MODELS.runs, MODELS.kind === "optima" ? "run" : "sample")}`], ...(TRUST ? [] : [[share(MODELS.thresholds.edges), "best threshold for edges"]]));
  const called = (word) => whole(TRUST.edges.filter((row) => row.verdict === word).length);
  if (TRUST) facts.push([Object.keys(TRUST.levels).map(called).join(" · "), `edges ${Object.keys(TRUST.levels).join(" · ")}${TRUST.claim ? "" : ", by stability"}`]);
  $("facts").replaceChildren(...facts.map(([figure, words]) => make("li", {}, make("b", {}, figure), make("span", {}, words))));
  const terms = [
    ["Edge", `Two variables that are joined depend on each other in a way that no other variable of the table explains, as it was measured. An arrow says which comes first wherever data can tell${KNOWN ? `, or ${KNOWN.by} (then its head is hollow)` : ""}; an edge without an arrow may go either way (the drawing is an essential graph). An arrow is a cause only if nothing unobserved influences both, and rows were not selected by what the two cause (as if only people in hospital were in the table).`],
    ["Score", `How well a network fits the rows, less a price for its size (${result.score_name}; natural logarithm)${result.prior ? ". The logarithm of a prior on structures is added to it" : ""}. Higher is better${result.odds ? "; a difference of 3 is about a factor of 20 in odds" : ""}.`],
    ...(TRUST ? [
      ["Probability", `How probable an edge is, given the rows${TRUST.claim ? ` (${TRUST.claim})` : ": not known here"}. Whether there is an edge and which way it goes are two numbers.`],
      ["In words", `${TRUST.words}.`],
      ["Stability", "The share of tables drawn from the rows on which the search finds the edge."],
      ["Agreement", "The share of the local optima, networks that no small change improves, that have the edge. It shows how hard the search was, not how probable the edge is."],
    ] : []),
    ["Confidence", MODELS && MODELS.kind === "samples" ? "The share of the networks learned from samples of the rows that have the edge." : "The share of the local optima, networks that no small change improves, that have the edge. The slider leaves out edges below a confidence."],
    ["Threshold", "Low keeps edges that few networks have; high drops edges that most have. The curve under “Which edges to trust” shows both kinds of mistake, as if the reference were the truth."],
    ["Markov blanket", "The variables that, once known, make all others useless for predicting one: its parents, its children and the other parents of its children."],
  ].filter(([term]) => (MODELS && !TRUST) || !["Confidence", "Threshold"].includes(term));
  $("reading-text").replaceChildren(make("dl", {}, terms.map(([term, words]) => [make("dt", {}, term), make("dd", {}, words)])));
}

// What happened to the table: losses at the top of the page, the rest by how it was made.
function showNotes() {
  const sentence = ({ words }) => `${words[0].toUpperCase()}${words.slice(1)}.`;
  const columns = ({ columns, more }) => columns.length && make("details", { class: "reading" }, make("summary", {}, `All ${many(columns.length + more, "column")}`),
    make("ul", {}, columns.map(([name, words]) => make("li", {}, make("b", {}, name), ` ${words}`)), more ? make("li", {}, `and ${whole(more)} more`) : null));
  const item = (note) => make("li", { class: note.loud ? "loud" : null }, sentence(note), columns(note) || null);
  const loud = DATA.notes.filter((note) => note.loud);
  $("losses").replaceChildren(...loud.map(item));
  $("losses").hidden = !loud.length;
  $("notes").replaceChildren(...DATA.notes.map(item));
  $("notes-box").hidden = !DATA.notes.length;
}

function showAbout() {
  const { result } = DATA;
  const facts = [["method", result.method], ["score", `${result.score_name} ${result.score == null ? "" : result.score}`], ["claim", result.claim]];
  if (result.bound != null && !result.optimal && result.bound_words) facts.push(["bound", String(result.bound)]);
  if (result.scope) facts.push(["scope of the claim", result.scope]);
  facts.push(["seconds", result.seconds.toFixed(2)]);
  if (result.stopped) facts.push(["stopped by", result.stopped]);
  if (result.seed != null) facts.push(["seed", String(result.seed)]);
  for (const [name, words] of result.steps) facts.push([`step: ${name}`, words]);
  for (const [name, words] of result.asked) facts.push([`asked: ${name}`, words]);
  if (MODELS) facts.push(["landscape", MODELS.said]);
  if (MODELS && MODELS.scores.length > 1) facts.push([MODELS.kind === "samples" ? "how samples count" : "how optima count", countingWords()]);
  const list = (some) => some.flatMap(([name, words]) => [make("dt", {}, name), make("dd", {}, words)]);
  $("settings").replaceChildren(...list(facts));
  $("work").replaceChildren(...list(result.work));
  $("work-box").hidden = !result.work.length;
  $("foot").textContent = `Made by dagscape ${DATA.version}. This file is complete: it needs no other file and no network.`;
}

function setUpControls() {
  const { result } = DATA;
  const option = (value, words) => make("option", { value }, words);
  const views = [];
  if (MODELS && !TRUST) views.push(option("confident", "confident edges"));
  views.push(option("found", "the network found"));
  if (DATA.truth) views.push(option("truth", DATA.truth));
  if (MODELS) views.push(make("optgroup", { label: MODELS.kind === "optima" ? "Local optima" : "Networks of samples" }, MODELS.differences.map((_, i) => option(String(i), `number ${i + 1}`))));
  $("view").replaceChildren(...views);
  $("view").value = state.view;
  $("compare").replaceChildren(option("found", "the network found"), ...(DATA.truth ? [option("truth", DATA.truth)] : []));
  $("compare").value = state.compare;
  $("compare-box").hidden = !DATA.truth;
  whenNear($("search"), () => $("names").replaceChildren(...NAMES.map((name) => make("option", { value: name }))));
  for (const id of ["threshold-box", "adjacency-box", "choosing"]) $(id).hidden = !MODELS || Boolean(TRUST);
  $("optima").hidden = !MODELS;
  const slider = $("threshold");
  if (MODELS) {
    slider.min = Math.max(0.01, Math.ceil(DATA.least * 100) / 100);
    slider.value = state.threshold;
    $("threshold-value").textContent = share(state.threshold);
    $("threshold-auto").textContent = `best: ${share(MODELS.thresholds.edges)}`;
    $("threshold-auto").title = "The threshold with the fewest edges wrong and missed against the network found";
    $("levels").replaceChildren(...Array.from({ length: 11 }, (_, i) => make("option", { value: i / 10 })));
    const apart = result.score_name === MODELS.score_name ? result.score - MODELS.scores[0] : 0;
    const below = apart > 0.01 ? ` The best of them scores ${scoreWords(apart)} less than the network found, so its edges may be missing in all of them.` : "";
    $("optima-title").textContent = MODELS.kind === "optima" ? "The landscape of local optima" : "Networks of the samples";
    $("optima-text").replaceChildren(MODELS.kind === "optima"
      ? `${many(MODELS.runs, "search", "searches")} from the empty network, each with some random steps, ended at ${many(MODELS.scores.length, "different network")} that no small change improves.${below} `
      : `The same search on ${many(MODELS.runs, "sample")} of the rows found ${many(MODELS.scores.length, "different network")}; scores are those on the rows themselves. `,
      onScreen("Click a number to draw that network."));
  }
  setUpOutside();
  $("edges-text").textContent = TRUST
    ? `${believedWord[0].toUpperCase()}${believedWord.slice(1)} that there is an edge, and of from → to given one. Stability is the share of resampled tables on which the search finds it${MODELS ? "; agreement the share of local optima that have it, which tells how hard the search was" : ""}. Every column sorts.`
    : MODELS
    ? "Strength is the share of models in which the two are joined, direction the share of from → to among these, an undirected edge counting half (as in R's bnlearn). Confidence is the share of models with the very edge of the network found."
    : "The edges of the network found.";
  if (TRUST && TRUST.least) $("edges-text").textContent += ` Of pairs with ${share(TRUST.least)} or less only some are listed, to keep this file small.`;
  if (DATA.least) $("edges-text").textContent += ` Of pairs with a strength of ${share(DATA.least)} or less only some are listed, to keep this file small.`;
}

function listen() {
  const setThreshold = (value) => {
    state.threshold = Math.round(value * 100) / 100;
    $("threshold").value = state.threshold;
    $("threshold-value").textContent = share(state.threshold);
    if (state.view !== "confident") { state.view = "confident"; $("view").value = "confident"; }
    update();
  };
  $("threshold").addEventListener("input", (event) => setThreshold(Number(event.target.value)));
  $("threshold-auto").addEventListener("click", () => setThreshold(MODELS.thresholds.edges));
  $("outside").addEventListener("change", (event) => { state.outside = event.target.checked; setView("found"); });
  $("outside-least").addEventListener("input", (event) => {
    setOutsideLeast(Number(event.target.value));
    state.outside = $("outside").checked = true;
    setView("found");
  });
  $("print").addEventListener("click", () => print());
  $("view").addEventListener("change", (event) => setView(event.target.value));
  $("hidden").addEventListener("change", (event) => { state.hidden = event.target.value === "allowed"; setView("found"); });
  $("compare").addEventListener("change", (event) => { state.compare = event.target.value; update(); });
  $("forbidden").addEventListener("change", update);
  $("adjacency").addEventListener("change", (event) => { state.adjacency = event.target.checked; update(); });
  $("around").addEventListener("change", (event) => {
    if (event.target.value === "map") { openMap([]); return; }
    setAround(Number(event.target.value));
    showCounts();
    showLegend();
  });
  $("tradeoff-kind").addEventListener("change", drawTradeoff);
  $("search").addEventListener("input", () => find(false));
  $("search").addEventListener("keydown", (event) => { if (event.key === "Enter") find(true); });
  $("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    drawHeatmap();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawHeatmap);
  let wide = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== wide) { wide = innerWidth; drawCharts(); } });
  let before = "", closed = [];
  // What the words mean is for paper too, where nothing can be opened.
  addEventListener("beforeprint", () => { closed = [...document.querySelectorAll("details.reading:not([open])")]; for (const one of closed) one.open = true; });
  addEventListener("afterprint", () => { for (const one of closed) one.open = false; });
  addEventListener("beforeprint", () => { before = document.documentElement.dataset.theme || ""; document.documentElement.dataset.theme = "light"; drawHeatmap(); });
  addEventListener("afterprint", () => { if (before) document.documentElement.dataset.theme = before; else delete document.documentElement.dataset.theme; drawHeatmap(); });
  listenToGraph();
  listenToTables();
  listenToHeatmap();
}

function drawCharts() {
  if (MODELS) {
    measureCharts();
    drawTradeoff();
    drawStrengths();
    drawScores();
  }
  drawHeatmap();
}

// Pick the variable that was typed; with Enter also the first that begins with it, or holds it.
function find(near) {
  const typed = $("search").value.trim();
  const low = typed.toLowerCase();
  let node = NAMES.indexOf(typed);
  if (node < 0) node = NAMES.findIndex((name) => name.toLowerCase() === low);
  if (node < 0 && near && low) {
    node = NAMES.findIndex((name) => name.toLowerCase().startsWith(low));
    if (node < 0) node = NAMES.findIndex((name) => name.toLowerCase().includes(low));
  }
  $("search").setAttribute("aria-invalid", String(node < 0 && near && low !== ""));
  if (node >= 0) pick({ node });
}

showHead();
setUpControls();
showKnowledge();
setUpWanted();
showSections();
showNotes();
showBends();
showAbout();
if (MAP) $("around").prepend(make("option", { value: "map" }, "map of clusters"));
if (!HAS_WHOLE) $("around").querySelector('[value="0"]')?.remove();
if (NAMES.length > LARGE) setAround(HAS_WHOLE || !MAP ? stepsAround(mostJoined()) : 0, true);
setUpAsking();
setUpBeliefs();
setUpTarget();
showHidden();
drawGraph();
showCounts();
showLegend();
showDetails();
showEdges();
showNear();
showNearest();
showReliability();
showMisfits();
setUpImplied();
showMethods();
addTableTools();
drawCharts();
if (MODELS) showOptima();
listen();
