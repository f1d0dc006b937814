// What the page knows, and what follows from the user's choices.

const DATA = JSON.parse(document.getElementById("data").textContent);

// Rows of a table that was written by columns; what is the same in all rows stands there once.
function rowsFrom({ rows, same, columns }) {
  const named = Object.entries(columns);
  return Array.from({ length: rows }, (_, i) => Object.assign(Object.fromEntries(named.map(([name, column]) => [name, column[i]])), same));
}

const NAMES = DATA.names;
const MODELS = DATA.models;
if (DATA.trust) DATA.trust.edges = rowsFrom(DATA.trust.edges);
const NONE = 0, FORTH = 1, BACK = 2, UNDIRECTED = 3;
const ROUNDING = 1e-6; // shares have six digits

// A pair: a, b, shares of a → b, b → a and a – b, the edge found, the true edge, the arc of the
// member found, the change of score without (or with) it, points of its line between its ends, the
// edge found with directions from knowledge (drawn), and whether that requires it.
const PAIRS = rowsFrom(DATA.pairs).map(({ shares, between, required, ...rest }, index) => ({
  index, ...rest, shares, required: Boolean(required), between: between || [],
  strength: shares ? Math.min(1, shares[0] + shares[1] + shares[2]) : null,
}));
const pairAt = new Map(PAIRS.map((pair) => [pair.a * NAMES.length + pair.b, pair]));
const pairOf = (a, b) => pairAt.get(Math.min(a, b) * NAMES.length + Math.max(a, b));

const BLANKETS = new Map();
for (const [a, b, confidence] of MODELS ? MODELS.blankets : []) {
  for (const [x, y] of [[a, b], [b, a]]) {
    if (!BLANKETS.has(x)) BLANKETS.set(x, new Map());
    BLANKETS.get(x).set(y, confidence);
  }
}

const state = {
  threshold: MODELS ? MODELS.thresholds.edges : 0,
  view: MODELS && !DATA.trust ? "confident" : "found", // or the number of an optimum
  outside: false, // whether probable edges outside the network are drawn too
  hidden: false, // whether causes may be hidden
  outsideLeast: 0, // and how probable these must be
  compare: DATA.truth ? "truth" : "found",
  adjacency: false,
  around: 0,
  map: null, // of the map of clusters: the way to the part that is drawn
  node: null,
  pair: null,
};

// The kind of edge that most models with one have; of equals the directed.
function usual(pair) {
  const [forth, back, none] = pair.shares;
  if (forth >= back && forth >= none) return FORTH;
  return back >= none ? BACK : UNDIRECTED;
}

function confidenceOf(pair, kind) {
  if (!pair.shares) return null;
  return state.adjacency ? pair.strength : pair.shares[kind - 1];
}

const optimumEdges = new Map();
function edgesOfOptimum(number) {
  if (!optimumEdges.has(number)) {
    const edges = new Map(PAIRS.filter((pair) => pair.found).map((pair) => [pair, pair.found]));
    for (const [a, b, , now] of MODELS.differences[number]) {
      const pair = pairOf(a, b);
      if (!pair) continue;
      if (now) edges.set(pair, now);
      else edges.delete(pair);
    }
    optimumEdges.set(number, edges);
  }
  return optimumEdges.get(number);
}

// The edges of the view: pairs with the kind of edge they are drawn with.
function viewEdges() {
  if (state.view === "confident") {
    const edges = new Map();
    for (const pair of PAIRS) {
      const kind = usual(pair);
      if (confidenceOf(pair, kind) >= state.threshold - ROUNDING) edges.set(pair, kind);
    }
    return edges;
  }
  if (state.view === "found") return new Map(PAIRS.filter((p) => p.drawn).map((p) => [p, p.drawn]));
  if (state.view === "truth") return new Map(PAIRS.filter((p) => p.truth).map((p) => [p, p.truth]));
  return edgesOfOptimum(Number(state.view));
}

// Every line to draw: pair, kind, and how it compares with the reference.
function lines() {
  const edges = viewEdges();
  const drawn = [];
  for (const [pair, kind] of edges) {
    const reference = pair[state.compare];
    // Directions from knowledge are not compared: no data could tell them.
    const compared = state.view === "found" ? pair.found : kind;
    const alike = state.adjacency ? reference !== NONE : reference === compared;
    const mark = alike ? "same" : reference === NONE ? "extra" : "turned";
    const known = state.view === "found" ? { hollow: kind !== compared, required: pair.required } : {};
    const trust = state.view === "found" ? trustOfLine(pair, kind) : {};
    drawn.push({ pair, kind, mark, confidence: confidenceOf(pair, compared), ...known, ...trust });
  }
  if (hiddenAllowed()) return hiddenLines(drawn);
  const outside = state.view === "found" ? outsideLines() : [];
  drawn.push(...outside);
  const also = new Set(outside.map(({ pair }) => pair));
  for (const pair of PAIRS) {
    const kind = pair[state.compare];
    if (kind !== NONE && !edges.has(pair) && !also.has(pair)) {
      drawn.push({ pair, kind, mark: "missing", confidence: confidenceOf(pair, kind) });
    }
  }
  return drawn;
}

// tp, fp and fn of edges at a threshold, as Landscape.tradeoff counts them.
function countsAt(threshold) {
  const counts = { tp: 0, fp: 0, fn: 0 };
  for (const pair of PAIRS) {
    const reference = pair[state.compare];
    if (state.adjacency) {
      const sure = pair.strength >= threshold - ROUNDING;
      if (sure) counts[reference ? "tp" : "fp"] += 1;
      else if (reference) counts.fn += 1;
      continue;
    }
    for (const kind of [FORTH, BACK, UNDIRECTED]) {
      const sure = pair.shares[kind - 1] >= threshold - ROUNDING;
      if (sure) counts[reference === kind ? "tp" : "fp"] += 1;
      else if (reference === kind) counts.fn += 1;
    }
  }
  return counts;
}

function edgeWords(pair, kind) {
  const [a, b] = [NAMES[pair.a], NAMES[pair.b]];
  if (kind === BACK) return `${b} → ${a}`;
  return kind === FORTH ? `${a} → ${b}` : `${a} – ${b}`;
}

// Parents, children, undirected neighbors and spouses of a node in the network found.
function blanketOf(node) {
  const sets = { parents: [], children: [], neighbors: [], spouses: [] };
  const joined = new Set([node]);
  for (const pair of PAIRS) {
    if (!pair.drawn || (pair.a !== node && pair.b !== node)) continue;
    const other = pair.a === node ? pair.b : pair.a;
    joined.add(other);
    if (pair.drawn === UNDIRECTED) sets.neighbors.push(other);
    else if ((pair.drawn === FORTH) === (pair.a === node)) sets.children.push(other);
    else sets.parents.push(other);
  }
  const spouses = new Set();
  for (const pair of PAIRS) {
    if (pair.drawn !== FORTH && pair.drawn !== BACK) continue;
    const [start, end] = pair.drawn === FORTH ? [pair.a, pair.b] : [pair.b, pair.a];
    if (sets.children.includes(end) && !joined.has(start)) spouses.add(start);
  }
  sets.spouses = [...spouses].sort((x, y) => x - y);
  return sets;
}
