// Beliefs in the drawing: each variable with bars of its states, or the density of its numbers; a click
// on a bar gives that state, and the drawing answers.

const beliefs = { on: false };
const MOST_BARS = 6; // of a variable; of one with more states, the rarest are told together
const MOST_BELIEFS = 80; // variables that are drawn so; of more, a neighborhood
const BAR_ROW = 13, NAME_ROW = 20, DENSITY = 30, BELIEF_WIDTH = 154, BELIEF_GAP = 46;

const hasBelief = (node) => beliefs.on && asked.how != null;
const nodeWidth = (node) => (hasBelief(node) ? Math.max(BELIEF_WIDTH, DATA.variables[node].width) : DATA.variables[node].width);
const halfOf = (node) => (hasBelief(node) ? (NAME_ROW + (isNumber(node) ? DENSITY + 16 : BAR_ROW * shownStates(node).length) + 4) / 2 : HALF);

// The states that get a bar, in their order; what is given always does.
function shownStates(node) {
  const codes = DATA.variables[node].states.map((_, code) => code);
  if (codes.length <= MOST_BARS) return codes;
  const before = asked.before.marginals[node];
  const first = new Set([...codes].sort((p, q) => (asked.given.get(node) === q) - (asked.given.get(node) === p) || before[q] - before[p] || p - q).slice(0, MOST_BARS - 1));
  return [...codes.filter((code) => first.has(code)), null];
}

// The whole drawing with room for bars: the same rows, and the same order in each.
function placesWithBeliefs(all) {
  const rows = new Map();
  const put = (y, item, x) => { if (!rows.has(y)) rows.set(y, []); rows.get(y).push([item, x]); };
  DATA.variables.forEach(({ at: [x, y] }, node) => put(y, node, x));
  for (const { pair } of all) pair.between.forEach(([x, y], i) => { if (rows.has(y)) put(y, `${pair.index}:${i}`, x); });
  const stretch = DATA.variables.reduce((sum, _, node) => sum + nodeWidth(node), 0) / DATA.variables.reduce((sum, { width }) => sum + width, 0);
  const spots = new Map(), levels = [];
  let y = 0, before = null;
  for (const [level, items] of [...rows].sort((p, q) => p[0] - q[0])) {
    const half = Math.max(...items.map(([item]) => (typeof item === "string" ? 0 : halfOf(item))));
    y += before == null ? 0 : before + half + BELIEF_GAP;
    before = half;
    levels.push([level, y]);
    items.sort((p, q) => p[1] - q[1]);
    const wish = new Map(items.map(([item, x]) => [item, x * stretch]));
    apart(items.map(([item]) => item), wish).forEach((x, i) => spots.set(items[i][0], [x, y]));
  }
  const places = new Map(DATA.variables.map((_, node) => [node, spots.get(node)]));
  const routes = new Map(all.map(({ pair }) => [pair, pair.between.map((_, i) => spots.get(`${pair.index}:${i}`)).filter(Boolean)]));
  return { places, routes };
}

// What stands in a node below its name.
function drawBelief(node, [x, y]) {
  const left = x - nodeWidth(node) / 2 + 7, across = nodeWidth(node) - 14, top = y - halfOf(node) + NAME_ROW;
  if (isNumber(node)) return drawNumberBelief(node, left, across, top);
  const [label, track] = [0.39 * across, 0.29 * across];
  const found = asked.now && asked.now.marginals[node], before = asked.before.marginals[node];
  const shown = shownStates(node), rest = DATA.variables[node].states.map((_, code) => code).filter((code) => !shown.includes(code));
  const total = (values, code) => (code == null ? rest.reduce((sum, one) => sum + values[one], 0) : values[code]);
  return shown.map((code, i) => {
    const p = found ? total(found, code) : null, was = total(before, code);
    const name = code == null ? `${rest.length} others` : DATA.variables[node].states[code];
    const words = `${NAMES[node]} = ${name}: ${p == null ? "nothing follows" : percent(p)}`;
    const at = top + BAR_ROW * i, start = left + label;
    return draw("g", { class: ["belief", asked.given.get(node) === code && code != null && "given"].filter(Boolean).join(" "), "data-belief": `${node} ${code ?? "rest"}`, "data-p": p == null ? "" : p.toPrecision(9),
      on: { click: (event) => { event.stopPropagation(); if (code == null) pick({ node }); else give(node, code); } } },
    draw("rect", { class: "belief-hit", x: left - 4, y: at, width: across + 8, height: BAR_ROW }),
    draw("text", { x: left, y: at + 9.5, class: "belief-words" }, [...name].length > 8 ? `${[...name].slice(0, 7).join("")}…` : name),
    draw("rect", { class: "belief-track", x: start, y: at + 2.5, width: track, height: 7.5, rx: 1.5 }),
    draw("rect", { class: "belief-bar", x: start, y: at + 2.5, width: (track * (p || 0)).toFixed(2), height: 7.5, rx: 1.5 }),
    asked.given.size ? draw("path", { class: "belief-was", d: `M${(start + track * was).toFixed(1)} ${at + 0.8}v11` }) : "",
    draw("text", { x: left + across, y: at + 9.5, "text-anchor": "end", class: "belief-words" }, p == null ? "–" : percent(p)),
    draw("title", {}, words));
  });
}

function drawNumberBelief(node, left, across, top) {
  const { range: [low, high] } = DATA.variables[node].numbers;
  const places = PLACES.map((part) => low + (high - low) * part);
  const found = asked.now && asked.now.numbers.get(node), given = asked.given.get(node);
  const was = densityAt(asked.before.numbers.get(node), places);
  const is = found && given == null && asked.given.size ? densityAt(found, places) : null;
  const most = Math.max(...was, ...(is || []), 1e-300);
  const course = (heights) => `M${left} ${top + DENSITY}L${heights.map((height, i) => `${(left + across * PLACES[i]).toFixed(1)} ${(top + DENSITY - (DENSITY - 2) * Math.min(1, height / most)).toFixed(1)}`).join("L")}L${left + across} ${top + DENSITY}Z`;
  const words = !found ? "nothing follows" : given != null ? `= ${figureWords(given, 6)}` : `${figureWords(found.mean, 4)} ± ${figureWords(found.sd)}`;
  const value = (event) => { const box = event.currentTarget.getBoundingClientRect(); return Number((low + (high - low) * (event.clientX - box.left) / box.width).toPrecision(3)); };
  return [draw("g", { class: "belief", "data-belief": `${node} number`, "data-p": found ? found.mean : "" },
    draw("path", { class: "belief-before", d: course(was) }), is ? draw("path", { class: "belief-now", d: course(is) }) : "",
    given == null ? "" : draw("path", { class: "belief-was", d: `M${(left + across * (given - low) / (high - low)).toFixed(1)} ${top}v${DENSITY}` }),
    draw("text", { x: left + across / 2, y: top + DENSITY + 12, "text-anchor": "middle", class: "belief-words" }, words),
    draw("rect", { class: "belief-hit", x: left, y: top, width: across, height: DENSITY, on: { click: (event) => { event.stopPropagation(); give(node, value(event)); } } }),
    draw("title", {}, `${NAMES[node]}: ${words}; click to give a value`))];
}

function setBeliefs(on) {
  beliefs.on = on;
  graph.fitted = true;
  if (on && !state.around && NAMES.length > MOST_BELIEFS) setAround(1, true);
  drawGraph();
  showDetails();
  showCounts();
  showLegend();
}

// What the bars mean, for the key.
function beliefKeys() {
  if (!beliefs.on) return [];
  const sample = draw("svg", { width: 44, height: 12, "aria-hidden": "true" }, draw("rect", { class: "belief-track", x: 1, y: 2, width: 42, height: 8 }), draw("rect", { class: "belief-bar", x: 1, y: 2, width: 26, height: 8 }), asked.given.size ? draw("path", { class: "belief-was", d: "M15 0v12" }) : "");
  return [make("span", {}, sample, asked.given.size ? "probability now; the mark: when nothing is given" : "probability of a state")];
}

function setUpBeliefs() {
  $("beliefs-box").hidden = !asked.how;
  $("beliefs").addEventListener("change", (event) => setBeliefs(event.target.checked));
}
