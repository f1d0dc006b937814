// The surroundings of one variable, laid out anew: what comes before above it, what follows below.

const MOST_NEAR = 60;
const ROW = 84, MARGIN = 24, MOST_IN_ROW = 8;
const nodeWidth = (node) => DATA.variables[node].width;

// Nodes within some steps of a centre along the lines, each with its level; the surest come first.
function surroundings(centre, steps, drawn) {
  const level = new Map([[centre, 0]]);
  const near = new Map();
  for (const { pair, kind, mark, confidence } of drawn) {
    if (mark === "missing") continue;
    const down = kind === UNDIRECTED ? 0 : kind === FORTH ? 1 : -1;
    for (const [x, y, by] of [[pair.a, pair.b, down], [pair.b, pair.a, -down]]) {
      if (!near.has(x)) near.set(x, []);
      near.get(x).push([y, by, confidence ?? 1]);
    }
  }
  let border = [centre];
  let more = 0;
  for (let step = 0; step < steps; step++) {
    const found = [];
    for (const node of border) {
      for (const [other, by, sure] of near.get(node) || []) found.push([other, level.get(node) + by, sure]);
    }
    found.sort((p, q) => q[2] - p[2] || p[0] - q[0]);
    border = [];
    for (const [other, at] of found) {
      if (level.has(other)) continue;
      if (level.size >= MOST_NEAR) { more += 1; continue; }
      level.set(other, at);
      border.push(other);
    }
  }
  return { level, more };
}

// Let the ends of arrows sink below their starts, as far as arrows have no cycle.
function settle(level, centre, inside) {
  for (let pass = 0; pass < 12; pass++) {
    let moved = false;
    for (const { pair, kind } of inside) {
      if (kind === UNDIRECTED) continue;
      const [start, end] = kind === BACK ? [pair.b, pair.a] : [pair.a, pair.b];
      if (end !== centre && level.get(end) <= level.get(start)) {
        level.set(end, level.get(start) + 1);
        moved = true;
      }
    }
    if (!moved) return;
  }
}

function placeNear(centre, steps, drawn) {
  const { level, more } = surroundings(centre, steps, drawn);
  const inside = drawn.filter(({ pair }) => level.has(pair.a) && level.has(pair.b));
  settle(level, centre, inside);
  const near = new Map([...level.keys()].map((node) => [node, []]));
  for (const { pair } of inside) {
    near.get(pair.a).push(pair.b);
    near.get(pair.b).push(pair.a);
  }
  const levels = [...new Set(level.values())].sort((p, q) => p - q);
  const rows = levels.map((at) => [...level.keys()].filter((node) => level.get(node) === at));
  const across = new Map();
  const spread = (row) => {
    let x = 0;
    const width = row.reduce((sum, node) => sum + nodeWidth(node) + MARGIN, 0);
    for (const node of row) {
      const own = nodeWidth(node) + MARGIN;
      across.set(node, x + own / 2 - width / 2);
      x += own;
    }
  };
  rows.forEach(spread);
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const row of sweep % 2 ? [...rows].reverse() : rows) {
      const middle = new Map(row.map((node) => {
        const others = near.get(node);
        return [node, others.length ? others.reduce((sum, other) => sum + across.get(other), 0) / others.length : across.get(node)];
      }));
      row.sort((p, q) => middle.get(p) - middle.get(q) || p - q);
      spread(row);
    }
  }
  const places = new Map();
  let y = 0;
  for (const row of rows) {
    // A long row is broken into several, every so many to the next.
    const parts = Math.ceil(row.length / MOST_IN_ROW);
    for (let part = 0; part < parts; part++) {
      const some = row.filter((_, i) => i % parts === part);
      spread(some);
      const shift = parts > 1 ? (part - (parts - 1) / 2) * 26 : 0;
      for (const node of some) places.set(node, [across.get(node) + shift, y]);
      y += part < parts - 1 ? ROW * 0.62 : ROW;
    }
  }
  return { places, drawn: inside, more };
}
