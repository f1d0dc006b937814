// About one variable: what to ask next, what its answer rests on, and how far each other variable moves
// it (a tornado). All of it follows from asking what goes with each value of the target: of a number,
// with a few values that lie as its distribution does.

const target = { node: null, code: 0, skipped: new Set(), told: null };
const QUANTILES = [0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97];
const MOST_QUESTIONS = 8, MOST_TORNADO = 14;
const GRID = 81;
const leastBits = () => (asked.now.drawn ? 0.005 : 0.0005); // drawn cases tell a little by chance

// The value below which a number lies with some probability, by its parts.
function quantileOf({ parts, mean, sd }, share_) {
  const below = (x) => parts.reduce((sum, [weight, center, own]) => sum + weight * (own > 0 ? normalBelow((x - center) / own) : Number(x >= center)), 0);
  let [low, high] = [mean - 8 * sd, mean + 8 * sd];
  for (let i = 0; i < 60; i++) { const middle = (low + high) / 2; if (below(middle) < share_) low = middle; else high = middle; }
  return (low + high) / 2;
}

// The normal distribution (Abramowitz and Stegun 1964, 7.1.26: right to 1.5e-7).
function normalBelow(z) {
  const t = 1 / (1 + 0.3275911 * Math.abs(z) / Math.SQRT2);
  const rest = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) * Math.exp(-z * z / 2);
  return z < 0 ? rest / 2 : 1 - rest / 2;
}

// Values of the target with their weights, and all that goes with each of them.
function valuesOfTarget() {
  const { node } = target;
  const now = asked.now;
  const values = isNumber(node) ? QUANTILES.map((share_, i) => [quantileOf(now.numbers.get(node), share_), [0.06, 0.09, 0.125, 0.15, 0.15, 0.15, 0.125, 0.09, 0.06][i]])
    : now.marginals[node].map((p, code) => [code, p]);
  return values.filter(([, weight]) => weight > 0).map(([value, weight]) => ({ value, weight, answers: answersTo(new Map([...asked.given, [node, value]]), asked.done) })).filter(({ answers }) => answers);
}

const gridOf = (node) => { const { mean, sd } = asked.now.numbers.get(node); return Array.from({ length: GRID }, (_, i) => mean + sd * (8 * i / (GRID - 1) - 4)); };

// For each value of the target, how another variable lies: its states, or cells of a grid.
function liesAt(told, node) {
  if (!isNumber(node)) return told.map(({ answers }) => answers.marginals[node]);
  const places = gridOf(node);
  return told.map(({ answers }) => { const heights = densityAt(answers.numbers.get(node), places), all = heights.reduce((sum, height) => sum + height, 0) || 1; return heights.map((height) => height / all); });
}

// Bits that the answer to a question is expected to give about the target.
function bitsOf(told, node) {
  const lies = liesAt(told, node), whole_ = told.reduce((sum, { weight }) => sum + weight, 0);
  const mixed = lies[0].map((_, i) => lies.reduce((sum, some, t) => sum + told[t].weight / whole_ * some[i], 0));
  return lies.reduce((sum, some, t) => sum + told[t].weight / whole_ * some.reduce((inner, p, i) => (p > 0 && mixed[i] > 0 ? inner + p * Math.log2(p / mixed[i]) : inner), 0), 0);
}

const openQuestions = () => NAMES.map((_, node) => node).filter((node) => node !== target.node && !asked.given.has(node));
const leftBits = () => (isNumber(target.node) ? null : -asked.now.marginals[target.node].reduce((sum, p) => (p > 0 ? sum + p * Math.log2(p) : sum), 0));

// What is told of the target: the probability of a state, or the mean.
const figureOf = (answers) => (!answers ? null : isNumber(target.node) ? answers.numbers.get(target.node).mean : answers.marginals[target.node][target.code]);
const toldFigure = (value) => (value == null ? "–" : isNumber(target.node) ? figureWords(value, 4) : percent(value));

// The target's figure for each answer of another variable that can be: lowest and highest.
function rangeOf(told, node) {
  const lies = liesAt(told, node), whole_ = told.reduce((sum, { weight }) => sum + weight, 0);
  const values = told.map(({ value }) => (isNumber(target.node) ? value : Number(value === target.code)));
  const at = (cells) => {
    const parts = told.map(({ weight }, t) => weight / whole_ * cells.reduce((sum, i) => sum + lies[t][i], 0)), all = parts.reduce((sum, part) => sum + part, 0);
    return all > 1e-9 ? parts.reduce((sum, part, t) => sum + part * values[t], 0) / all : null;
  };
  const cuts = isNumber(node) ? tenths(lies, told) : null;
  const some = cuts ? [["low", cuts[0]], ["high", cuts[1]]] : DATA.variables[node].states.map((label, code) => [label, [code]]);
  const found = some.map(([label, cells]) => [label, at(cells)]).filter(([, value]) => value != null);
  if (found.length < 2) return null;
  found.sort((p, q) => p[1] - q[1]);
  return { node, low: found[0], high: found[found.length - 1] };
}

// The cells of the lowest and of the highest tenth of a number.
function tenths(lies, told) {
  const mixed = lies[0].map((_, i) => lies.reduce((sum, some, t) => sum + told[t].weight * some[i], 0)), all = mixed.reduce((sum, p) => sum + p, 0);
  let sum = 0;
  const low = [], high = [];
  mixed.forEach((p, i) => { if (sum < 0.1 * all) low.push(i); sum += p; if (sum > 0.9 * all) high.push(i); });
  return [low, high];
}

// A change of the figure: of a probability in points, since percent of percent mislead.
const differenceWords = (change) => `${change >= 0 ? "+" : "−"}${isNumber(target.node) ? figureWords(Math.abs(change), 4) : `${(100 * Math.abs(change)).toFixed(1)} points`}`;

function showQuestions() {
  const left = leftBits();
  const rows = openQuestions().filter((node) => !target.skipped.has(node)).map((node) => [node, bitsOf(target.told, node)]).filter(([, bits]) => bits >= leastBits()).sort((p, q) => q[1] - p[1] || p[0] - q[0]);
  const most = rows.length ? rows[0][1] : 1;
  const answersOf = (node) => (isNumber(node) ? [] : DATA.variables[node].states.map((label, code) => make("button", { type: "button", class: "small", "data-answer": `${node} ${code}`, on: { click: () => give(node, code) } }, label)));
  $("questions").replaceChildren(...rows.slice(0, MOST_QUESTIONS).map(([node, bits]) => make("li", { "data-question": node, "data-bits": bits.toPrecision(6) },
    make("div", { class: "row" }, nodeButton(node), make("span", { class: "figure" }, `${bits.toFixed(3)} bits${left ? ` (${Math.round(100 * bits / left)} %)` : ""}`)),
    make("span", { class: "track" }, make("span", { class: "fill", style: `width:${(100 * bits / most).toFixed(1)}%` })),
    make("div", { class: "wants on-screen" }, answersOf(node), make("button", { type: "button", class: "small plain", "data-skip": node, on: { click: () => { target.skipped.add(node); showTarget(); } } }, "skip")))));
  const skipped = target.skipped.size ? ` ${many(target.skipped.size, "question")} skipped.` : "";
  $("questions-said").textContent = `${rows.length ? `Of ${many(openQuestions().length, "open question")}, by the bits that the answer is expected to tell${left == null ? "" : ` of the ${left.toFixed(3)} that are open`}.` : "No open question tells anything more."}${skipped}`;
  $("unskip").hidden = !target.skipped.size;
}

// What the answer rests on: how it would be without each piece of what is given.
function showContributions() {
  const rows = [...asked.given.keys()].map((node) => {
    const given = new Map(asked.given), done = new Set(asked.done);
    given.delete(node); done.delete(node);
    return [node, figureOf(answersTo(given, done))];
  });
  const now = figureOf(asked.now);
  rows.sort((p, q) => Math.abs(now - q[1]) - Math.abs(now - p[1]) || p[0] - q[0]);
  $("contributions").replaceChildren(make("thead", {}, make("tr", {}, ["given", "without it", "so it adds"].map((word, i) => make("th", { scope: "col", class: i ? "number" : null }, word)))),
    make("tbody", {}, rows.map(([node, without]) => make("tr", { "data-rests": node }, make("th", { scope: "row" }, givenWords([node])[0]), make("td", { class: "number" }, toldFigure(without)), make("td", { class: "number" }, without == null ? "" : differenceWords(now - without))))));
  $("contributions-box").hidden = !rows.length || (asked.how === "prepared" && rows.length > 1);
}

function drawTornado() {
  const now = figureOf(asked.now);
  const ranges = openQuestions().map((node) => rangeOf(target.told, node)).filter(Boolean).sort((p, q) => (q.high[1] - q.low[1]) - (p.high[1] - p.low[1]) || p.node - q.node).slice(0, MOST_TORNADO).filter(({ low, high }) => high[1] - low[1] > 1e-6);
  $("tornado-box").hidden = !ranges.length;
  if (!ranges.length) return;
  let [least, most] = [Math.min(...ranges.map(({ low }) => low[1]), now), Math.max(...ranges.map(({ high }) => high[1]), now)];
  const name = Math.max(50, ...ranges.map(({ node }) => widthOf(short(NAMES[node])) + 8)), side = 74, row = 22, top = 8;
  const across = Math.max(100, Math.min(330, ($("tornado").clientWidth || 600) - 20 - name - 2 * side));
  const width = name + 2 * side + across, height = top + row * ranges.length + 40;
  const x = (value) => name + side + across * (value - least) / (most - least || 1);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": `How far each variable moves ${NAMES[target.node]}` });
  ranges.forEach(({ node, low, high }, i) => {
    const y = top + row * i;
    const cut = (words) => ([...words].length > 9 ? `${[...words].slice(0, 8).join("")}…` : words);
    svg.append(draw("text", { x: name - 6, y: y + 13, "text-anchor": "end", class: "strong" }, short(NAMES[node])),
      draw("rect", { class: "bar", x: x(low[1]).toFixed(1), y: y + 3, width: Math.max(0, x(Math.min(now, high[1])) - x(low[1])).toFixed(1), height: 13 }),
      draw("rect", { class: "bar kept", x: x(Math.max(now, low[1])).toFixed(1), y: y + 3, width: Math.max(0, x(high[1]) - x(Math.max(now, low[1]))).toFixed(1), height: 13 }),
      draw("text", { x: x(low[1]) - 4, y: y + 13, "text-anchor": "end" }, cut(low[0])), draw("text", { x: x(high[1]) + 4, y: y + 13 }, cut(high[0])),
      draw("rect", { x: 0, y, width, height: row, fill: "transparent", "data-tornado": node, "data-low": low[1].toPrecision(9), "data-high": high[1].toPrecision(9) }, draw("title", {}, `${NAMES[node]}: ${toldFigure(low[1])} if ${low[0]}, ${toldFigure(high[1])} if ${high[0]}`)));
  });
  const base = top + row * ranges.length + 4;
  svg.append(draw("path", { class: "cut", d: `M${x(now).toFixed(1)} ${top}V${base}` }), draw("path", { class: "axis", d: `M${x(least)} ${base}H${x(most)}` }),
    ...[least, most].map((value, i) => draw("text", { x: x(value), y: base + 14, "text-anchor": i ? "end" : "start" }, toldFigure(value))),
    draw("text", { x: x(now), y: base + 27, "text-anchor": "middle", class: "mark" }, `now ${toldFigure(now)}`));
  const of = isNumber(target.node) ? `the mean of ${NAMES[target.node]}` : `the probability of ${NAMES[target.node]} = ${DATA.variables[target.node].states[target.code]}`;
  $("tornado").replaceChildren(picture(svg, `${NAMES[target.node]}-tornado`, `What ${of} becomes where one more variable is seen in the state that makes it lowest, or highest${NAMES.some((_, node) => isNumber(node)) ? "; of numbers, in the lowest or the highest tenth" : ""}.`));
}

// What setting each other variable does, in the networks of the posterior: a line from the lowest to the highest.
const EFFECTS = DATA.effects && { ...DATA.effects, rows: rowsFrom(DATA.effects.rows) };
const MOST_EFFECTS = 14;

function drawEffects() {
  const { node } = target, state_ = isNumber(node) ? 0 : target.code;
  const rows = (EFFECTS ? EFFECTS.rows : []).filter((row) => row.outcome === node && row.state === state_).sort((p, q) => Math.abs(q.mean) - Math.abs(p.mean) || p.cause - q.cause);
  $("effects-box").hidden = !EFFECTS;
  if (!EFFECTS) return;
  const of = isNumber(node) ? `the mean of ${NAMES[node]}` : `the probability of ${NAMES[node]} = ${DATA.variables[node].states[state_]}`;
  const networks = `${many(EFFECTS.networks, "network")} drawn from the posterior (${whole(EFFECTS.different)} different)`;
  if (!rows.length) { $("effects").replaceChildren(make("p", { class: "note" }, `Setting another variable changes ${of} in none of ${networks}.`)); return; }
  const some = rows.slice(0, MOST_EFFECTS);
  const setting = ({ cause, before, after }) => (isNumber(cause) ? "one deviation higher" : `${short(DATA.variables[cause].states[before])} → ${short(DATA.variables[cause].states[after])}`);
  const name = Math.max(50, ...some.map((one) => Math.max(widthOf(short(NAMES[one.cause])), widthOf(setting(one))))) + 8, side = 62, row = 31, top = 8;
  const across = Math.max(110, Math.min(400, ($("effects").clientWidth || 600) - 20 - name - side));
  const width = name + side + across, height = top + row * some.length + 26;
  const ends = [0, ...some.flatMap(({ lowest, highest }) => [lowest, highest])], [least, most] = [Math.min(...ends), Math.max(...ends)];
  const x = (value) => Number((name + 8 + (across - 16) * (value - least) / (most - least || 1)).toFixed(1));
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, width, role: "img", "aria-label": `What setting each variable does to ${NAMES[node]}, from the lowest to the highest among networks` });
  const base = top + row * some.length;
  svg.append(draw("path", { class: "axis", d: `M${x(0)} ${top}V${base}` }));
  some.forEach((one, i) => {
    const y = top + row * i, middle = y + 13;
    const said = `${NAMES[one.cause]}, ${setting(one)}: ${differenceWords(one.mean)} in the mean, from ${differenceWords(one.lowest)} to ${differenceWords(one.highest)}; ${one.without ? `no path in ${percent(one.without)} of the networks` : "a path in every network"}`;
    svg.append(draw("text", { x: name - 6, y: y + 12, "text-anchor": "end", class: "strong" }, short(NAMES[one.cause])), draw("text", { x: name - 6, y: y + 25, "text-anchor": "end" }, setting(one)),
      draw("rect", { class: "bar", x: x(one.lowest), y: middle - 4, width: Math.max(1.5, x(one.highest) - x(one.lowest)).toFixed(1), height: 8, rx: 3 }),
      draw("circle", { class: "now", cx: x(one.mean), cy: middle, r: 4.5 }),
      draw("text", { x: width - side + 4, y: middle + 4 }, differenceWords(one.mean).replace(" points", "")),
      draw("rect", { x: 0, y, width, height: row, fill: "transparent", "data-effect": one.cause, "data-mean": one.mean, "data-lowest": one.lowest, "data-highest": one.highest }, draw("title", {}, said)));
  });
  svg.append(draw("path", { class: "axis", d: `M${x(least)} ${base}H${x(most)}` }),
    ...[...new Set([least, 0, most])].filter((value) => value === 0 || Math.abs(x(value) - x(0)) > 46).map((value) => draw("text", { x: x(value), y: base + 15, "text-anchor": value === 0 ? "middle" : value === most ? "end" : "start" }, value === 0 ? "0" : differenceWords(value))));
  const left = rows.length > some.length ? ` ${many(rows.length - some.length, "smaller effect")} not drawn.` : "";
  $("effects").replaceChildren(picture(svg, `${NAMES[node]}-effects`, `How much ${of} changes if somebody sets a variable, with nothing given: the dot is the mean over ${networks}, each with the parameters that fit it, and the bar goes from the lowest to the highest of them. It takes arcs for causes, with none hidden. dagscape effect gives intervals that hold what the rows leave open of the parameters, too.${left}`));
}

function showTarget() {
  const shown = target.node != null && asked.now && !asked.given.has(target.node);
  $("target-shown").hidden = !shown;
  $("target-state-box").hidden = target.node == null || isNumber(target.node);
  $("target-said").textContent = target.node == null ? "" : asked.given.has(target.node) ? `${NAMES[target.node]} is given: take it back to ask about it.` : asked.how === "prepared" && asked.given.size ? "Answers to several states together are not in this page: take back what is given." : "";
  if (!shown || (asked.how === "prepared" && asked.given.size)) { $("target-shown").hidden = true; return; }
  target.told = valuesOfTarget();
  showQuestions();
  showContributions();
  drawTornado();
  drawEffects();
}

function setTarget(node) {
  target.node = node;
  target.code = 0;
  if (node != null && !isNumber(node)) $("target-state").replaceChildren(...DATA.variables[node].states.map((label, code) => make("option", { value: code }, label)));
  if (node != null && !$("target").querySelector(`[value="${node}"]`)) $("target").append(make("option", { value: node }, NAMES[node]));
  $("target").value = node == null ? "" : String(node);
  showTarget();
}

function setUpTarget() {
  $("about-one").hidden = !asked.how || NAMES.length < 2;
  if (!asked.how) return;
  $("target").replaceChildren(make("option", { value: "" }, "choose a variable"));
  whenNear($("target"), () => {
    const chosen = $("target").value;
    $("target").replaceChildren(make("option", { value: "" }, "choose a variable"), ...NAMES.map((name, i) => make("option", { value: i }, name)));
    $("target").value = chosen;
  });
  $("target").addEventListener("change", (event) => setTarget(event.target.value === "" ? null : Number(event.target.value)));
  $("target-state").addEventListener("change", (event) => { target.code = Number(event.target.value); showTarget(); });
  $("unskip").addEventListener("click", () => { target.skipped.clear(); showTarget(); });
  showTarget();
}
