// What is known of the variable or the edge that was picked.

const FIRST_ROWS = 48;

function nodeButton(node) {
  return make("button", { type: "button", class: "link", on: { click: () => pick({ node }) } }, NAMES[node]);
}

function meter(rows) {
  return make("div", { class: "meter" }, rows.map(([words, part, figure]) => [
    make("span", {}, words),
    make("span", { class: "track" }, make("span", { class: "fill", style: `display:block;width:${(100 * part).toFixed(1)}%` })),
    make("span", { class: "figure" }, figure),
  ]));
}

function showDetails() {
  const panel = $("details");
  panel.classList.toggle("something", state.pair != null || state.node != null);
  const close = make("button", { type: "button", class: "small close", "aria-label": "Let go", title: "Let go (Escape)", on: { click: () => pick({}) } }, "×");
  if (state.pair != null) panel.replaceChildren(close, ...edgeDetails(state.pair), ...movedDetails());
  else if (state.node != null) panel.replaceChildren(close, ...nodeDetails(state.node), ...movedDetails());
  else panel.replaceChildren(
    make("h3", {}, "Nothing is picked"),
    ...movedDetails(),
    make("p", { class: "soft" }, `Click a variable to see its Markov blanket, ${NUMBERS ? "its values and what it follows" : "its states and its table"}. Click an edge to see ${NUMBERS ? "the relation, " : ""}${MODELS ? "how sure it is and " : ""}what the score loses without it.`),
    make("p", { class: "soft" }, "With the keyboard: Tab to the graph, arrow keys between variables, Enter to pick one, E for its edges, 1 to 9 to give its states, Escape to let go."),
  );
}

// What is given, and what changed most.
function movedDetails() {
  if (!asked.given.size) return [];
  const back = [...asked.given.keys()].map((node) => make("li", {}, givenWords([node])[0], make("button", { type: "button", class: "small", "aria-label": `Take back ${NAMES[node]}`, on: { click: () => give(node, null) } }, "×")));
  const most = mostMoved().slice(0, 8);
  return [make("h4", {}, "Given"), make("ul", {}, back), ...(most.length ? [make("h4", {}, "Changed most"), make("ul", { id: "moved" }, most.map((node) => make("li", {}, nodeButton(node), make("span", { class: "figure" }, movedWords(node)))))] : [])];
}

function edgeDetails(pair) {
  const parts = [];
  const kind = pair.drawn || pair.truth || (pair.shares && pair.strength ? usual(pair) : NONE);
  parts.push(make("h3", {}, kind ? edgeWords(pair, kind) : `${NAMES[pair.a]}, ${NAMES[pair.b]}`));
  parts.push(make("p", {}, pair.drawn ? `In the network found: ${pair.drawn === UNDIRECTED ? "an undirected edge, since the data cannot tell the direction" : "a directed edge"}.` : "Not in the network found."));
  parts.push(...knownOf(pair));
  if (hiddenAllowed() && pair.drawn) parts.push(...hiddenDetails(pair));
  if (DATA.truth) {
    const words = pair.truth ? `In ${DATA.truth}: ${edgeWords(pair, pair.truth)}.` : `Not in ${DATA.truth}.`;
    parts.push(make("p", {}, words));
  }
  parts.push(...relationDetails(pair));
  parts.push(...trustDetails(pair));
  if (pair.shares && !TRUST) {
    const [forth, back, none] = pair.shares;
    parts.push(make("h4", {}, `Confidence: the share of ${modelsWords()} with`));
    const ways = [[FORTH, forth], [BACK, back]];
    if (kind === BACK) ways.reverse();
    parts.push(meter([
      ...[...ways, [UNDIRECTED, none]].map(([way, part]) => [edgeWords(pair, way), part, share(part)]),
      ["no edge", 1 - pair.strength, share(1 - pair.strength)],
    ]));
    if (pair.strength > 0) {
      const [start, end, direction] = strongDirection(pair);
      parts.push(make("p", {}, `Strength ${share(pair.strength)}; direction ${NAMES[start]} → ${NAMES[end]} ${share(direction)}, an undirected edge counting half each way.`));
    }
  }
  if (pair.change != null && !(pair.trust && pair.trust.loss != null)) {
    const name = DATA.result.score_name;
    const words = pair.arc
      ? `Without ${edgeWords(pair, pair.arc)} the ${name} score is ${scoreWords(Math.abs(pair.change))} ${pair.change <= 0 ? "lower" : "higher"}.`
      : `An arc here, in the better direction, would make the ${name} score ${scoreWords(Math.abs(pair.change))} ${pair.change <= 0 ? "lower" : "higher"}.`;
    parts.push(make("h4", {}, pair.arc ? "Score loss if removed" : "Score change if added"), make("p", { id: "change" }, words));
  }
  parts.push(...adjustingDetails(pair));
  parts.push(...impliedDetails(pair));
  parts.push(...wantedOfPair(pair));
  parts.push(make("h4", {}, "Its variables"), make("ul", {}, [pair.a, pair.b].map((node) => make("li", {}, nodeButton(node)))));
  return parts;
}

// What to adjust for, to see in the rows what setting one of two does to the other.
function adjustingDetails({ a, b }) {
  const known = DATA.adjusting.find(([x, y]) => (x === a && y === b) || (x === b && y === a));
  if (!known) return [];
  const [start, end, others] = known;
  const what = `what setting ${NAMES[start]} does to ${NAMES[end]}`;
  const words = others.length ? `To see in the rows ${what}, adjust for:` : `The rows show ${what} without adjusting for anything.`;
  return [
    make("h4", {}, "What to adjust for"),
    make("p", { id: "adjusting" }, words),
    others.length ? make("ul", {}, others.map((node) => make("li", {}, nodeButton(node)))) : "",
    make("p", { class: "soft" }, "In the network found, one member of its class, if its arcs are causes. dagscape effect says by how much, averaged over networks, with two intervals."),
  ];
}

// The direction that counts more, and its share among edges.
function strongDirection(pair) {
  const [forth, back, none] = pair.shares;
  const direction = (forth + none / 2) / pair.strength;
  return direction >= 0.5 ? [pair.a, pair.b, direction] : [pair.b, pair.a, 1 - direction];
}

function modelsWords() {
  if (MODELS.kind === "samples") return `${many(MODELS.runs, "network")} learned from samples of the rows`;
  const weights = { optima: "", visits: ", each counted as often as runs ended there,", score: ", weighted by exp(score)," }[MODELS.weights];
  return MODELS.scores.length === 1 ? "the one local optimum" : `${whole(MODELS.scores.length)} local optima${weights || ""}`;
}

// How much each of many models counts in a share of them.
function countingWords() {
  if (MODELS.kind === "samples") return "each sample of the rows counts once";
  return { optima: "each local optimum counts once", visits: "each local optimum counts as often as runs ended there", score: "each local optimum counts by exp(score)" }[MODELS.weights];
}

function nodeDetails(node) {
  const about = DATA.variables[node];
  const parts = [make("h3", {}, NAMES[node])];
  parts.push(make("p", {}, make("button", { type: "button", class: "small", id: "look-around", on: { click: () => { setAround(state.around ? 0 : 2); showCounts(); showLegend(); } } }, state.around ? (HAS_WHOLE ? "Show the whole graph" : "Show the map of clusters") : "Show its neighborhood")));
  if (about.counts) {
    const rows = about.counts.reduce((sum, count) => sum + count, 0);
    parts.push(make("h4", {}, `States in ${many(rows, "row")}`));
    parts.push(meter(about.states.map((label, i) => [label, about.counts[i] / rows, percent(about.counts[i] / rows)])));
  } else if (about.states) {
    parts.push(make("h4", {}, "States"), make("p", {}, about.states.join(", ")));
  }
  parts.push(...numberDetails(node));
  parts.push(...blanketDetails(node));
  parts.push(...otherDetails(node));
  parts.push(...wantedOfNode(node));
  parts.push(...tableDetails(node, about));
  return parts;
}

function blanketDetails(node) {
  const sets = blanketOf(node);
  const sure = BLANKETS.get(node) || new Map();
  const members = new Set(Object.values(sets).flat());
  const list = (title, some, showEdge) => some.length ? [make("h4", {}, title), make("ul", {}, some.map((other) => {
    const pair = pairOf(node, other);
    const figure = showEdge && pair && pair.trust ? share(believed(pair.trust)) : showEdge && pair && pair.shares ? share(pair.shares[pair.found - 1]) : sure.has(other) ? share(sure.get(other)) : MODELS ? share(0) : "";
    return make("li", {}, nodeButton(other), showEdge && pair
      ? make("button", { type: "button", class: "link figure", title: "The edge", "aria-label": `The edge ${edgeWords(pair, pair.drawn)}`, on: { click: () => pick({ pair }) } }, figure || "edge")
      : make("span", { class: "figure" }, figure));
  }))] : [];
  const others = [...sure].filter(([other]) => !members.has(other)).sort((p, q) => q[1] - p[1] || p[0] - q[0]);
  const confident = others.filter(([, confidence]) => confidence >= 0.2).slice(0, 12);
  return [
    make("h4", {}, `Markov blanket: ${many(members.size, "variable")}`),
    make("p", { class: "soft" }, members.size ? `Given these, no other variable says more about it. ${TRUST ? `Figures of edges are their ${believedWord}; of other members, agreement.` : "Figures are confidences."}` : "No other variable says anything about it."),
    ...list("Parents", sets.parents, true),
    ...list("Children", sets.children, true),
    ...list("Joined without a direction", sets.neighbors, true),
    ...list("Other parents of its children", sets.spouses, false),
    ...(confident.length ? [make("h4", {}, "Not in it, but in that of other optima"), make("ul", {}, confident.map(([other, confidence]) => make("li", {}, nodeButton(other), make("span", { class: "figure" }, share(confidence)))))] : []),
  ];
}

function tableDetails(node, about) {
  if (about.table == null) {
    return about.cells ? [make("h4", {}, "Table"), make("p", { class: "soft" }, `Its table has ${whole(about.cells)} cells, too many to show here; the network's file has them.`)] : [];
  }
  const given = about.parents.map((parent) => NAMES[parent]);
  const states = about.parents.map((parent) => DATA.variables[parent].states);
  const body = make("tbody");
  const rowAt = (index) => {
    const labels = [];
    for (let i = states.length - 1, rest = index; i >= 0; i--) {
      labels.unshift(states[i][rest % states[i].length]);
      rest = Math.floor(rest / states[i].length);
    }
    return make("tr", {}, labels.map((label) => make("th", { scope: "row" }, label)), about.table[index].map((p) => make("td", { class: "number", style: `--p:${p}` }, fineShare(p))));
  };
  const add = (from, to) => { for (let i = from; i < to; i++) body.append(rowAt(i)); };
  const first = Math.min(FIRST_ROWS, about.table.length);
  add(0, first);
  const left = make("p", { class: "on-paper" }, `Here are ${whole(first)} of ${whole(about.table.length)} rows; the page has them all.`);
  const more = about.table.length > first && [make("button", { type: "button", class: "small", on: { click: (event) => { add(first, about.table.length); event.target.remove(); left.remove(); } } }, `Show all ${whole(about.table.length)} rows`), left];
  return [
    make("h4", {}, given.length ? `Probability of ${NAMES[node]} given its parents` : `Probability of ${NAMES[node]}`),
    make("p", { class: "soft" }, "In the network found, one member of its class."),
    make("div", { class: "cpt" }, scrolled(`Table of ${NAMES[node]}`, make("table", {}, make("thead", {}, make("tr", {}, given.map((name) => make("th", { scope: "col" }, name)), about.states.map((label) => make("th", { scope: "col", class: "number" }, label)))), body)), more || ""),
  ];
}
