// What follows from what is given: every marginal at once, in a tree of buckets (Dechter 1999; Kask,
// Dechter, Larrosa and Dechter 2005). A factor is a scope, variables in ascending order, and values,
// those of the last variable side by side. A value is zero or from 1 / BLOCK up to BLOCK, and stands for
// itself divided by BLOCK as often as `blocks` says: products of thousands of probabilities do not underflow.

const MOST_CELLS = 800000; // of all buckets together: a fraction of a second

const SIZES = DATA.variables.map(({ states }) => (states ? states.length : 0));
const BLOCK = 2 ** 256;
const cellsOf = (scope) => scope.reduce((cells, x) => cells * SIZES[x], 1);

// Call with the place in a table and in others, whose scopes are part of its own, for each cell.
function walk(scope, others, visit) {
  const steps = others.map((other) => {
    let step = 1;
    const by = new Map();
    for (let i = other.length - 1; i >= 0; i--) { by.set(other[i], step); step *= SIZES[other[i]]; }
    return scope.map((x) => by.get(x) || 0);
  });
  const at = scope.map(() => 0);
  const places = others.map(() => 0);
  for (let cell = 0, cells = cellsOf(scope); cell < cells; cell++) {
    visit(cell, places);
    for (let i = scope.length - 1; i >= 0; i--) {
      at[i] += 1;
      const over = at[i] === SIZES[scope[i]];
      for (let k = 0; k < others.length; k++) places[k] += steps[k][i] * (over ? 1 - SIZES[scope[i]] : 1);
      if (!over) break;
      at[i] = 0;
    }
  }
}

const emptyFactor = (scope) => ({ scope, values: new Float64Array(cellsOf(scope)), blocks: new Int32Array(cellsOf(scope)) });

function put({ values, blocks }, place, value, block) {
  while (value && value < 1 / BLOCK) { value *= BLOCK; block += 1; }
  while (value >= BLOCK) { value /= BLOCK; block -= 1; }
  values[place] = value;
  blocks[place] = value ? block : 0;
}

function add(factor, place, value, block) {
  const { values, blocks } = factor;
  if (!value) return;
  const apart = values[place] ? block - blocks[place] : -2;
  if (apart < -1) put(factor, place, value, block); // what was there is nothing beside it
  else if (apart === -1) put(factor, place, value + values[place] / BLOCK, block);
  else if (apart < 2) put(factor, place, values[place] + (apart ? value / BLOCK : value), blocks[place]);
}

// The product of factors, summed over what is not kept.
function combine(scope, factors, kept) {
  const found = emptyFactor(kept);
  walk(scope, [kept, ...factors.map((factor) => factor.scope)], (cell, places) => {
    let product = 1;
    let block = 0;
    for (let k = 0; k < factors.length && product; k++) {
      product *= factors[k].values[places[k + 1]];
      block += factors[k].blocks[places[k + 1]];
      if (product && product < 1 / BLOCK) { product *= BLOCK; block += 1; }
      else if (product >= BLOCK) { product /= BLOCK; block -= 1; }
    }
    add(found, places[0], product, block);
  });
  return found;
}

// Divide by the greatest value and return its logarithm.
function scale(factor) {
  const { values, blocks } = factor;
  let most = 0;
  let least = 0;
  values.forEach((value, i) => {
    if (!value || (most && (blocks[i] > least || (blocks[i] === least && value <= most)))) return;
    most = value;
    least = blocks[i];
  });
  if (most) values.forEach((value, i) => put(factor, i, value / most, blocks[i] - least));
  return Math.log(most) - least * 256 * Math.LN2;
}

// The tables of the network, cut down to what is given; without those of variables that are set (done).
function tablesGiven(given, done) {
  const factors = [];
  DATA.variables.forEach((about, node) => {
    if (done.has(node)) return;
    const scope = [...about.parents, node];
    const kept = scope.filter((x) => !given.has(x)).sort((x, y) => x - y);
    const factor = emptyFactor(kept);
    const own = about.table.flatMap((row) => {
      const whole = row.reduce((sum, p) => sum + p, 0); // rounding is made good
      return row.map((p) => p / whole);
    });
    walk(scope, [kept], (cell, [place]) => {
      let rest = cell;
      for (let i = scope.length - 1; i >= 0; i--) {
        const code = rest % SIZES[scope[i]];
        if (given.has(scope[i]) && given.get(scope[i]) !== code) return;
        rest = Math.floor(rest / SIZES[scope[i]]);
      }
      put(factor, place, own[cell], 0);
    });
    factors.push(factor);
  });
  return factors;
}

// An order in which variables are summed out, each time the one whose table is smallest, and the
// scopes of these tables; it ends early where they would have more cells than the most.
function summingOrder(scopes, most = Infinity) {
  const near = new Map();
  for (const scope of scopes) for (const x of scope) {
    if (!near.has(x)) near.set(x, new Set());
    for (const y of scope) if (y !== x) near.get(x).add(y);
  }
  const cost = new Map([...near].map(([x, others]) => [x, cellsOf([x, ...others])]));
  const order = [];
  for (let cells = 0; near.size && cells <= most;) {
    let next = null;
    for (const [x, cells] of cost) if (next == null || cells < cost.get(next)) next = x;
    const others = [...near.get(next)];
    cells += cost.get(next);
    order.push({ node: next, scope: [next, ...others].sort((x, y) => x - y) });
    near.delete(next);
    cost.delete(next);
    for (const x of others) {
      near.get(x).delete(next);
      for (const y of others) if (y !== x) near.get(x).add(y);
    }
    for (const x of others) cost.set(x, cellsOf([x, ...near.get(x)]));
  }
  return order;
}

// Whether answers can be computed here: where nothing is given they take most.
function isSmall() {
  const scopes = DATA.variables.map((about, node) => [...about.parents, node]);
  return summingOrder(scopes, MOST_CELLS).reduce((sum, { scope }) => sum + cellsOf(scope), 0) <= MOST_CELLS;
}

// The distribution of every variable, and the logarithm of the probability of what is given (of what
// is seen, if the rest is done); null if that is impossible.
function answersGiven(given, done) {
  const factors = tablesGiven(given, done);
  const buckets = summingOrder(factors.map((factor) => factor.scope));
  const place = new Map(buckets.map(({ node }, i) => [node, i]));
  const first = (scope) => Math.min(...scope.map((x) => place.get(x)));
  for (const bucket of buckets) Object.assign(bucket, { own: [], from: [], parent: null, back: null });
  let log = 0;
  for (const factor of factors) {
    if (factor.scope.length) buckets[first(factor.scope)].own.push(factor);
    else log += scale(factor);
  }
  for (const bucket of buckets) {
    const kept = bucket.scope.filter((x) => x !== bucket.node);
    const message = combine(bucket.scope, [...bucket.own, ...bucket.from.map(({ message: m }) => m)], kept);
    log += scale(message);
    if (!Number.isFinite(log)) return null;
    if (!kept.length) continue;
    bucket.parent = buckets[first(kept)];
    bucket.parent.from.push({ bucket, message });
  }
  if (!Number.isFinite(log)) return null;
  const marginals = SIZES.map((size, node) => Array.from({ length: size }, (_, code) => Number(given.get(node) === code)));
  for (const bucket of [...buckets].reverse()) {
    if (bucket.parent) {
      const { parent } = bucket;
      const others = parent.from.filter((sender) => sender.bucket !== bucket).map(({ message }) => message);
      const kept = bucket.scope.filter((x) => x !== bucket.node);
      bucket.back = combine(parent.scope, [...parent.own, ...others, ...(parent.back ? [parent.back] : [])], kept);
      scale(bucket.back);
    }
    const all = [...bucket.own, ...bucket.from.map(({ message }) => message), ...(bucket.back ? [bucket.back] : [])];
    const found = combine(bucket.scope, all, [bucket.node]);
    scale(found);
    const values = Array.from(found.values, (value, i) => value * BLOCK ** -found.blocks[i]);
    const whole = values.reduce((sum, value) => sum + value, 0);
    marginals[bucket.node] = values.map((value) => value / whole);
  }
  return { marginals, log };
}
