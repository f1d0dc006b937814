// What the network implies: independences that a table can contradict, beside a picked pair and in a list.

const IMPLIED = DATA.implied;
const FIRST_IMPLIED = 40;
const impliedAt = new Map((IMPLIED ? IMPLIED.rows : []).map((row) => [`${Math.min(row[0], row[1])} ${Math.max(row[0], row[1])}`, row]));
const pWords = (p) => (p == null ? "" : p < 0.001 ? "below 0.001" : p.toFixed(3));
const impliedWords = ([a, b, given]) => `${NAMES[a]} ⊥ ${NAMES[b]}${given.length ? ` | ${given.map((node) => NAMES[node]).join(", ")}` : ""}`;

// A pair that the page does not list, so that any two variables can be picked.
const pairBetween = (a, b) => pairOf(a, b) || { index: -1, a: Math.min(a, b), b: Math.max(a, b), shares: null, strength: null, found: NONE, drawn: NONE, truth: NONE, arc: NONE, change: null, between: [], required: false };

function impliedDetails({ a, b }) {
  const row = impliedAt.get(`${Math.min(a, b)} ${Math.max(a, b)}`);
  if (!row) return [];
  const [, , given, p, corrected, verdict] = row;
  const said = p == null ? "It was not tested here; dagscape examine tests it." : `${verdict[0].toUpperCase()}${verdict.slice(1)}: p ${pWords(p)}, corrected for ${many(IMPLIED.rows.length, "test")} ${pWords(corrected)}.`;
  return [make("h4", {}, "Testable implication"), make("p", { id: "implication" }, impliedWords(row)), make("p", { class: "soft" }, `${given.length ? "Given these, the two" : "The two"} are independent if the network is right. ${said}`)];
}

// With another variable: a way to pick any pair.
function otherDetails(node) {
  if (NAMES.length < 2) return [];
  const select = make("select", { id: "with-other", "aria-label": `A pair with ${NAMES[node]}`, on: { change: () => { if (select.value !== "") pick({ pair: pairBetween(node, Number(select.value)) }); } } },
    make("option", { value: "" }, "another variable"));
  whenNear(select, () => select.append(...NAMES.map((name, i) => (i === node ? "" : make("option", { value: i }, name))).filter(Boolean)));
  return [make("h4", {}, "The pair with"), make("p", {}, select)];
}

function showImplied() {
  $("implied").hidden = !IMPLIED;
  if (!IMPLIED) return;
  const { rows, tested, level } = IMPLIED;
  const fails = rows.filter(([, , , , , verdict]) => verdict === "fails").length;
  $("implied-text").textContent = `Between variables that are not joined the network implies ${many(rows.length, "independence")}, by the local Markov property, given as few others as it takes. ${tested
    ? `Each was tested by shuffling ${whole(IMPLIED.of_rows)} rows, and corrected for their number (Holm): ${fails ? `${whole(fails)} fail${fails === 1 ? "s" : ""}` : "none fails"} at ${level}. The network was learned from the same rows, so that they look better than on fresh ones.`
    : "They were not tested here: dagscape examine does that for a graph and a table."}`;
  const all = listed.implied || FIRST_IMPLIED, some = rows.slice(0, all);
  $("implied-table").replaceChildren(make("thead", {}, make("tr", {}, ["a", "b", "given", ...(tested ? ["p", "corrected", "verdict"] : [])].map((word) => make("th", { scope: "col", class: ["p", "corrected"].includes(word) ? "number" : null }, word)))),
    make("tbody", {}, some.map((row) => make("tr", { class: row[5] === "fails" ? "picked" : null }, [row[0], row[1]].map((node) => make("td", { class: "name" }, nodeButton(node))), make("td", { class: "name" }, row[2].map((node) => NAMES[node]).join(", ") || "nothing"),
      tested ? [make("td", { class: "number" }, pWords(row[3])), make("td", { class: "number" }, pWords(row[4])), make("td", {}, make("button", { type: "button", class: "link", "aria-label": `The pair ${NAMES[row[0]]}, ${NAMES[row[1]]}`, on: { click: () => pick({ pair: pairBetween(row[0], row[1]) }) } }, row[5]))] : []))));
  $("implied-more").hidden = some.length === rows.length;
  $("implied-more").textContent = `Show all ${whole(rows.length)}`;
  tellPrinted("implied", some.length, rows.length, "independence");
}

function setUpImplied() {
  $("implied-more").addEventListener("click", () => { listed.implied = IMPLIED.rows.length; showImplied(); });
  showImplied();
}
