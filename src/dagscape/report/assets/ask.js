// Ask the network: cards of variables, where states and numbers are given by clicks.

const FIRST_CARDS = 60;
const FILTERED = 12; // variables, above which they can be filtered by name
const TOLD = 6; // variables that changed most, told in one line

function stateBar(node, code, label) {
  const fillBar = make("span", { class: "fill" });
  const was = make("span", { class: "was", style: `left:${(100 * asked.before.marginals[node][code]).toFixed(2)}%` });
  const figure = make("span", { class: "figure" }), own = make("span", { class: "own", hidden: true });
  const button = make("button", { type: "button", class: "ask-state", "data-ask": `${node} ${code}`, on: { click: () => give(node, code) } },
    make("span", { class: "label", title: label }, label), make("span", { class: "track" }, fillBar, was, own), figure);
  return { button, fillBar, figure, own, label };
}

// A number: its density, before and now, and a field for a value.
function numberField(node) {
  const { range: [low, high] } = DATA.variables[node].numbers;
  const picture = draw("svg", { class: "ask-density", viewBox: "0 0 200 44", preserveAspectRatio: "none", "aria-hidden": "true",
    on: { click: (event) => { const box = picture.getBoundingClientRect(); give(node, Number((low + (high - low) * (event.clientX - box.left) / box.width).toPrecision(3))); } } });
  const field = make("input", { type: "text", inputmode: "decimal", autocomplete: "off", class: "ask-number", "data-number": node, "aria-label": `A value for ${NAMES[node]}`, placeholder: "a value",
    on: { change: () => { const value = numberOf(field.value), odd = value == null && field.value.trim() !== ""; field.setAttribute("aria-invalid", String(odd)); field.title = odd ? "This is no number: type one such as 1.5" : ""; if (!odd) give(node, value); } } });
  const figure = make("span", { class: "figure" }), own = make("p", { class: "soft own-mean", hidden: true });
  return { picture, field, figure, own };
}

const PLACES = Array.from({ length: 61 }, (_, i) => i / 60);
function showNumber(node, { picture, field, figure }) {
  const { range: [low, high] } = DATA.variables[node].numbers;
  const places = PLACES.map((part) => low + (high - low) * part);
  const was = densityAt(asked.before.numbers.get(node), places), found = asked.now && asked.now.numbers.get(node);
  const given = asked.given.get(node);
  const is = found && given == null ? densityAt(found, places) : null;
  const most = Math.max(...was, ...(is || []).filter(Number.isFinite), 1e-300);
  const course = (heights) => `M0 44L${heights.map((height, i) => `${(200 * PLACES[i]).toFixed(1)} ${(44 - 41 * Math.min(1, height / most)).toFixed(1)}`).join("L")}L200 44Z`;
  const across = (value) => (200 * (value - low) / (high - low)).toFixed(1);
  picture.replaceChildren(draw("path", { class: "before", d: course(was) }), is ? draw("path", { class: "now", d: course(is) }) : "",
    given == null ? "" : draw("path", { class: "at", d: `M${across(given)} 0V44` }));
  figure.textContent = !found ? "nothing follows" : given != null ? `= ${figureWords(given, 6)}` : `${figureWords(found.mean, 4)} ± ${figureWords(found.sd)}`;
  figure.dataset.mean = found ? String(found.mean) : "";
  figure.dataset.sd = found ? String(found.sd) : "";
  figure.dataset.node = node;
  if (document.activeElement !== field || given == null) field.value = given == null ? "" : String(given);
}

// The variables with what was typed in their names: the very name first, then those that begin with it.
function matching(typed) {
  const low = typed.toLowerCase();
  const nodes = NAMES.map((_, node) => node);
  if (!low) return nodes;
  const rank = (node) => {
    const name = NAMES[node].toLowerCase();
    return name === low ? 0 : name.startsWith(low) ? 1 : name.includes(low) ? 2 : 3;
  };
  const ranks = nodes.map(rank);
  return nodes.filter((node) => ranks[node] < 3).sort((p, q) => ranks[p] - ranks[q] || p - q);
}

// The cards in the order that was chosen; what is given comes first where the most changed does.
function ordered(nodes) {
  if (asked.order !== "changed" || !asked.given.size) return nodes;
  const key = new Map(nodes.map((node) => [node, asked.given.has(node) ? 2 : moved(node)]));
  return [...nodes].sort((p, q) => key.get(q) - key.get(p) || p - q);
}

function card(node) {
  const way = make("button", { type: "button", class: "small way", "data-way": node, on: { click: () => turn(node) } });
  const name = make("h3", {}, nodeButton(node));
  const bars = isNumber(node) ? null : DATA.variables[node].states.map((label, code) => stateBar(node, code, label));
  const number = isNumber(node) ? numberField(node) : null;
  const inside = bars ? make("div", { class: "ask-states" }, bars.map(({ button }) => button)) : [number.picture, make("div", { class: "row" }, number.field, number.figure), number.own];
  const box = make("div", { class: "ask-card", role: "group", "aria-label": NAMES[node], "data-card": node }, make("div", { class: "row" }, name, way), inside);
  return { card: box, bars, number, way };
}

function showCards() {
  const found = matching(asked.typed);
  const first = ordered(found).slice(0, asked.all ? NAMES.length : FIRST_CARDS);
  // What is given stays in sight, to be taken back.
  const shown = [...first, ...(asked.typed ? [...asked.given.keys()].filter((node) => !first.includes(node)) : [])];
  asked.bars = new Map(shown.map((node) => [node, asked.bars.get(node) || card(node)]));
  $("ask-cards").replaceChildren(...[...asked.bars.values()].map(({ card: box }) => box));
  const more = $("ask-more");
  more.hidden = first.length === found.length;
  more.textContent = `Show all ${many(found.length, "variable")}${asked.typed ? ` with “${asked.typed}”` : ""}`;
  tellPrinted("ask", shown.length, NAMES.length, "variable");
  $("ask-found").textContent = !asked.typed ? "" : found.length ? `${whole(found.length)} of ${many(NAMES.length, "variable")}` : `No variable has “${asked.typed}” in its name.`;
}

// The probability of what is seen, in words.
function rarity(log) {
  const percent_ = 100 * Math.exp(log);
  return percent_ >= 0.01 ? `${percent_.toPrecision(3)} %` : `about 10^${minus(String(Math.floor(log / Math.LN10)))}`;
}

function unknownWords(words) {
  const { cases } = DATA.prepared || {};
  if (asked.how === "prepared" && cases) return `${words}: impossible in this network, or too rare to estimate what follows from it in a page. Ask in Python or on the command line.`;
  if (asked.how === "mixed" && !isExact()) return `${words}: impossible in this network, or too rare to estimate what follows from it in a page. Ask in Python, net.query_all(given={...}), or take one of them back.`;
  return `${words}: impossible in this network, so nothing follows. Click ${asked.given.size > 1 ? "one of these states" : "the state"} again to take it back.`;
}

// What can change if somebody sets variables: whatever directed paths lead to.
function reachedWords() {
  const given = [...asked.done], reached = new Set();
  const stack = [...given];
  while (stack.length) {
    const node = stack.pop();
    for (const pair of PAIRS) {
      if (!pair.arc) continue;
      const [start, end] = pair.arc === BACK ? [pair.b, pair.a] : [pair.a, pair.b];
      if (start === node && !reached.has(end) && !asked.given.has(end)) { reached.add(end); stack.push(end); }
    }
  }
  const others = NAMES.length - given.length;
  if (!reached.size) return "No directed path leads to any other variable: all stay as they are.";
  return reached.size === others ? "" : `Directed paths lead to ${whole(reached.size)} of ${many(others, "other variable")}; the rest ${others - reached.size === 1 ? "stays as it is" : "stay as they are"}.`;
}

// What was seen where an experiment did set what is set here; of several, that with most rows.
function ownRows() {
  if (asked.given.size !== 1 || asked.done.size !== 1) return null;
  const [[node, value]] = [...asked.given];
  const alike = DATA.own_rows.filter((own) => own.node === node && own.value === value);
  return alike.sort((p, q) => q.rows - p.rows)[0] || null;
}

const endsWords = ([, low, high], words) => (low == null ? "" : ` [${words(low)}, ${words(high)}]`);

function ownWords(own) {
  return own ? ` The rings, and what is called measured, are what was seen in ${many(own.rows, "row")} in which the experiment “${own.experiment}” did set it so: no network has a part in that.` : "";
}

function showOwnState({ own }, seen) {
  own.hidden = !seen;
  if (!seen) return "";
  const words = `measured ${percent(seen[0])}${endsWords(seen, percent)}`;
  own.style.left = `${(100 * seen[0]).toFixed(2)}%`;
  own.title = words;
  return `, ${words}`;
}

function showOwnMean({ own }, seen) {
  own.hidden = !seen;
  own.textContent = seen ? `measured ${figureWords(seen[0], 4)}${endsWords(seen, (end) => figureWords(end, 4))}` : "";
}

function errorWords(found) {
  if (asked.how === "prepared") return preparedError(asked.given, asked.done);
  return found && found.drawn ? ` Estimated from ${whole(found.drawn)} drawn cases, worth ${whole(found.cases)}: probabilities are right to about ${(100 / Math.sqrt(found.cases)).toPrecision(2)} percentage points (two standard errors).` : "";
}

function askedWords(found) {
  const seen = [...asked.given.keys()].filter((node) => !isSet(node));
  const error = errorWords(found);
  if (!asked.given.size) return `Nothing is given: these are the shares among all cases.${error}`;
  if (!found) return unknownWords(listWords(givenWords()));
  const rare = seen.some(isNumber) ? "" : `, which are ${rarity(found.log)} of ${asked.done.size ? "these" : "all"}`;
  const among = `mong cases that ${asked.done.size ? "then " : ""}happen to have ${listWords(givenWords(seen))}${rare}`;
  if (!asked.done.size) return `A${among}${error ? `.${error}` : ":"}`;
  const open = DATA.result.undirected;
  const either = open ? ` The direction of ${many(open, "edge")} is open; with other directions the answer can differ.` : "";
  const reached = seen.length ? "" : ` ${reachedWords()}`;
  return `If somebody makes it so that ${listWords(givenWords([...asked.done]))}${seen.length ? `, a${among}` : ""}. This treats the arcs of the network as causes, and assumes that no common cause is missing and that rows were not selected by what the variables cause.${reached}${either}${error}${ownWords(ownRows())}`;
}

function showAnswers() {
  const found = asked.now, own = ownRows();
  if (asked.order === "changed") showCards();
  for (const [node, { card: box, bars, number, way }] of asked.bars) {
    box.classList.toggle("given", asked.given.has(node));
    way.hidden = !asked.given.has(node);
    way.textContent = isSet(node) ? "set" : "seen";
    way.title = isSet(node) ? "Somebody makes it so; click for: it happens to be so" : "It happens to be so; click for: somebody makes it so";
    way.setAttribute("aria-label", `${NAMES[node]} is ${isSet(node) ? "set" : "seen"}; change that`);
    const seen = own && own.outcomes[node];
    if (number) { showNumber(node, number); showOwnMean(number, seen && seen[0]); }
    for (const [code, bar] of (bars || []).entries()) {
      const { button, fillBar, figure, label } = bar;
      const p = found ? found.marginals[node][code] : null;
      const words = p == null ? "–" : percent(p);
      fillBar.style.width = `${(100 * (p || 0)).toFixed(2)}%`;
      figure.textContent = words;
      button.setAttribute("aria-pressed", String(asked.given.get(node) === code));
      button.setAttribute("aria-label", `${NAMES[node]} = ${label}: ${p == null ? "nothing follows" : words}${showOwnState(bar, seen && seen[code])}`);
      button.dataset.p = p == null ? "" : p.toPrecision(9);
    }
  }
  const ways = new Set([...asked.given.keys()].map(isSet));
  $("ask-see").checked = ways.size ? ways.size === 1 && ways.has(false) : !asked.doing;
  $("ask-do").checked = ways.size ? ways.size === 1 && ways.has(true) : asked.doing;
  $("ask-said").textContent = askedWords(found);
  $("ask-said").classList.toggle("loud", !found);
  $("ask-clear").disabled = !asked.given.size;
  showMoved();
}

// What changed most, first, in one line.
function showMoved() {
  const nodes = mostMoved(), some = nodes.slice(0, TOLD);
  $("ask-moved").hidden = !asked.given.size || !asked.now;
  $("ask-moved").replaceChildren(...(some.length
    ? [make("b", {}, "Changed most: "), ...some.flatMap((node, i) => [i ? "; " : "", nodeButton(node), ` (${movedWords(node)})`]), nodes.length > TOLD ? `; and ${many(nodes.length - TOLD, "other")}` : "", "."]
    : ["Nothing else changes by half a percentage point."]));
}

// Where a page cannot answer: why, and who can.
function sayWhereToAsk() {
  const elsewhere = "Python, net.query_all(given={...}), and the command line, dagscape query, answer";
  const numbers = NAMES.some((_, node) => isNumber(node));
  const complete = DATA.variables.every((about) => about.table != null);
  const why = numbers ? "The network of this table has no fitted parameters in this file" : complete ? `Answers would take tables of more than ${whole(MOST_CELLS)} cells, too many to compute in a page, and there are too many states to prepare them` : "The tables of this network are too large to be in this file, and there are too many states to prepare answers";
  $("ask-text").textContent = `${why}. ${elsewhere} any question.`;
}

// With the keyboard: Enter or the arrow goes on to the first variable found, Escape shows all again.
function listenToFilter() {
  const filter = $("ask-filter");
  const show = () => { asked.typed = filter.value.trim(); asked.all = false; showCards(); showAnswers(); };
  filter.addEventListener("input", show);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && filter.value) { filter.value = ""; show(); }
    else if (event.key === "Enter" || event.key === "ArrowDown") document.querySelector("#ask-cards .ask-state, #ask-cards .ask-number")?.focus();
    else return;
    event.preventDefault();
  });
}

function setUpAsking() {
  const known = DATA.variables.length > 0 && DATA.variables.every((about) => about.cells != null || about.numbers || about.node);
  $("ask").hidden = !known;
  if (!known) return;
  asked.how = howAnswered();
  for (const id of ["ask-controls", "ask-said", "ask-moved", "ask-cards", "ask-more"]) $(id).hidden = !asked.how;
  if (!asked.how) { sayWhereToAsk(); return; }
  const rest = asked.how === "prepared" ? " The network is too large for a page to compute with: the answers were prepared, for one state at a time. Python, net.query_all(given={...}), and the command line, dagscape query, answer what follows from several together." : "";
  const numbers = NAMES.some((_, node) => isNumber(node));
  $("ask-text").replaceChildren(
    onScreen(`Click a state to observe it${numbers ? ", or write a number," : ","} and see how every other variable changes; click it again to take it back. `),
    `The mark in each bar shows its value when nothing is given.${numbers ? ` Numbers are told by mean ± standard deviation; the pale curve is that of nothing given.${isExact() ? "" : " Some states depend on numbers, or there are too many states, so answers are estimated."}` : ""}${rest}`);
  $("ask-filter-box").hidden = NAMES.length <= FILTERED;
  asked.before = asked.now = answersTo(new Map(), new Set());
  showCards();
  showAnswers();
  $("ask-see").addEventListener("change", () => turnAll(false));
  $("ask-do").addEventListener("change", () => turnAll(true));
  $("ask-clear").addEventListener("click", clearGiven);
  $("ask-order").addEventListener("change", (event) => { asked.order = event.target.value; showCards(); showAnswers(); });
  $("ask-more").addEventListener("click", () => { asked.all = true; showCards(); showAnswers(); });
  listenToFilter();
}
