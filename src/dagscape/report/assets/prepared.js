// Answers that were computed beforehand, where a page cannot: what follows from one state by itself.

const STARTS = SIZES.map((_, node) => SIZES.slice(0, node).reduce((sum, size) => sum + size, 0));
const ALL_STATES = SIZES.reduce((sum, size) => sum + size, 0);
const unpacked = new Map();

// The answers to "see" or "do": two bytes for each, the lower first.
function unpack(kind) {
  if (!unpacked.has(kind)) {
    const bytes = Uint8Array.from(atob(DATA.prepared[kind]), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    unpacked.set(kind, Float64Array.from({ length: bytes.length / 2 }, (_, i) => view.getUint16(2 * i, true) / 65535));
  }
  return unpacked.get(kind);
}

const byVariable = (all, start) => SIZES.map((size, node) => Array.from({ length: size }, (_, code) => all[start + STARTS[node] + code]));

// As answersGiven; of what is given, at most one state.
function answersPrepared(given, done) {
  const { before, unknown } = DATA.prepared;
  if (!given.size) return { marginals: byVariable(before, 0), log: 0 };
  const [[node, code]] = given;
  const state = STARTS[node] + code, doing = done.has(node);
  if (!doing && unknown.includes(state)) return null;
  return { marginals: byVariable(unpack(doing ? "do" : "see"), state * ALL_STATES), log: Math.log(before[state]) };
}

// How far to trust what was drawn: two standard errors, where they are largest.
function preparedError(given, done) {
  const { cases } = DATA.prepared;
  if (!cases) return "";
  const [[node, code] = []] = given;
  const count = !given.size ? cases.all : done.has(node) ? cases.do : cases.see[STARTS[node] + code];
  return ` Estimated from ${whole(count)} drawn cases: right to about ${(100 / Math.sqrt(count)).toPrecision(2)} percentage points (two standard errors).`;
}
