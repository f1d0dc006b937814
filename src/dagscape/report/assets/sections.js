// Sections of words, pictures and tables, as the package has written them: of a graph that was drawn, of what changed.
function showSections() {
  const words = ({ lines }) => make("dl", { class: "settings" }, lines.map(([title, sentences]) => [make("dt", {}, title), make("dd", {}, sentences.map((one) => make("p", {}, one.replaceAll(" -> ", " → "))))]));
  const pictures = (each) => each.pictures.length ? make("div", { class: "beside" }, each.pictures.map(([title, address]) => make("figure", {}, make("figcaption", {}, title), make("img", { src: address, alt: title })))) : null;
  const cell = (value) => make("td", { class: typeof value === "number" ? "number" : null }, typeof value === "number" ? fixed(value, Number.isInteger(value) ? 0 : 3) : value);
  const table = ({ title, columns, rows, more }) => make("details", { class: "reading" }, make("summary", {}, `${title} (${whole(rows.length + more)})`),
    make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, columns.map((name) => make("th", {}, name)))), make("tbody", {}, rows.map((row) => make("tr", {}, row.map(cell)))))),
    more ? make("p", { class: "note" }, `and ${whole(more)} more`) : null);
  $("sections").replaceChildren(...DATA.sections.map((each) => make("section", { class: "told" }, make("h2", {}, each.title), each.graph && inCircle(each.graph), words(each), pictures(each), each.tables.filter(({ rows }) => rows.length).map(table))));
}

// A graph that may go in circles, drawn in one: names around it, arcs bent to one side, so that two opposite ones lie apart.
function inCircle({ names, arcs }) {
  const radius = Math.max(110, names.length * 16);
  const [middle, height] = [radius + 130, 2 * radius + 80];
  const at = names.map((_, i) => { const turn = (2 * Math.PI * i) / names.length - Math.PI / 2; return [middle + radius * Math.cos(turn), height / 2 + radius * Math.sin(turn)]; });
  const half = names.map((name) => 9 + 3.8 * [...short(name)].length);
  const away = ([x, y], [u, v], i) => { const [dx, dy] = [u - x, v - y]; const share = Math.min(half[i] / Math.max(1e-9, Math.abs(dx)), 13 / Math.max(1e-9, Math.abs(dy))); return [x + dx * share, y + dy * share]; };
  const arrows = arcs.map(([a, b, label]) => {
    const [p, q] = [at[a], at[b]];
    const bend = [(p[0] + q[0]) / 2 - (q[1] - p[1]) * 0.14, (p[1] + q[1]) / 2 + (q[0] - p[0]) * 0.14];
    const [from, to] = [away(p, bend, a), away(q, bend, b)];
    const length = Math.hypot(to[0] - bend[0], to[1] - bend[1]) || 1;
    const [ux, uy] = [(to[0] - bend[0]) / length, (to[1] - bend[1]) / length];
    const head = [[to[0] - 9 * ux - 4 * uy, to[1] - 9 * uy + 4 * ux], [to[0] - 9 * ux + 4 * uy, to[1] - 9 * uy - 4 * ux]];
    const spoken = `${names[a]} → ${names[b]}, ${label} before`;
    const spot = [0, 1].map((i) => from[i] / 4 + bend[i] / 2 + to[i] / 4);
    return draw("g", { class: "same", role: "img", "aria-label": spoken }, draw("title", {}, spoken),
      draw("path", { class: "line", fill: "none", d: `M${from}Q${bend} ${to}` }), draw("path", { class: "head", d: `M${to}L${head[0]}L${head[1]}Z` }),
      draw("text", { x: spot[0], y: spot[1], class: "lag", "text-anchor": "middle" }, label));
  });
  const boxes = names.map((name, i) => draw("g", { class: "node" }, draw("title", {}, name),
    draw("rect", { x: at[i][0] - half[i], y: at[i][1] - 12, width: 2 * half[i], height: 24, rx: 4 }), draw("text", { x: at[i][0], y: at[i][1] + 4, "text-anchor": "middle" }, short(name))));
  return draw("svg", { class: "circle", viewBox: `0 0 ${2 * middle} ${height}`, width: 2 * middle, role: "group", "aria-label": "Which series drive which" }, arrows, boxes);
}
