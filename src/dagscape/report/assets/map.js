// The map of a large network: clusters of variables with many edges among them, which open into smaller ones and, in the end,
// into their variables.

const MAP = DATA.clusters;
const HAS_WHOLE = NAMES.length > 0 && DATA.variables[0].at != null; // whether the whole graph is laid out
const IDEAL = 110, STEPS = 400; // of the map: how far joined clusters lie apart, and steps until they stay
const isLeaf = (part) => typeof part[0] === "number";
const membersOf = (part) => part.flatMap((one) => (typeof one === "number" ? [one] : membersOf(one)));
const partAt = (path) => path.reduce((part, at) => part[at], MAP);
const onMap = () => state.map != null && !isLeaf(partAt(state.map));

function openMap(path) {
  state.map = path;
  [state.around, state.node, state.pair] = [0, null, null];
  $("around").value = "map";
  graph.fitted = true;
  graph.here = null;
  drawGraph();
  showCounts();
  showLegend();
  showDetails();
}

// A cluster is called by the variable of most edges in it.
function callOf(part) {
  const own = membersOf(part);
  return own.reduce((best, node) => (degreeOf(node) > degreeOf(best) ? node : best), own[0]);
}
let degrees = null;
function degreeOf(node) {
  if (!degrees) {
    degrees = NAMES.map(() => 0);
    for (const pair of PAIRS) if (pair.drawn) { degrees[pair.a] += 1; degrees[pair.b] += 1; }
  }
  return degrees[node];
}

// Lines between parts, and those that lead out of all of them.
function linesBetween(parts, all) {
  const at = new Map(parts.flatMap((part, i) => membersOf(part).map((node) => [node, i])));
  const between = new Map();
  let out = 0;
  for (const { pair, mark } of all) {
    if (mark === "missing") continue;
    const [i, j] = [at.get(pair.a), at.get(pair.b)];
    if ((i == null) !== (j == null)) out += 1;
    if (i == null || j == null || i === j) continue;
    const key = Math.min(i, j) * parts.length + Math.max(i, j);
    between.set(key, (between.get(key) || 0) + 1);
  }
  return { between: [...between].map(([key, count]) => [Math.floor(key / parts.length), key % parts.length, count]), out };
}

const radiusOf = (part) => 20 + 1.5 * Math.sqrt(membersOf(part).length);

// Places of parts: joined ones attract, all push each other away (Fruchterman and Reingold 1991), from a spiral on, so that
// the same network always looks the same. Those that nothing joins stand in rows below.
function placeParts(radii, between) {
  const joined = new Set(between.flatMap(([i, j]) => [i, j]));
  const own = radii.map((_, i) => i).filter((i) => joined.has(i));
  const spots = radii.map(() => [0, 0]);
  own.forEach((i, at) => { const [far, turn] = [IDEAL * 0.55 * Math.sqrt(at + 0.5), 2.399963 * at]; spots[i] = [1.6 * far * Math.cos(turn), far * Math.sin(turn)]; });
  for (let step = 0; step < STEPS; step++) {
    const push = new Map(own.map((i) => [i, [-0.02 * spots[i][0], -0.04 * spots[i][1]]]));
    const add = (i, j, by) => {
      const [dx, dy] = [spots[i][0] - spots[j][0], spots[i][1] - spots[j][1]];
      const far = Math.hypot(dx, dy) || 0.1, force = by(far) / far, [p, q] = [push.get(i), push.get(j)];
      p[0] += dx * force; p[1] += dy * force; q[0] -= dx * force; q[1] -= dy * force;
    };
    own.forEach((i, at) => { for (const j of own.slice(0, at)) add(i, j, (far) => Math.min(60, IDEAL * IDEAL / Math.max(20, far - (radii[i] + radii[j]) / 2) / 20)); });
    for (const [i, j, count] of between) add(i, j, (far) => -Math.min(40, far * far / IDEAL / 30 * Math.log2(1 + count)));
    const most = 30 * (1 - step / STEPS) + 0.5;
    for (const i of own) { const [px, py] = push.get(i), by = Math.min(1, most / (Math.hypot(px, py) || 1)); spots[i][0] += px * by; spots[i][1] += py * by; }
  }
  for (let step = 0; step < 200; step++) own.forEach((i, at) => {
    for (const j of own.slice(0, at)) {
      const [dx, dy] = [spots[i][0] - spots[j][0] || 0.1, spots[i][1] - spots[j][1]];
      const far = Math.hypot(dx, dy), lack = radii[i] + radii[j] + 24 - far;
      if (lack <= 0) continue;
      for (const [at_, sign] of [[spots[i], 0.5], [spots[j], -0.5]]) { at_[0] += sign * lack * dx / far; at_[1] += sign * lack * dy / far; }
    }
  });
  const extent = (axis, sign) => own.reduce((most, i) => Math.max(most, sign * spots[i][axis] + radii[i]), own.length ? -Infinity : 0);
  const wide = Math.max(extent(0, 1) + extent(0, -1), 900), first = own.length ? -extent(0, -1) : 0;
  let [x, y, high] = [first, extent(1, 1) + (own.length ? 40 : 0), 0];
  radii.forEach((r, i) => {
    if (joined.has(i)) return;
    if (x > first && x + 2 * r > first + wide) { x = first; y += high + 18; high = 0; }
    spots[i] = [x + r, y + r];
    x += 2 * r + 18;
    high = Math.max(high, 2 * r);
  });
  return spots;
}

function drawMap(all) {
  const parts = partAt(state.map);
  const { between } = linesBetween(parts, all);
  const radii = parts.map(radiusOf);
  const spots = placeParts(radii, between);
  graph.places = new Map(spots.map((at, i) => [i, at]));
  [graph.routes, graph.drawn, graph.more] = [new Map(), [], 0];
  const pad = 30;
  const [left, right] = [Math.min(...spots.map(([x], i) => x - radii[i])) - pad, Math.max(...spots.map(([x], i) => x + radii[i])) + pad];
  const [top, bottom] = [Math.min(...spots.map(([, y], i) => y - radii[i])) - pad, Math.max(...spots.map(([, y], i) => y + radii[i])) + pad];
  graph.size = [right - left, bottom - top];
  const svg = $("graph");
  svg.setAttribute("viewBox", [left, top, ...graph.size].map((v) => v.toFixed(1)).join(" "));
  const edges = draw("g", { class: "edges" }, between.map(([i, j, count]) => draw("g", { class: "edge same between" },
    draw("path", { class: "line", d: `M${spot(spots[i])}L${spot(spots[j])}`, "stroke-width": Math.min(9, 0.8 + 0.8 * Math.sqrt(count)).toFixed(2) }),
    draw("title", {}, `${many(count, "edge")} between them`))));
  graph.nodes = new Map();
  const nodes = draw("g", { class: "nodes" }, parts.map((part, i) => {
    const [[x, y], r, count] = [spots[i], radii[i], membersOf(part).length];
    const loose = !isLeaf(part) && !linesBetween(part, all).between.length;
    const name = loose ? "small parts" : short(NAMES[callOf(part)]);
    const box = draw("g", { class: "node cluster", id: `node-${i}`, role: "button", "aria-label": `${many(count, "variable")}: ${loose ? name : NAMES[callOf(part)]}`, on: { click: () => openMap([...state.map, i]) } },
      draw("rect", { class: "frame", x: (x - r).toFixed(1), y: (y - r).toFixed(1), width: (2 * r).toFixed(1), height: (2 * r).toFixed(1), rx: r.toFixed(1) }),
      draw("text", { x: x.toFixed(1), y: (y - 2).toFixed(1), "text-anchor": "middle" }, name),
      draw("text", { class: "size", x: x.toFixed(1), y: (y + 13).toFixed(1), "text-anchor": "middle" }, whole(count)),
      draw("title", {}, loose ? `${many(count, "variable")} in parts that no edge joins` : `${many(count, "variable")}, most edges: ${NAMES[callOf(part)]}`));
    graph.nodes.set(i, box);
    return box;
  }));
  svg.replaceChildren(edges, nodes);
  $("graph-printed").textContent = "";
  if (graph.fitted) fit();
  else resize(graph.scale);
  showHere(graph.places.has(graph.here) ? graph.here : null);
}

// The variables of a cluster: rows as in a neighborhood, from the variable of most edges on.
function placeAmong(nodes, drawn) {
  const own = new Set(nodes);
  const inside = drawn.filter(({ pair, mark }) => mark !== "missing" && own.has(pair.a) && own.has(pair.b));
  const near = new Map(nodes.map((node) => [node, []]));
  for (const { pair, kind } of inside) {
    const [there, back] = kind === UNDIRECTED ? [1, 1] : kind === FORTH ? [1, -1] : [-1, 1];
    near.get(pair.a).push([pair.b, there]);
    near.get(pair.b).push([pair.a, back]);
  }
  const level = new Map();
  for (const start of [...nodes].sort((p, q) => near.get(q).length - near.get(p).length || p - q)) {
    if (level.has(start)) continue;
    level.set(start, 0);
    const border = [start];
    for (const node of border) for (const [other, by] of near.get(node)) if (!level.has(other)) {
      level.set(other, level.get(node) + by);
      border.push(other);
    }
  }
  return { ...placeLevels(level, drawn), more: 0 };
}

// What is drawn, and the way back to larger parts.
function mapWords() {
  const part = partAt(state.map);
  const back = state.map.map((_, depth) => make("button", { type: "button", class: "link", on: { click: () => openMap(state.map.slice(0, depth)) } }, depth ? `cluster of ${NAMES[callOf(partAt(state.map.slice(0, depth)))]}` : "the map"));
  const { out } = isLeaf(part) ? linesBetween([part], lines()) : { out: 0 };
  const alone = NAMES.length - membersOf(MAP).length;
  const words = isLeaf(part)
    ? ` Drawn is a cluster of ${many(part.length, "variable")}; ${many(out, "edge")} ${out === 1 ? "leads" : "lead"} out of it.`
    : ` Drawn are ${many(part.length, "cluster")} of variables with many edges among them, each called by the one with most. A click opens one.${state.map.length || !alone ? "" : ` ${many(alone, "variable")} ${alone === 1 ? "has" : "have"} no edge.`}`;
  const ways = back.length ? [" ", make("span", { class: "on-screen" }, "Back to ", back.flatMap((button, i) => (i ? [", ", button] : [button])), ".")] : [];
  return [make("span", { class: "soft" }, words), ...ways];
}

const mapKeys = () => [make("span", {}, "a circle: a cluster, with the number of its variables"), make("span", {}, draw("svg", { width: 38, height: 12, "aria-hidden": "true", class: "same" }, draw("path", { class: "line", d: "M1 6H37", style: "stroke-width:5" })), "thicker: more edges between them")];
