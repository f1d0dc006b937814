// Sections of words, pictures and tables, as the package has written them: of a graph that was drawn, of what changed.
function showSections() {
  const words = ({ lines }) => make("dl", { class: "settings" }, lines.map(([title, sentences]) => [make("dt", {}, title), make("dd", {}, sentences.map((one) => make("p", {}, one.replaceAll(" -> ", " → "))))]));
  const pictures = (each) => each.pictures.length ? make("div", { class: "beside" }, each.pictures.map(([title, address]) => make("figure", {}, make("figcaption", {}, title), make("img", { src: address, alt: title })))) : null;
  const cell = (value) => make("td", { class: typeof value === "number" ? "number" : null }, typeof value === "number" ? fixed(value, Number.isInteger(value) ? 0 : 3) : value);
  const table = ({ title, columns, rows, more }) => make("details", { class: "reading" }, make("summary", {}, `${title} (${whole(rows.length + more)})`),
    scrolled(title, make("table", {}, make("thead", {}, make("tr", {}, columns.map((name) => make("th", { scope: "col" }, name)))), make("tbody", {}, rows.map((row) => make("tr", {}, row.map(cell)))))),
    more ? make("p", { class: "note" }, `and ${whole(more)} more`) : null);
  $("sections").replaceChildren(...DATA.sections.map((each) => make("section", { class: "told" }, make("h2", {}, each.title), each.graph && inCircle(each.graph), words(each), pictures(each), each.tables.filter(({ rows }) => rows.length).map(table))));
}

// A graph that may go in circles, drawn in one: names around it, arcs bent to one side, so that two opposite ones lie apart.
function inCircle({ names, arcs, says }) {
  const radius = Math.max(110, names.length * 16);
  const [middle, height] = [radius + 130, 2 * radius + 80];
  const ends = names.map((_, i) => { const turn = (2 * Math.PI * i) / names.length - Math.PI / 2; return [middle + radius * Math.cos(turn), height / 2 + radius * Math.sin(turn)]; });
  const half = names.map((name) => 9 + 3.8 * [...short(name)].length);
  const away = ([x, y], [u, v], i) => { const [dx, dy] = [u - x, v - y]; const share = Math.min(half[i] / Math.max(1e-9, Math.abs(dx)), 13 / Math.max(1e-9, Math.abs(dy))); return [x + dx * share, y + dy * share]; };
  const arrows = arcs.map(([a, b, label, [at, to]]) => {
    const [p, q] = [ends[a], ends[b]];
    const bend = [(p[0] + q[0]) / 2 - (q[1] - p[1]) * 0.14, (p[1] + q[1]) / 2 + (q[0] - p[0]) * 0.14];
    const [from, end] = [away(p, bend, a), away(q, bend, b)];
    const spoken = label ? `${names[a]} → ${names[b]}, ${label} before` : `${names[a]} ${EDGE_WORDS[at + to] ?? "–"} ${names[b]}`;
    const spot = [0, 1].map((i) => from[i] / 4 + bend[i] / 2 + end[i] / 4);
    return draw("g", { class: "same", role: "img", "aria-label": spoken }, draw("title", {}, spoken),
      draw("path", { class: "line", fill: "none", d: `M${from}Q${bend} ${end}` }), endMark(to, end, bend), endMark(at, from, bend),
      label && draw("text", { x: spot[0], y: spot[1], class: "lag", "text-anchor": "middle" }, label));
  });
  const boxes = names.map((name, i) => draw("g", { class: "node" }, draw("title", {}, name),
    draw("rect", { x: ends[i][0] - half[i], y: ends[i][1] - 12, width: 2 * half[i], height: 24, rx: 4 }), draw("text", { x: ends[i][0], y: ends[i][1] + 4, "text-anchor": "middle" }, short(name))));
  return draw("svg", { class: "circle", viewBox: `0 0 ${2 * middle} ${height}`, width: 2 * middle, role: "group", "aria-label": says }, arrows, boxes);
}

const EDGE_WORDS = { "->": "→", ">-": "←", "o>": "o→", ">o": "←o", oo: "o–o", ">>": "↔" };

// The mark at an end of a line that comes from a point: a head, a ring, or nothing.
function endMark(mark, [x, y], [u, v]) {
  const length = Math.hypot(x - u, y - v) || 1;
  const [ux, uy] = [(x - u) / length, (y - v) / length];
  if (mark === "o") return draw("circle", { class: "ring", cx: x - 4 * ux, cy: y - 4 * uy, r: 4 });
  if (mark !== ">") return null;
  const head = [[x - 9 * ux - 4 * uy, y - 9 * uy + 4 * ux], [x - 9 * ux + 4 * uy, y - 9 * uy - 4 * ux]];
  return draw("path", { class: "head", d: `M${[x, y]}L${head[0]}L${head[1]}Z` });
}
