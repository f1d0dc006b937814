// The tables of edges and of optima.

const FIRST_EDGES = 100, FIRST_OPTIMA = 20, MOST_CHANGES = innerWidth < 640 ? 4 : 12;
const listed = { edges: FIRST_EDGES, optima: FIRST_OPTIMA, sort: TRUST ? "believed" : MODELS ? "strength" : "change", down: true };

// Rows as R bnlearn's users know them: from the likelier start to the likelier end.
const EDGE_ROWS = PAIRS.map((pair) => {
  if (pair.trust) return { pair, from: pair.trust.from, to: pair.trust.to, trust: pair.trust, strength: pair.strength, direction: null, confidence: null };
  if (!pair.shares || !pair.strength) {
    const [from, to] = (pair.drawn || pair.truth) === BACK ? [pair.b, pair.a] : [pair.a, pair.b];
    return { pair, from, to, strength: pair.strength, direction: null, confidence: pair.shares ? 0 : null };
  }
  const [from, to, direction] = strongDirection(pair);
  return { pair, from, to, strength: pair.strength, direction, confidence: pair.found ? pair.shares[pair.found - 1] : null };
});

const COLUMNS = [
  { key: "from", title: "from", value: (row) => NAMES[row.from], cell: (row) => nodeButton(row.from) },
  { key: "to", title: "to", value: (row) => NAMES[row.to], cell: (row) => nodeButton(row.to) },
  { key: "believed", title: believedWord, number: true, needs: "trust", value: (row) => row.trust ? believed(row.trust) : null, words: fineShare },
  { key: "lower", title: "lower", number: true, needs: "probability", value: (row) => row.trust?.lower, words: fineShare },
  { key: "upper", title: "upper", number: true, needs: "probability", value: (row) => row.trust?.upper, words: fineShare },
  { key: "least", title: "least by other choices", number: true, needs: "choices", value: (row) => row.trust?.least, words: fineShare },
  { key: "most", title: "most by these", number: true, needs: "choices", value: (row) => row.trust?.most, words: fineShare },
  { key: "way", title: "direction", number: true, needs: "probability", value: (row) => row.trust?.direction, words: fineShare },
  { key: "stable", title: "stability", number: true, needs: "stability", value: (row) => row.trust?.stability, words: fineShare },
  { key: "agreed", title: "agreement", number: true, needs: "agreement", value: (row) => row.trust?.agreement, words: fineShare },
  { key: "verdict", title: "in words", needs: "trust", value: (row) => row.trust?.verdict ?? "", cell: (row) => make("span", { class: "whole", title: row.trust?.reason ? loweredWords(row.trust) : null }, row.trust?.verdict ?? "", row.trust?.reason ? ` (${row.trust.reason})` : "") },
  { key: "strength", title: "strength", number: true, needs: "models", value: (row) => row.strength, words: fineShare },
  { key: "direction", title: "direction", number: true, needs: "models", value: (row) => row.direction, words: fineShare },
  { key: "found", title: "in the network", value: (row) => (row.pair.drawn ? edgeWords(row.pair, row.pair.drawn) : ""), cell: (row) => edgeButton(row) },
  { key: "known", title: "knowledge", needs: "knowledge", value: (row) => knownWords(row.pair), words: (v) => v },
  { key: "confidence", title: "confidence", number: true, needs: "models", value: (row) => row.confidence, words: fineShare },
  { key: "change", title: "score change without it", number: true, needs: "change", value: (row) => row.pair.change == null ? null : row.pair.arc ? -row.pair.change : -Infinity, cell: (row) => (row.pair.change == null || !row.pair.arc ? "" : fixed(row.pair.change, 2)) },
  { key: "truth", title: `in ${DATA.truth}`, needs: "truth", value: (row) => (row.pair.truth ? edgeWords(row.pair, row.pair.truth) : ""), cell: (row) => arrow(row, row.pair.truth) },
].filter(({ needs }) => !needs || (needs === "trust" && TRUST) || (needs === "probability" && TRUST && TRUST.claim) || (needs === "choices" && TRUST && TRUST.choices) || (needs === "stability" && TRUST && TRUST.claim && TRUST.stability) || (needs === "agreement" && TRUST && MODELS && MODELS.kind === "optima") || (needs === "models" && MODELS && !TRUST) || (needs === "truth" && DATA.truth) || (needs === "knowledge" && KNOWN) || (needs === "change" && PAIRS.some((pair) => pair.change != null)));
if (!COLUMNS.some(({ key }) => key === listed.sort)) listed.sort = "from";
if (listed.sort === "from") listed.down = false;

// What knowledge had to do with the edge.
function knownWords(pair) {
  return [pair.required && "required", pair.drawn !== pair.found && "direction"].filter(Boolean).join(", ");
}

// The edge as seen from the first of the row to the second.
function arrow(row, kind) {
  if (kind === NONE) return "no edge";
  if (kind === UNDIRECTED) return "– undirected";
  return (kind === FORTH) === (row.from === row.pair.a) ? "→ from to" : "← to from";
}

function edgeButton(row) {
  const words = `The edge ${edgeWords(row.pair, row.pair.drawn || UNDIRECTED)}`;
  return make("button", { type: "button", class: "link", title: words, "aria-label": words, on: { click: () => pick({ pair: row.pair }) } }, arrow(row, row.pair.drawn));
}

function compare(p, q) {
  if (typeof p === "string") return p.localeCompare(q, "en", { numeric: true });
  return (p ?? -Infinity) === (q ?? -Infinity) ? 0 : (p ?? -Infinity) < (q ?? -Infinity) ? -1 : 1;
}

function edgeRows() {
  const wanted = $("edges-filter").value.trim().toLowerCase();
  const drawn = $("edges-shown").checked ? viewEdges() : null;
  const column = COLUMNS.find(({ key }) => key === listed.sort);
  const rows = EDGE_ROWS.filter((row) => (!drawn || drawn.has(row.pair)) && (!wanted || NAMES[row.from].toLowerCase().includes(wanted) || NAMES[row.to].toLowerCase().includes(wanted)));
  const order = listed.down ? -1 : 1;
  return rows.sort((p, q) => order * compare(column.value(p), column.value(q)) || p.pair.index - q.pair.index);
}

function showEdges() {
  const rows = edgeRows();
  const some = rows.slice(0, listed.edges);
  const head = make("thead", {}, make("tr", {}, COLUMNS.map(({ key, title, number }) => make("th", { scope: "col", class: number ? "number" : "", "aria-sort": listed.sort === key ? (listed.down ? "descending" : "ascending") : "none" },
    make("button", { type: "button", "data-sort": key, on: { click: () => { listed.down = listed.sort === key ? !listed.down : Boolean(number); listed.sort = key; showEdges(); $("edges-table").querySelector(`[data-sort="${key}"]`).focus(); } } }, `${title}${listed.sort === key ? (listed.down ? " ▾" : " ▴") : ""}`)))));
  const body = make("tbody", {}, some.map((row) => make("tr", { class: row.pair === state.pair ? "picked" : "" }, COLUMNS.map((column) => {
    const value = column.value(row);
    const content = column.cell ? column.cell(row) : value == null ? "" : column.words(value);
    return make("td", { class: column.number ? "number" : "name" }, content);
  }))));
  $("edges-table").replaceChildren(make("caption", { hidden: true }, "Edges"), head, body);
  const more = $("edges-more");
  more.hidden = some.length === rows.length;
  more.textContent = `Show more: ${whole(some.length)} of ${many(rows.length, "pair")} are listed`;
  tellPrinted("edges", some.length, EDGE_ROWS.length, "pair");
}

// A name that a spreadsheet would take for a formula gets an apostrophe, as in every file that is written.
function guarded(value) {
  const cell = value.replace(/^'+/, "");
  const number = /^[+-](?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
  return cell.length > 1 && /^[=+\-@\t\r\n＝＋－＠]/.test(cell) && !number.test(cell) ? `'${value}` : value;
}

function saveEdges() {
  const quoted = (value) => (/[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  if (TRUST) { saveTrust(quoted); return; }
  const rows = MODELS ? [["from", "to", "strength", "direction"]] : [["from", "to", "kind"]];
  for (const row of edgeRows()) {
    const [from, to] = [NAMES[row.from], NAMES[row.to]];
    if (!MODELS) rows.push([from, to, row.pair.drawn === UNDIRECTED ? "undirected" : "directed"]);
    else if (row.direction != null) rows.push([from, to, row.strength, row.direction], [to, from, row.strength, 1 - row.direction]);
  }
  saveFile("edges.csv", "text/csv", rows.map((row) => row.map((value) => quoted(guarded(String(value)))).join(",")).join("\n") + "\n");
}

// The same columns and digits as edges.csv in the folder of dagscape learn.
function saveTrust(quoted) {
  const columns = ["from", "to", "probability", "lower", "upper", "error", "resampled", "plain", "direction", "stability", "stability_direction", "agreement", "agreement_direction", "in_network", "in_consensus", "loss", "chance", "chance_given", "least", "most", "least_by", "verdict", "reason"];
  const rows = edgeRows().filter((row) => row.trust).map(({ trust }) => columns.map((name) => name === "from" || name === "to" ? NAMES[trust[name]] : trust[name] == null ? "" : String(trust[name])));
  saveFile("edges.csv", "text/csv", [columns, ...rows].map((row) => row.map((value) => quoted(guarded(value))).join(",")).join("\n") + "\n");
}

function optimumChanges(number) {
  const changes = MODELS.differences[number];
  if (!changes) return "not listed";
  if (!changes.length) return "the network found";
  const words = changes.slice(0, MOST_CHANGES).map(([a, b, before, now]) => {
    const pair = { a, b };
    if (!before) return make("span", { class: "added", title: "only here" }, edgeWords(pair, now));
    if (!now) return make("span", { class: "lost", title: "only in the network found" }, edgeWords(pair, before));
    return make("span", { class: "other", title: `in the network found: ${edgeWords(pair, before)}` }, edgeWords(pair, now));
  });
  if (changes.length > MOST_CHANGES) words.push(make("span", { class: "soft" }, `and ${changes.length - MOST_CHANGES} more`));
  return make("div", { class: "changes" }, words);
}

function showOptima() {
  const { scores, visits, differences } = MODELS;
  const same = DATA.result.score_name === MODELS.score_name && DATA.result.score != null;
  const below = same ? { title: "below the network found", score: DATA.result.score } : { title: "below the best", score: scores[0] };
  const some = Math.min(listed.optima, scores.length);
  const head = make("thead", {}, make("tr", {}, ["#", "score", below.title, "visits", "differences"].map((title) => make("th", { scope: "col", class: "number" }, title)), make("th", { scope: "col" }, "differs from the network found in")));
  const body = make("tbody");
  for (let i = 0; i < some; i++) {
    body.append(make("tr", { class: state.view === String(i) ? "picked" : "" },
      make("td", { class: "number" }, differences[i] ? make("button", { type: "button", class: "link", "aria-label": `Draw number ${i + 1}`, title: "Draw it", on: { click: () => { setView(String(i)); $("network").scrollIntoView(); } } }, `${i + 1}`) : `${i + 1}`),
      make("td", { class: "number" }, fixed(scores[i], 2)),
      make("td", { class: "number" }, fixed(below.score - scores[i] || 0, 2)),
      make("td", { class: "number" }, whole(visits[i])),
      make("td", { class: "number" }, differences[i] ? whole(differences[i].length) : ""),
      make("td", {}, optimumChanges(i))));
  }
  $("optima-table").replaceChildren(head, body);
  const more = $("optima-more");
  more.hidden = some === scores.length;
  more.textContent = `Show more: ${whole(some)} of ${whole(scores.length)} are listed`;
  tellPrinted("optima", some, scores.length, "network");
}

function listenToTables() {
  $("edges-filter").addEventListener("input", () => { listed.edges = FIRST_EDGES; showEdges(); });
  $("edges-shown").addEventListener("change", showEdges);
  $("edges-more").addEventListener("click", () => { listed.edges += 500; showEdges(); });
  $("edges-csv").addEventListener("click", saveEdges);
  $("optima-more").addEventListener("click", () => { listed.optima += 200; showOptima(); });
}
