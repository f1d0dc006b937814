// What was known before the search: in words, and marked in the drawing.

const KNOWN = DATA.knowledge;
const FEW_FORBIDDEN = 40; // as many are drawn at first

// Forbidden arcs that no edge lies on, opposite ones once: [a, b, both ways].
const FORBIDDEN = (() => {
  const found = new Map();
  for (const [a, b] of KNOWN ? KNOWN.forbidden : []) {
    const pair = pairOf(a, b);
    if (pair && pair.drawn) continue; // its arrow says as much
    const key = Math.min(a, b) * NAMES.length + Math.max(a, b);
    if (found.has(key)) found.get(key)[2] = true;
    else found.set(key, [a, b, false]);
  }
  return [...found.values()];
})();

// The forbidden arcs to draw, with their ways.
function forbiddenWays() {
  if (state.view !== "found" || !$("forbidden").checked) return [];
  const here = FORBIDDEN.filter(([a, b]) => graph.places.has(a) && graph.places.has(b));
  return here.map((arc) => [arc, forbiddenWay(arc)]);
}

// The way of a forbidden arc: the flattest bow that meets no other variable. Its points lie between
// the middles of its ends; the second is the middle of the bow.
function forbiddenWay([a, b]) {
  const [p, q] = [graph.places.get(a), graph.places.get(b)];
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
  const length = Math.hypot(dx, dy) || 1;
  const bow = (by) => [p, [(p[0] + q[0]) / 2 - (dy / length) * by, (p[1] + q[1]) / 2 + (dx / length) * by], q];
  const free = (way) => ![...graph.places].some(([node, [x, y]]) => node !== a && node !== b
    && between(way).some(([u, v]) => Math.abs(u - x) < nodeWidth(node) / 2 + 8 && Math.abs(v - y) < halfOf(node) + 8));
  const ways = [14, -14, 40, -40, 70, -70, 110, -110].map(bow);
  return ways.find(free) || ways[0];
}

// Points of a bow through three.
function between([p, m, q]) {
  return [0.15, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85].map((t) => [0, 1].map((i) => p[i] * (1 - t) * (1 - 2 * t) + m[i] * 4 * t * (1 - t) + q[i] * t * (2 * t - 1)));
}

// A dotted line with a cross in its middle.
function drawForbidden([a, b, both], way) {
  const middle = way[1];
  const points = [border(way[0], middle, a, 1), middle, border(way[2], middle, b, 2)];
  const [line, head] = both ? [points, null] : withHead(points, 1);
  const words = `${NAMES[a]} ${both ? "–" : "→"} ${NAMES[b]}: forbidden by ${KNOWN.by}`;
  return draw("g", { class: "forbidden", role: "img", "aria-label": words, "data-forbidden": `${a} ${b}` },
    draw("path", { class: "line", d: smooth(line) }), head && draw("path", { class: "head", d: head }), cross(middle), draw("title", {}, words));
}

// Where tiers are rows of the drawing: a line between each two, and a name at the left.
function drawTiers(left, right) {
  const rows = (KNOWN ? KNOWN.tiers : []).map((tier) => tier.map((node) => graph.places.get(node)[1])).filter((places) => places.length);
  const spans = rows.map((places) => [Math.min(...places), Math.max(...places)]);
  if (spans.length < 2 || spans.some(([top], i) => i && top <= spans[i - 1][1])) return [];
  return spans.flatMap(([top, end], i) => [
    i ? draw("path", { class: "tier-line", d: `M${left} ${((spans[i - 1][1] + top) / 2).toFixed(1)}H${right}` }) : "",
    draw("text", { class: "tier-name", x: left + 6, y: ((i ? (spans[i - 1][1] + top) / 2 : top - HALF - 18) + 13).toFixed(1) }, `Tier ${i + 1}`),
  ]).filter(Boolean);
}

const cross = ([x, y], size = 4.5) => draw("path", { class: "cross", d: `M${spot([x - size, y - size])}L${spot([x + size, y + size])}M${spot([x - size, y + size])}L${spot([x + size, y - size])}` });
const diamond = ([x, y], size = 5) => draw("path", { class: "diamond", d: `M${spot([x, y - size])}L${spot([x + size, y])}L${spot([x, y + size])}L${spot([x - size, y])}Z` });

// Samples for the key.
function knownKeys() {
  if (!KNOWN || state.view !== "found") return [];
  const sample = (...parts) => draw("svg", { width: 44, height: 14, "aria-hidden": "true" }, parts);
  const arrow = (...extra) => {
    const [line, head] = withHead([[1, 7], [42, 7]], 2);
    return draw("g", { class: "same hollow" }, draw("path", { class: "line", d: smooth(line) }), draw("path", { class: "head", d: head }), extra);
  };
  const keys = [];
  if (PAIRS.some((pair) => pair.drawn !== pair.found)) keys.push(make("span", { id: "key-hollow" }, sample(arrow()), `direction from ${KNOWN.by}`));
  if (PAIRS.some((pair) => pair.required)) keys.push(make("span", { id: "key-required" }, sample(draw("g", { class: "same" }, draw("path", { class: "line", d: "M1 7H43" }), diamond([22, 7]))), "required"));
  if (FORBIDDEN.length && $("forbidden").checked) keys.push(make("span", { id: "key-forbidden" }, sample(draw("g", { class: "forbidden" }, draw("path", { class: "line", d: "M1 7H43" }), cross([22, 7]))), "forbidden"));
  return keys;
}

// What knowledge says of an edge.
function knownOf(pair) {
  if (!pair.drawn || !KNOWN) return [];
  const said = [];
  if (pair.required) said.push(make("p", {}, KNOWN.by === "time" ? "The nearest past of a variable is always its parent." : "Your knowledge requires it."));
  if (pair.drawn !== pair.found) said.push(make("p", {}, `Its direction is from ${KNOWN.by}; the data cannot tell it.`));
  return said;
}

function showKnowledge() {
  $("knowledge").hidden = !KNOWN;
  $("forbidden-box").hidden = !FORBIDDEN.length;
  $("forbidden").checked = FORBIDDEN.length <= FEW_FORBIDDEN;
  if (!KNOWN) return;
  $("knowledge-parts").replaceChildren(...KNOWN.parts.flatMap(([title, words]) => [make("dt", {}, title), make("dd", {}, words)]));
  $("knowledge-given").textContent = KNOWN.given;
}
