// Sections of words and tables, as the package has written them: of a graph that was drawn, of what changed.
function showSections() {
  const words = ({ lines }) => make("dl", { class: "settings" }, lines.map(([title, sentences]) => [make("dt", {}, title), make("dd", {}, sentences.map((one) => make("p", {}, one.replaceAll(" -> ", " → "))))]));
  const cell = (value) => make("td", { class: typeof value === "number" ? "number" : null }, typeof value === "number" ? fixed(value, Number.isInteger(value) ? 0 : 3) : value);
  const table = ({ title, columns, rows, more }) => make("details", { class: "reading" }, make("summary", {}, `${title} (${whole(rows.length + more)})`),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, columns.map((name) => make("th", {}, name)))), make("tbody", {}, rows.map((row) => make("tr", {}, row.map(cell)))))),
    more ? make("p", { class: "note" }, `and ${whole(more)} more`) : null);
  $("sections").replaceChildren(...DATA.sections.map((each) => make("section", { class: "told" }, make("h2", {}, each.title), words(each), each.tables.filter(({ rows }) => rows.length).map(table))));
}
