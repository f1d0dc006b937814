// Answers where some variables are numbers. Where numbers are lines in others and no states depend on
// them, what follows is a mixture of normal distributions, one for each configuration of the states
// (Lauritzen and Wermuth 1989): exact. Else cases are drawn and weighted by what is given (Fung and
// Chang 1990): an estimate, of which it is told from how many cases it is.

const MOST_CONFIGURATIONS = 4096;
const MIXTURE_WORK = 4e7; // configurations by cubed numbers: a fraction of a second
const DRAWN_CELLS = 1.2e6; // cases by variables
const FEWEST_CASES = 200; // as many equal weights, of which something is estimated
const NODES = DATA.variables.map((about) => about.node || null);

// Variables with parents before children.
const TOPOLOGICAL = (() => {
  const left = DATA.variables.map(({ parents }) => new Set(parents));
  const order = left.map((_, node) => node).filter((node) => !left[node].size);
  for (const node of order) left.forEach((parents, child) => { if (parents.delete(node) && !parents.size) order.push(child); });
  return order;
})();

const statesOf = (node) => DATA.variables[node].states || [];
const hasNode = (node) => NODES[node] != null || DATA.variables[node].table != null;
const isExact = () => {
  const states = NAMES.map((_, node) => node).filter((node) => !isNumber(node));
  const configurations = states.reduce((product, node) => product * statesOf(node).length, 1);
  return !NODES.some((node) => node && node.kind !== "gaussian") && configurations <= MOST_CONFIGURATIONS
    && configurations * (NAMES.length - states.length) ** 3 <= MIXTURE_WORK;
};

// The row of a node's tables that the states of its parents say.
function configurationAt(node, at) {
  let row = 0;
  for (const parent of DATA.variables[node].parents) if (!isNumber(parent)) row = row * statesOf(parent).length + at[parent];
  return row;
}

const numbersAbove = (node) => DATA.variables[node].parents.filter(isNumber);

// The mean and the noise of a number where its parents are as they are.
function gaussianAt(node, at) {
  const { mean, sd, slopes, centers } = NODES[node];
  const row = configurationAt(node, at), above = numbersAbove(node);
  return { mean: mean[row] + above.reduce((sum, parent, j) => sum + slopes[row * above.length + j] * (at[parent] - centers[j]), 0), sd: sd[row] };
}

function chancesAt(node, at) {
  if (!NODES[node]) return DATA.variables[node].table[configurationAt(node, at)];
  const { intercepts, slopes, centers } = NODES[node];
  const row = configurationAt(node, at), above = numbersAbove(node), size = statesOf(node).length;
  const logs = Array.from({ length: size }, (_, code) => intercepts[row * size + code] + above.reduce((sum, parent, j) => sum + slopes[(row * size + code) * above.length + j] * (at[parent] - centers[j]), 0));
  const most = Math.max(...logs), parts = logs.map((log) => Math.exp(log - most));
  const whole = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / whole);
}

const logNormal = (x, mean, variance) => -0.5 * ((x - mean) ** 2 / variance + Math.log(2 * Math.PI * variance));
const certainlyIs = (x, mean) => Math.abs(x - mean) <= 1e-9 * Math.max(1e-300, Math.abs(x), Math.abs(mean));

// The numbers of one configuration of states: means, covariances, and the log density of what is seen of them.
function numbersOf(at, given, done) {
  const order = TOPOLOGICAL.filter(isNumber);
  const mean = new Map(), cov = new Map(order.map((node) => [node, new Map()]));
  for (const node of order) {
    const put = (other, value) => { cov.get(node).set(other, value); cov.get(other).set(node, value); };
    const row = configurationAt(node, at), above = done.has(node) ? [] : numbersAbove(node);
    const { slopes, centers } = NODES[node], own = NODES[node].sd[row];
    const slope = (j) => slopes[row * above.length + j];
    mean.set(node, done.has(node) ? given.get(node) : NODES[node].mean[row] + above.reduce((sum, parent, j) => sum + slope(j) * (mean.get(parent) - centers[j]), 0));
    for (const other of mean.keys()) if (other !== node) put(other, above.reduce((sum, parent, j) => sum + slope(j) * cov.get(parent).get(other), 0));
    put(node, (done.has(node) ? 0 : own * own) + above.reduce((sum, parent, j) => sum + slope(j) * cov.get(parent).get(node), 0));
  }
  let log = 0;
  for (const seen of order.filter((node) => given.has(node) && !done.has(node))) {
    const variance = cov.get(seen).get(seen), x = given.get(seen), apart = x - mean.get(seen);
    const prior = order.reduce((most, node) => Math.max(most, Math.abs(cov.get(node).get(seen))), 0);
    if (!(variance > 1e-12 * prior)) { if (certainlyIs(x, mean.get(seen))) continue; return null; }
    log += logNormal(x, mean.get(seen), variance);
    const gain = order.map((node) => cov.get(node).get(seen) / variance), to = order.map((node) => cov.get(seen).get(node));
    order.forEach((a, i) => { mean.set(a, mean.get(a) + gain[i] * apart); order.forEach((b, j) => cov.get(a).set(b, cov.get(a).get(b) - gain[i] * to[j])); });
  }
  return { log, parts: order.map((node) => [node, mean.get(node), Math.sqrt(Math.max(0, cov.get(node).get(node)))]) };
}

// Call with every configuration of the states that agrees with what is given, and its log probability.
function eachConfiguration(given, done, visit) {
  const order = TOPOLOGICAL.filter((node) => !isNumber(node));
  const at = [];
  const go = (i, log) => {
    if (i === order.length) { visit(at, log); return; }
    const node = order[i], chances = chancesAt(node, at);
    chances.forEach((p, code) => {
      if (given.has(node) && given.get(node) !== code) return;
      const more = done.has(node) ? 0 : Math.log(p);
      if (more === -Infinity) return;
      at[node] = code;
      go(i + 1, log + more);
    });
  };
  go(0, 0);
}

function answersExact(given, done) {
  const found = [];
  eachConfiguration(given, done, (at, log) => {
    const numbers = numbersOf(at, given, done);
    if (numbers) found.push({ at: [...at], log: log + numbers.log, parts: numbers.parts });
  });
  return gathered(found, given);
}

// Numbers that look random and are always the same (Marsaglia 2003, and Box and Muller for normal ones).
function chances(seed) {
  let x = seed;
  const next = () => { x ^= x << 13; x ^= x >>> 17; x ^= x << 5; return (x >>> 0) / 4294967296; };
  return { next, normal: () => Math.sqrt(-2 * Math.log(next() + 1e-300)) * Math.cos(2 * Math.PI * next()) };
}

function answersDrawn(given, done) {
  const { next, normal } = chances(2463534242), found = [];
  const cases = Math.max(2000, Math.min(40000, Math.round(DRAWN_CELLS / NAMES.length)));
  for (let i = 0; i < cases; i++) {
    const at = [];
    let log = 0;
    for (const node of TOPOLOGICAL) {
      const fixed_ = given.has(node);
      if (isNumber(node)) {
        const { mean, sd } = gaussianAt(node, at);
        at[node] = fixed_ ? given.get(node) : mean + sd * normal();
        if (fixed_ && !done.has(node)) log += sd > 0 ? logNormal(at[node], mean, sd * sd) : certainlyIs(at[node], mean) ? 0 : -Infinity;
      } else {
        const parts = chancesAt(node, at);
        if (fixed_) { at[node] = given.get(node); if (!done.has(node)) log += Math.log(parts[at[node]]); }
        else { let rest = next(), code = 0; while (code < parts.length - 1 && (rest -= parts[code]) >= 0) code += 1; at[node] = code; }
      }
    }
    found.push({ at, log, parts: NAMES.map((_, node) => node).filter(isNumber).map((node) => [node, at[node], 0]) });
  }
  const answers = gathered(found, given);
  return answers && answers.cases >= FEWEST_CASES ? { ...answers, log: answers.log - Math.log(cases), drawn: cases } : null;
}

// Weighted cases as one answer: shares of states, and of each number its parts, mean and standard deviation.
function gathered(found, given) {
  const most = found.reduce((most_, { log }) => Math.max(most_, log), -Infinity);
  if (most === -Infinity) return null;
  const weights = found.map(({ log }) => Math.exp(log - most));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
  const marginals = NAMES.map((_, node) => statesOf(node).map(() => 0));
  const numbers = new Map(NAMES.map((_, node) => node).filter(isNumber).map((node) => [node, []]));
  found.forEach(({ at, parts }, i) => {
    const weight = weights[i] / all;
    if (!weight) return;
    at.forEach((code, node) => { if (!isNumber(node)) marginals[node][code] += weight; });
    for (const [node, mean, sd] of parts) numbers.get(node).push([weight, mean, sd]);
  });
  const summed = new Map([...numbers].map(([node, parts]) => {
    const mean = parts.reduce((sum, [weight, center]) => sum + weight * center, 0);
    const variance = parts.reduce((sum, [weight, center, sd]) => sum + weight * (sd * sd + (center - mean) ** 2), 0);
    return [node, { mean, sd: given.has(node) ? 0 : Math.sqrt(variance), parts }];
  }));
  return { marginals, numbers: summed, log: most + Math.log(all), cases: all * all / squares };
}

const answersMixed = (given, done) => (isExact() ? answersExact : answersDrawn)(given, done);

// The height of a number's density at places: of normal parts themselves, of drawn cases smoothed.
function densityAt({ parts, sd }, places) {
  const width = Math.max(...parts.map(([, , own]) => own)) > 0 ? 0 : 1.06 * sd * Math.min(parts.length, 2000) ** -0.2;
  const some = parts.length > 3000 ? parts.filter((_, i) => i % Math.ceil(parts.length / 3000) === 0) : parts;
  return places.map((x) => some.reduce((sum, [weight, mean, own]) => { const spread = own || width; return spread > 0 ? sum + weight / spread * Math.exp(-0.5 * ((x - mean) / spread) ** 2) : sum; }, 0));
}
