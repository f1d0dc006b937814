// The surroundings of one variable, laid out anew: what comes before above it, what follows below. Lines without a
// direction go down, away from it: in its own row many of them would lie on top of each other.

const MOST_NEAR = 60;
const ROW = 84, SUBROW = 58, MARGIN = 24, PASS = 14, WIDEST_ROW = 1050;

// Nodes within some steps of a center along the lines, each with its level; the surest come first.
function surroundings(center, steps, drawn) {
  const level = new Map([[center, 0]]);
  const near = new Map();
  for (const { pair, kind, mark, confidence, believed } of drawn) {
    if (mark === "missing") continue;
    const [there, back] = kind === UNDIRECTED ? [1, 1] : kind === FORTH ? [1, -1] : [-1, 1];
    for (const [x, y, by] of [[pair.a, pair.b, there], [pair.b, pair.a, back]]) {
      if (!near.has(x)) near.set(x, []);
      near.get(x).push([y, by, believed ?? confidence ?? 1]);
    }
  }
  let border = [center];
  const more = new Set();
  for (let step = 0; step < steps; step++) {
    const found = [];
    for (const node of border) {
      for (const [other, by, sure] of near.get(node) || []) found.push([other, level.get(node) + by, sure]);
    }
    found.sort((p, q) => q[2] - p[2] || p[0] - q[0]);
    border = [];
    for (const [other, at] of found) {
      if (level.has(other)) continue;
      if (level.size >= MOST_NEAR) { more.add(other); continue; }
      level.set(other, at);
      border.push(other);
    }
  }
  return { level, more: more.size };
}

// Let the ends of arrows sink below their starts, as far as arrows have no cycle.
function settle(level, inside) {
  for (let pass = 0; pass < 12; pass++) {
    let moved = false;
    for (const { pair, kind } of inside) {
      if (kind === UNDIRECTED) continue;
      const [start, end] = kind === BACK ? [pair.b, pair.a] : [pair.a, pair.b];
      if (level.get(end) <= level.get(start)) {
        level.set(end, level.get(start) + 1);
        moved = true;
      }
    }
    if (!moved) return;
  }
}

// Rows of nodes, level by level; a level that is too wide takes several.
function rowsOf(level) {
  const rows = [];
  for (const at of [...new Set(level.values())].sort((p, q) => p - q)) {
    const nodes = [...level.keys()].filter((node) => level.get(node) === at);
    const parts = Math.ceil(nodes.reduce((sum, node) => sum + nodeWidth(node) + MARGIN, 0) / WIDEST_ROW);
    for (let part = 0; part < parts; part++) {
      rows.push({ items: nodes.filter((_, i) => i % parts === part), down: part ? SUBROW : ROW });
    }
  }
  return rows;
}

// Put a pass, which takes little room, wherever a line crosses a row; return the ways of lines.
function addPasses(rows, inside, near) {
  const rowOf = new Map(rows.flatMap(({ items }, i) => items.map((node) => [node, i])));
  const ways = new Map();
  for (const { pair } of inside) {
    const [from, to] = [rowOf.get(pair.a), rowOf.get(pair.b)];
    const by = Math.sign(to - from);
    const way = [pair.a];
    for (let row = from + by; by && row !== to; row += by) {
      const pass = `${pair.index}:${row}`;
      rows[row].items.push(pass);
      near.set(pass, []);
      way.push(pass);
    }
    way.push(pair.b);
    ways.set(pair, way);
    for (let i = 1; i < way.length; i++) {
      near.get(way[i - 1]).push(way[i]);
      near.get(way[i]).push(way[i - 1]);
    }
  }
  return ways;
}

const room = (item) => (typeof item === "string" ? PASS : nodeWidth(item) + MARGIN);

// Places nearest to those wished for, in order and far enough apart: least squares by pooling.
function apart(items, wish) {
  const pools = [];
  let shift = 0;
  const shifts = items.map((item, i) => (shift += i ? (room(items[i - 1]) + room(item)) / 2 : 0));
  items.forEach((item, i) => {
    let pool = { mean: wish.get(item) - shifts[i], weight: typeof item === "string" ? 3 : 1, size: 1 };
    while (pools.length && pools[pools.length - 1].mean > pool.mean) {
      const before = pools.pop();
      const weight = before.weight + pool.weight;
      pool = { mean: (before.mean * before.weight + pool.mean * pool.weight) / weight, weight, size: before.size + pool.size };
    }
    pools.push(pool);
  });
  const means = pools.flatMap(({ mean, size }) => Array(size).fill(mean));
  return means.map((mean, i) => mean + shifts[i]);
}

function placeNear(center, steps, drawn) {
  const { level, more } = surroundings(center, steps, drawn);
  return { ...placeLevels(level, drawn), more };
}

// Nodes by their levels, each line with its way round those in between.
function placeLevels(level, drawn) {
  const inside = drawn.filter(({ pair }) => level.has(pair.a) && level.has(pair.b));
  settle(level, inside);
  const near = new Map([...level.keys()].map((node) => [node, []]));
  const rows = rowsOf(level);
  const ways = addPasses(rows, inside, near);
  const across = new Map();
  const put = (items, wish) => apart(items, wish).forEach((x, i) => across.set(items[i], x));
  for (const { items } of rows) {
    const whole = items.reduce((sum, item) => sum + room(item), 0);
    put(items, new Map(items.map((item) => [item, -whole / 2])));
  }
  const middles = (items) => new Map(items.map((item) => {
    const others = near.get(item);
    return [item, others.length ? others.reduce((sum, other) => sum + across.get(other), 0) / others.length : across.get(item)];
  }));
  for (let round = 0; round < 90; round++) {
    for (const { items } of round % 2 ? [...rows].reverse() : rows) {
      const wish = middles(items);
      if (round < 30) items.sort((p, q) => wish.get(p) - wish.get(q)); // first the order, then the places
      put(items, wish);
    }
  }
  const places = new Map();
  let y = -ROW, before = null;
  for (const { items, down } of rows) {
    const half = Math.max(...items.map((item) => (typeof item === "string" ? 0 : halfOf(item))));
    y += beliefs.on && before != null ? before + half + BELIEF_GAP : down;
    before = half;
    for (const item of items) places.set(item, [across.get(item), y]);
  }
  const routes = new Map([...ways].map(([pair, way]) => [pair, way.slice(1, -1).map((pass) => places.get(pass))]));
  for (const item of [...places.keys()]) if (typeof item === "string") places.delete(item);
  return { places, routes, drawn: inside };
}
