// The drawing of the network, and how to move in it.

const HALF = 13; // half the height of a node
const graph = { scale: null, size: [1, 1], places: new Map(), routes: new Map(), nodes: new Map(), drawn: [], here: null, fitted: true, more: 0 };

function drawGraph() {
  const svg = $("graph");
  const all = lines();
  if (onMap()) { drawMap(all); return; }
  const around = state.map != null || (state.around && state.node != null);
  if (around) {
    const near = state.map ? placeAmong(partAt(state.map), all) : placeNear(state.node, state.around, all);
    graph.places = near.places;
    graph.routes = near.routes;
    graph.drawn = near.drawn;
    graph.more = near.more;
  } else {
    const roomy = beliefs.on ? placesWithBeliefs(all) : null;
    graph.places = roomy ? roomy.places : new Map(DATA.variables.map((variable, i) => [i, variable.at]));
    graph.routes = roomy ? roomy.routes : new Map(all.map(({ pair }) => [pair, pair.between]));
    graph.drawn = all;
    graph.more = 0;
  }
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [node, [x, y]] of graph.places) {
    const half = nodeWidth(node) / 2;
    left = Math.min(left, x - half); right = Math.max(right, x + half);
    top = Math.min(top, y - halfOf(node)); bottom = Math.max(bottom, y + halfOf(node));
  }
  for (const { pair } of graph.drawn) for (const [x, y] of courseOf(pair).slice(1, -1)) {
    left = Math.min(left, x - 8); right = Math.max(right, x + 8);
    top = Math.min(top, y - 8); bottom = Math.max(bottom, y + 8);
  }
  const forbidden = forbiddenWays();
  for (const [, [, [x, y]]] of forbidden) {
    left = Math.min(left, x - 8); right = Math.max(right, x + 8);
    top = Math.min(top, y - 8); bottom = Math.max(bottom, y + 8);
  }
  const pad = 18;
  graph.size = [right - left + 2 * pad, bottom - top + 2 * pad];
  svg.setAttribute("viewBox", [left - pad, top - pad, ...graph.size].map((v) => v.toFixed(1)).join(" "));
  const picked = state.pair;
  const near = new Set();
  if (state.node != null) for (const { pair, mark } of graph.drawn) {
    if (mark === "missing") continue;
    if (pair.a === state.node) near.add(pair.b);
    if (pair.b === state.node) near.add(pair.a);
  }
  const some = state.node != null && (!around || state.map != null);
  const edges = draw("g", { class: "edges" });
  // Faint ones first, so that the others lie above.
  const order = { missing: 0, outside: 1, extra: 1, turned: 2, same: 3 };
  for (const line of [...graph.drawn].sort((p, q) => order[p.mark] - order[q.mark])) {
    const touches = line.pair.a === state.node || line.pair.b === state.node;
    edges.append(drawLine(line, { picked: line.pair === picked, faded: some && !touches }));
  }
  for (const [arc, way] of forbidden) edges.prepend(drawForbidden(arc, way));
  if (!around) edges.prepend(...drawTiers(left - pad, right + pad));
  const nodes = draw("g", { class: "nodes" });
  graph.nodes = new Map();
  for (const [node, [x, y]] of graph.places) {
    const width = nodeWidth(node);
    const box = draw("g", {
      class: ["node", node === state.node && "picked", near.has(node) && "near", some && !near.has(node) && node !== state.node && "faded"].filter(Boolean).join(" "),
      id: `node-${node}`, role: "button", "aria-label": NAMES[node], "data-node": node,
      on: { click: () => pick({ node }) },
    },
    draw("rect", { class: "frame", x: (x - width / 2).toFixed(1), y: y - halfOf(node), width: width.toFixed(1), height: 2 * halfOf(node), rx: 5 }),
    draw("text", { x: x.toFixed(1), y: hasBelief(node) ? y - halfOf(node) + 14 : y + 4, "text-anchor": "middle" }, short(NAMES[node])),
    hasBelief(node) ? drawBelief(node, [x, y]) : "",
    draw("title", {}, NAMES[node]));
    graph.nodes.set(node, box);
    nodes.append(box);
  }
  svg.replaceChildren(edges, nodes);
  tellPrinted("graph", graph.places.size, NAMES.length, "variable");
  markGiven();
  if (graph.fitted) fit();
  else resize(graph.scale);
  showHere(graph.places.has(graph.here) ? graph.here : null);
}

const thickness = (() => {
  const [thinnest, thickest] = DATA.thickness;
  const losses = PAIRS.map((pair) => (pair.arc && pair.change != null ? -pair.change : 0));
  const most = Math.max(1e-9, ...losses.slice(0, 50000));
  const full = ({ pair, mark, confidence, believed }) => {
    if (mark === "missing") return 1.4;
    const share = believed ?? confidence;
    if (share != null) return thinnest + (thickest - thinnest) * share;
    return pair.change == null ? 1.8 : 1.2 + 3.6 * Math.sqrt(Math.max(0, -pair.change) / most);
  };
  // Many lines are thinner ones.
  return (line) => full(line) * (graph.drawn.length > 90 ? 0.6 : 1);
})();

function drawLine(line, { picked, faded }) {
  const { pair, kind, mark } = line;
  const [start, end] = kind === BACK ? [pair.b, pair.a] : [pair.a, pair.b];
  let points = courseOf(pair);
  if (kind === BACK) points = points.reverse();
  const width = thickness(line);
  const directed = kind !== UNDIRECTED;
  const last = points.length - 1;
  points[0] = border(points[0], points[1], start, 1);
  points[last] = border(points[last], points[last - 1], end, 2);
  const group = draw("g", { class: ["edge", mark, line.hollow && "hollow", line.unsure && "unsure", picked && "picked", faded && "faded"].filter(Boolean).join(" "), "data-pair": pair.index, on: { click: () => pick({ pair }) } });
  let head = null, ends = [];
  if (line.ends) [points, ends] = drawHiddenEnds(points, width, line.ends);
  else if (directed) [points, head] = withHead(points, width, line.way);
  const path = smooth(points);
  const words = line.ends ? hiddenWords(pair) : edgeWords(pair, kind);
  group.append(
    draw("path", { class: "hit", d: path }),
    draw("path", { class: "line", d: path, "stroke-width": width.toFixed(2) }),
    head && draw("path", { class: "head", d: head, ...(line.way == null ? {} : { "fill-opacity": Math.max(0.12, 2 * line.way - 1).toFixed(2), "data-way": line.way.toFixed(3) }) }),
    ...ends,
    line.required ? diamond(halfway(points)) : "",
    draw("title", {}, lineWords(line, words)),
  );
  return group;
}

function lineWords(line, words) {
  if (line.believed != null) return `${words}   ${believedWord} ${share(line.believed)}${line.way == null ? "" : `, this way ${share(line.way)}`}`;
  return line.confidence == null ? words : `${words}   ${TRUST ? "agreement" : "confidence"} ${share(line.confidence)}`;
}

// The points of a line that ends where its head begins, and the path of that.
function withHead(points, width, way = null) {
  const last = points.length - 1;
  const [tip, before] = [points[last], points[last - 1]];
  const length = Math.hypot(tip[0] - before[0], tip[1] - before[1]) || 1;
  const [dx, dy] = [(tip[0] - before[0]) / length, (tip[1] - before[1]) / length];
  const weight = way == null ? 1 : 0.75 + 0.4 * way; // of the head, by its direction's probability
  const long = (6.5 + 1.5 * width) * weight, wide = (2.8 + 0.85 * width) * weight;
  const base = [tip[0] - dx * long, tip[1] - dy * long];
  const corners = [tip, [base[0] - dy * wide, base[1] + dx * wide], [base[0] + dy * wide, base[1] - dx * wide]];
  return [[...points.slice(0, last), base], `M${corners.map(spot).join("L")}Z`];
}

// A point about half way along a line.
function halfway(points) {
  const at = (points.length - 1) / 2;
  const [p, q] = [points[Math.floor(at)], points[Math.ceil(at)]];
  return [(p[0] + q[0]) / 2, (p[1] + q[1]) / 2];
}

const spot = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;

// The points of a line, from the middle of one node to that of the other.
function courseOf(pair) {
  const points = [graph.places.get(pair.a), ...graph.routes.get(pair), graph.places.get(pair.b)];
  return points.length === 2 ? bowed(points) : points;
}

// A line between neighbors in rows goes straight; over other rows, or along its own, it bends.
function bowed([start, end]) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const rows = Math.abs(dy) / (beliefs.on ? 2 * ROW : ROW);
  if (rows > 0.4 && rows < 1.3) return [start, end];
  const length = Math.hypot(dx, dy) || 1;
  const bow = Math.min(60, 14 + 0.1 * length);
  const side = dy === 0 ? -Math.sign(dx || 1) : Math.sign(dx || 1);
  return [start, [(start[0] + end[0]) / 2 + side * (dy / length) * bow, (start[1] + end[1]) / 2 - Math.abs(dx / length) * bow], end];
}

// Where the way from a node's middle to a point leaves the node.
function border(middle, point, node, gap) {
  const [dx, dy] = [point[0] - middle[0], point[1] - middle[1]];
  const [w, h] = [nodeWidth(node) / 2 + gap, halfOf(node) + gap];
  const by = Math.min(dx ? w / Math.abs(dx) : Infinity, dy ? h / Math.abs(dy) : Infinity, 1);
  return [middle[0] + dx * by, middle[1] + dy * by];
}

// Catmull and Rom's curve through points.
function smooth(points) {
  let path = `M${spot(points[0])}`;
  for (let i = 0; i + 1 < points.length; i++) {
    const [p, q] = [points[i], points[i + 1]];
    const [o, r] = [points[i - 1] || p, points[i + 2] || q];
    if (points.length === 2) path += `L${spot(q)}`;
    else path += `C${spot([p[0] + (q[0] - o[0]) / 6, p[1] + (q[1] - o[1]) / 6])} ${spot([q[0] - (r[0] - p[0]) / 6, q[1] - (r[1] - p[1]) / 6])} ${spot(q)}`;
  }
  return path;
}

function resize(scale) {
  const svg = $("graph");
  graph.scale = Math.max(0.04, Math.min(3, scale));
  svg.setAttribute("width", Math.round(graph.size[0] * graph.scale));
  svg.setAttribute("height", Math.round(graph.size[1] * graph.scale));
  svg.classList.toggle("tiny", graph.scale < 0.42);
}

function fit() {
  const canvas = $("canvas");
  const across = (canvas.clientWidth - 4) / graph.size[0];
  const down = Math.max(360, innerHeight * 0.8) / graph.size[1];
  // At first a small graph stays readable, if need be by scrolling; Fit shows all of it.
  const least = onMap() || graph.places.size > 150 ? 0 : beliefs.on ? 0.8 : 0.62;
  resize(graph.fitted === "all" ? Math.min(1.15, across, down) : Math.min(1.15, Math.max(least, Math.min(across, down))));
  canvas.scrollLeft = (canvas.scrollWidth - canvas.clientWidth) / 2;
}

function zoom(by) {
  const canvas = $("canvas");
  const before = graph.scale;
  const at = [(canvas.scrollLeft + canvas.clientWidth / 2) / before, (canvas.scrollTop + canvas.clientHeight / 2) / before];
  graph.fitted = false;
  resize(before * by);
  canvas.scrollLeft = at[0] * graph.scale - canvas.clientWidth / 2;
  canvas.scrollTop = at[1] * graph.scale - canvas.clientHeight / 2;
}

// Scroll the drawing, never the page, so that a node can be seen.
function reveal(node) {
  const box = graph.nodes.get(node);
  const canvas = $("canvas");
  if (!box) return;
  const [a, b] = [box.getBoundingClientRect(), canvas.getBoundingClientRect()];
  if (a.left < b.left || a.right > b.right) canvas.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
  if (a.top < b.top || a.bottom > b.bottom) canvas.scrollTop += (a.top + a.bottom - b.top - b.bottom) / 2;
}

function showHere(node) {
  graph.nodes.get(graph.here)?.classList.remove("here");
  graph.here = node;
  const svg = $("graph");
  if (node == null) { svg.removeAttribute("aria-activedescendant"); return; }
  graph.nodes.get(node)?.classList.add("here");
  svg.setAttribute("aria-activedescendant", `node-${node}`);
  reveal(node);
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onGraphKey(event) {
  const way = ARROWS[event.key];
  if (way && !event.ctrlKey && !event.altKey && !event.metaKey) {
    showHere(nextNode(way));
  } else if ((event.key === "Enter" || event.key === " ") && graph.here != null) {
    if (onMap()) openMap([...state.map, graph.here]);
    else pick({ node: graph.here });
  } else if ((event.key === "e" || event.key === "E") && !event.ctrlKey && !event.metaKey) {
    nextEdge();
  } else if (asked.how && graph.here != null && !onMap() && !isNumber(graph.here) && DATA.variables[graph.here].states[Number(event.key) - 1] != null) {
    give(graph.here, Number(event.key) - 1);
  } else if (event.key === "Escape") {
    if (state.map?.length && state.node == null && state.pair == null) openMap(state.map.slice(0, -1));
    else pick({});
  } else if (event.key === "+" || event.key === "-") {
    zoom(event.key === "+" ? 1.25 : 0.8);
  } else return;
  event.preventDefault();
}

function nextNode([wx, wy]) {
  const from = graph.here ?? state.node;
  if (from == null || !graph.places.has(from)) {
    return [...graph.places].sort((p, q) => p[1][1] - q[1][1] || p[1][0] - q[1][0])[0][0];
  }
  const [x, y] = graph.places.get(from);
  let best = from, least = Infinity;
  for (const [node, [nx, ny]] of graph.places) {
    const along = (nx - x) * wx + (ny - y) * wy;
    const aside = Math.abs((nx - x) * wy + (ny - y) * wx);
    if (node === from || along <= 1 || (wx && aside > ROW / 2)) continue;
    const far = wx ? along : along * 2 + aside;
    if (far < least) [best, least] = [node, far];
  }
  return best;
}

function nextEdge() {
  const node = state.pair && graph.edgesOf != null ? graph.edgesOf : graph.here ?? state.node;
  if (node == null) return;
  const own = graph.drawn.filter(({ pair }) => pair.a === node || pair.b === node).map(({ pair }) => pair);
  if (!own.length) return;
  const at = own.indexOf(state.pair);
  pick({ pair: own[(at + 1) % own.length] });
  graph.edgesOf = node;
}

// The drawing with its key and its style, by itself.
function pictureOfGraph() {
  const root = document.documentElement, theme = root.dataset.theme;
  root.dataset.theme = "light"; // as paper is
  const copy = $("graph").cloneNode(true);
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  let rules = `text{font:12px sans-serif;fill:${value("--ink")}}.node rect{fill:${value("--node")};stroke:${value("--node-line")}}.line{fill:none}.hit{display:none}.faded{opacity:.28}`;
  for (const [mark, dashes] of [["same", "none"], ["extra", "7 4"], ["turned", "12 3 2 3"], ["missing", "2 4"]]) {
    rules += `.${mark} .line{stroke:${value(`--${mark}`)};stroke-dasharray:${dashes}}.${mark} .head{fill:${value(`--${mark}`)}}`;
  }
  rules += `.hollow .head{fill:${value("--page")};stroke:${value("--same")};stroke-width:1.5}.diamond{fill:${value("--page")};stroke:${value("--same")};stroke-width:1.8}.forbidden .line,.cross{fill:none;stroke:${value("--extra")}}.forbidden .line{stroke-dasharray:1 4}.cross{stroke-width:2}.forbidden .head{fill:${value("--extra")}}`;
  rules += `.between .line{stroke-opacity:.45}.size{fill:${value("--soft")}}.outside .line{stroke:${value("--outside")};stroke-dasharray:6 3 1 3}.outside .head{fill:${value("--outside")}}.unsure .line{stroke-dasharray:5 4}.ring{fill:${value("--page")};stroke:${value("--same")};stroke-width:1.6}`;
  const plain = (name, rule) => `.${name},.node rect.${name}{stroke:none;${rule}}`;
  rules += `.belief text{font-size:9.5px}${plain("belief-track", `fill:${value("--line")}`)}${plain("belief-bar", `fill:${value("--bar-strong")}`)}${plain("belief-hit", "fill:none")}.belief-was{stroke:${value("--mark")};stroke-width:1.6}.belief-before{fill:${value("--line")}}.belief-now{fill:${value("--bar-strong")};fill-opacity:.6}.given .frame{stroke:${value("--pick-line")};stroke-width:2.6}.tier-line{stroke:${value("--line")};stroke-dasharray:6 5}`;
  copy.prepend(draw("style", {}, rules));
  addLegend(copy);
  copy.setAttribute("xmlns", SVG);
  for (const name of ["role", "aria-roledescription", "aria-label", "tabindex", "focusable", "aria-activedescendant"]) copy.removeAttribute(name);
  if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
  return copy;
}

const savePicture = () => saveFile("network.svg", "image/svg+xml", new XMLSerializer().serializeToString(pictureOfGraph()));

// The key, below the drawing, so that a saved picture tells what its lines mean.
function addLegend(svg) {
  const words = [...$("legend").children].map((child) => child.textContent);
  const [left, top, across, down] = svg.getAttribute("viewBox").split(" ").map(Number);
  const room = 18 * words.length + 10;
  svg.append(draw("g", { class: "key" }, words.map((said, i) => [...$("legend").children[i].querySelectorAll("svg")].map((sample, at) => {
    const copy = sample.cloneNode(true);
    copy.setAttribute("x", left + 12 + 42 * at); copy.setAttribute("y", top + down + 4 + 18 * i);
    return copy;
  }).concat(draw("text", { x: left + 104, y: top + down + 14 + 18 * i }, said)))));
  svg.setAttribute("viewBox", [left, top, Math.max(across, 420), down + room].join(" "));
  svg.setAttribute("width", Math.max(across, 420)); svg.setAttribute("height", down + room);
}

function listenToGraph() {
  const canvas = $("canvas");
  $("graph").addEventListener("keydown", onGraphKey);
  $("zoom-in").addEventListener("click", () => zoom(1.25));
  $("zoom-out").addEventListener("click", () => zoom(0.8));
  $("zoom-fit").addEventListener("click", () => { graph.fitted = "all"; fit(); });
  $("save-svg").addEventListener("click", savePicture);
  $("save-pdf").addEventListener("click", () => savePdf(pictureOfGraph(), "network.pdf"));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12);
  }, { passive: false });
  let held = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button === 0 && !event.target.closest(".node, .edge")) {
      held = [event.clientX, event.clientY, canvas.scrollLeft, canvas.scrollTop];
      canvas.classList.add("held");
    }
  });
  addEventListener("pointermove", (event) => {
    if (!held) return;
    canvas.scrollLeft = held[2] + held[0] - event.clientX;
    canvas.scrollTop = held[3] + held[1] - event.clientY;
  });
  addEventListener("pointerup", () => { held = null; canvas.classList.remove("held"); });
  let waiting = 0;
  addEventListener("resize", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(() => graph.fitted && fit());
  });
}
