// Ask the network: states that are given by clicks, and what becomes of all others.

const FIRST_CARDS = 60;
const FILTERED = 12; // variables, above which they can be filtered by name
const asked = { given: new Map(), doing: false, prepared: false, before: null, bars: new Map(), all: false, typed: "" };

const givenWords = () => [...asked.given].map(([node, code]) => `${NAMES[node]} = ${DATA.variables[node].states[code]}`);
const listWords = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`);

function give(node, code) {
  const back = asked.given.get(node) === code;
  if (asked.prepared) asked.given.clear(); // there are answers to one state at a time
  if (back) asked.given.delete(node);
  else asked.given.set(node, code);
  showAnswers();
}

function stateBar(node, code, label) {
  const fillBar = make("span", { class: "fill" });
  const was = make("span", { class: "was", style: `left:${(100 * asked.before[node][code]).toFixed(2)}%` });
  const figure = make("span", { class: "figure" });
  const button = make("button", { type: "button", class: "ask-state", "data-ask": `${node} ${code}`, on: { click: () => give(node, code) } },
    make("span", { class: "label", title: label }, label), make("span", { class: "track" }, fillBar, was), figure);
  return { button, fillBar, figure, label };
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

function showCards() {
  const found = matching(asked.typed);
  const first = found.slice(0, asked.all ? NAMES.length : FIRST_CARDS);
  // What is given stays in sight, to be taken back.
  const shown = [...first, ...(asked.typed ? [...asked.given.keys()].filter((node) => !first.includes(node)) : [])];
  asked.bars = new Map();
  $("ask-cards").replaceChildren(...shown.map((node) => {
    const bars = DATA.variables[node].states.map((label, code) => stateBar(node, code, label));
    const card = make("div", { class: "ask-card", role: "group", "aria-label": NAMES[node], "data-card": node }, make("h3", {}, nodeButton(node)), make("div", { class: "ask-states" }, bars.map(({ button }) => button)));
    asked.bars.set(node, { card, bars });
    return card;
  }));
  const more = $("ask-more");
  more.hidden = first.length === found.length;
  more.textContent = `Show all ${many(found.length, "variable")}${asked.typed ? ` with “${asked.typed}”` : ""}`;
  tellPrinted("ask", shown.length, NAMES.length, "variable");
  $("ask-found").textContent = !asked.typed ? "" : found.length ? `${whole(found.length)} of ${many(NAMES.length, "variable")}` : `No variable has “${asked.typed}” in its name.`;
}

// The probability of what is given, in words.
function rarity(log) {
  const percent = 100 * Math.exp(log);
  return percent >= 0.01 ? `${percent.toPrecision(3)} %` : `about 10^${minus(String(Math.floor(log / Math.LN10)))}`;
}

function unknownWords(words) {
  const { cases } = DATA.prepared || {};
  if (asked.prepared && cases) return `${words}: impossible in this network, or too rare to estimate what follows from it in a page. Ask in Python or on the command line.`;
  return `${words}: impossible in this network, so nothing follows. Click ${asked.given.size > 1 ? "one of these states" : "the state"} again to take it back.`;
}

// What can change if somebody sets variables: whatever directed paths lead to.
function reachedWords() {
  const given = [...asked.given.keys()], reached = new Set();
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

function askedWords(found) {
  const words = listWords(givenWords());
  const error = asked.prepared ? preparedError(asked.given, asked.doing) : "";
  if (!words) return `Nothing is given: these are the shares among all cases.${error}`;
  if (!found) return unknownWords(words);
  if (!asked.doing) return `Among cases that happen to have ${words}, which are ${rarity(found.log)} of all${error ? `.${error}` : ":"}`;
  const open = DATA.result.undirected;
  const either = open ? ` The direction of ${many(open, "edge")} is open; with other directions the answer can differ.` : "";
  return `If somebody makes it so that ${words}. This treats the arcs of the network as causes, and assumes that no common cause is missing and that rows were not selected by what the variables cause. ${reachedWords()}${either}${error}`;
}

const answersTo = (given, doing) => (asked.prepared ? answersPrepared : answersGiven)(given, doing);

function showAnswers() {
  const found = answersTo(asked.given, asked.doing);
  for (const [node, { card, bars }] of asked.bars) {
    card.classList.toggle("given", asked.given.has(node));
    bars.forEach(({ button, fillBar, figure, label }, code) => {
      const p = found ? found.marginals[node][code] : null;
      const words = p == null ? "–" : percent(p);
      const on = asked.given.get(node) === code;
      fillBar.style.width = `${(100 * (p || 0)).toFixed(2)}%`;
      figure.textContent = words;
      button.setAttribute("aria-pressed", String(on));
      button.setAttribute("aria-label", `${NAMES[node]} = ${label}: ${p == null ? "nothing follows" : words}`);
      button.dataset.p = p == null ? "" : p.toPrecision(9);
    });
  }
  $("ask-said").textContent = askedWords(found);
  $("ask-said").classList.toggle("loud", !found);
  $("ask-clear").disabled = !asked.given.size;
  markGiven();
}

// Mark in the drawing what is given.
function markGiven() {
  for (const [node, box] of graph.nodes) box.classList.toggle("given", asked.given.has(node));
}

// Networks with numbers are asked elsewhere: the page says where, in words that can be copied.
function sayWhereNumbersAreAsked() {
  for (const id of ["ask-controls", "ask-said", "ask-cards", "ask-more"]) $(id).hidden = true;
  const child = DATA.variables.findIndex(({ parents }) => parents.some(isNumber));
  const node = child < 0 ? NAMES.findIndex((_, i) => isNumber(i)) : DATA.variables[child].parents.find(isNumber);
  const value = figureWords(DATA.variables[node].numbers.quartiles[2]).replace("−", "-").replace(/,/g, "");
  const [given, target] = [NAMES[node], NAMES[Math.max(child, 0)]].map((name) => JSON.stringify(name));
  const code = (text) => make("code", {}, text);
  $("ask-text").replaceChildren(
    "This page computes answers for networks with states only, and this one has numbers. In Python, ", code("net = ds.fit(r.dag, data)"), " makes a network of lines, ",
    code(`net.query_all(given={${given}: ${value}})`), " shows what goes with a value, and ", code(`net.do({${given}: ${value}}).query(${target})`), " what follows if somebody sets it. On the command line, ",
    code("dagscape query network.json --given 'NAME=VALUE'"), " asks the network that dagscape learn wrote.");
}

// With the keyboard: Enter or the arrow goes on to the first variable found, Escape shows all again.
function listenToFilter() {
  const filter = $("ask-filter");
  const show = () => { asked.typed = filter.value.trim(); asked.all = false; showCards(); showAnswers(); };
  filter.addEventListener("input", show);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && filter.value) { filter.value = ""; show(); }
    else if (event.key === "Enter" || event.key === "ArrowDown") document.querySelector("#ask-cards .ask-state")?.focus();
    else return;
    event.preventDefault();
  });
}

function setUpAsking() {
  if (NUMBERS && NAMES.some((_, node) => isNumber(node))) return sayWhereNumbersAreAsked();
  const known = DATA.variables.length > 0 && DATA.variables.every((about) => about.cells != null);
  $("ask").hidden = !known;
  if (!known) return;
  const complete = DATA.variables.every((about) => about.table != null);
  const computed = complete && isSmall();
  asked.prepared = !computed && DATA.prepared != null;
  const answered = computed || asked.prepared;
  for (const id of ["ask-controls", "ask-said", "ask-cards", "ask-more"]) $(id).hidden = !answered;
  const elsewhere = "Python, net.query_all(given={...}), and the command line, dagscape query, answer";
  if (!answered) {
    const why = complete ? `Answers would take tables of more than ${whole(MOST_CELLS)} cells, too many to compute in a page` : "The tables of this network are too large to be in this file";
    $("ask-text").textContent = `${why}, and there are too many states to prepare them. ${elsewhere} any question.`;
    return;
  }
  const rest = asked.prepared ? ` The network is too large for a page to compute with: the answers were prepared, for one state at a time. ${elsewhere} what follows from several together.` : "";
  $("ask-text").replaceChildren(
    onScreen("Click a state to observe it, and see how every other variable changes; click it again to take it back. "),
    `The mark in each bar shows its value when nothing is given.${rest}`);
  $("ask-filter-box").hidden = NAMES.length <= FILTERED;
  asked.before = answersTo(new Map(), false).marginals;
  showCards();
  showAnswers();
  for (const id of ["ask-see", "ask-do"]) $(id).addEventListener("change", () => { asked.doing = $("ask-do").checked; showAnswers(); });
  $("ask-clear").addEventListener("click", () => { asked.given.clear(); showAnswers(); });
  $("ask-more").addEventListener("click", () => { asked.all = true; showCards(); showAnswers(); });
  listenToFilter();
}
