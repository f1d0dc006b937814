// What is given: states and numbers that are seen, and those that somebody sets; the answers to it.

const asked = { given: new Map(), done: new Set(), doing: false, how: null, before: null, now: null, bars: new Map(), all: false, typed: "", order: "table" };

const isSet = (node) => asked.done.has(node);
const valueWords = (node, value) => (isNumber(node) ? figureWords(value, 6) : DATA.variables[node].states[value]);
const givenWords = (nodes = [...asked.given.keys()]) => nodes.map((node) => `${NAMES[node]} = ${valueWords(node, asked.given.get(node))}`);
const listWords = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);

const answersTo = (given, done) => ({ computed: answersGiven, prepared: answersPrepared, mixed: answersMixed }[asked.how])(given, done);

// Give a state or a number, or take it back.
function give(node, value) {
  const back = value == null || asked.given.get(node) === value;
  if (asked.how === "prepared") { asked.given.clear(); asked.done.clear(); } // there are answers to one state at a time
  asked.given.delete(node);
  asked.done.delete(node);
  if (!back) {
    asked.given.set(node, value);
    if (asked.doing) asked.done.add(node);
  }
  answer();
}

// Whether one of them is seen or set; all of them.
function turn(node) {
  if (!asked.done.delete(node)) asked.done.add(node);
  answer();
}

function turnAll(doing) {
  asked.doing = doing;
  asked.done = new Set(doing ? asked.given.keys() : []);
  answer();
}

function clearGiven() {
  asked.given.clear();
  asked.done.clear();
  answer();
}

function answer() {
  asked.now = answersTo(asked.given, asked.done);
  showAnswers();
  showTarget();
  showDetails();
  if (beliefs.on) { drawGraph(); showLegend(); }
  else markGiven();
}

// How far what is given moves a variable: states by the probability that changes hands, numbers by
// the distance of means in standard deviations of before.
function moved(node) {
  if (!asked.now || asked.given.has(node)) return 0;
  if (!isNumber(node)) return asked.now.marginals[node].reduce((sum, p, code) => sum + Math.abs(p - asked.before.marginals[node][code]), 0) / 2;
  const [was, is] = [asked.before.numbers.get(node), asked.now.numbers.get(node)];
  return was.sd > 0 ? Math.min(1, (Math.abs(is.mean - was.mean) + Math.abs(is.sd - was.sd)) / was.sd / 2) : 0;
}

const MOVED = 0.005; // less is not worth a word
const mostMoved = () => (asked.given.size ? NAMES.map((_, node) => [node, moved(node)]).filter(([, by]) => by >= MOVED).sort((p, q) => q[1] - p[1] || p[0] - q[0]).map(([node]) => node) : []);

// What became of a variable, in words: its state that changed most, or its mean.
function movedWords(node) {
  if (isNumber(node)) return `mean ${figureWords(asked.before.numbers.get(node).mean)} → ${figureWords(asked.now.numbers.get(node).mean)}`;
  const [was, is] = [asked.before.marginals[node], asked.now.marginals[node]];
  const code = is.reduce((best, p, i) => (Math.abs(p - was[i]) > Math.abs(is[best] - was[best]) + 1e-12 ? i : best), 0);
  return `${DATA.variables[node].states[code]} ${percent(was[code])} → ${percent(is[code])}`;
}

// Mark in the drawing what is given.
function markGiven() {
  for (const [node, box] of graph.nodes) {
    box.classList.toggle("given", asked.given.has(node));
    box.classList.toggle("set", asked.given.has(node) && isSet(node));
  }
}

// What answers questions here: the tables, answers that were prepared, lines and cases; null if nothing does.
function howAnswered() {
  const complete = NAMES.length > 0 && NAMES.every((_, node) => hasNode(node));
  if (NAMES.some((_, node) => isNumber(node))) return complete && DATA.variables.every(({ states, numbers }) => states || numbers) ? "mixed" : null;
  if (complete && isSmall()) return "computed";
  return DATA.prepared != null ? "prepared" : null;
}
