// Two columns of states in a table with numbers: how the states of one go with those of the other.

const CROSSED = { row: 26, bar: 16, legend: 17 };
const cut = (label, most) => ([...label].length > most ? `${[...label].slice(0, most - 1).join("")}…` : label);
// From strong to faint, so that neighbors in a bar can be told apart in any number.
const strength = (i, count) => (count < 2 ? 1 : 1 - (0.82 * i) / (count - 1)).toFixed(3);

// Of a pair of columns with states: a bar for each state of the parent, cut by the states of the child.
function crossedDetails(pair) {
  const found = NUMBERS.crossed.find(([one, other]) => one === pair.a && other === pair.b);
  if (!found) return [];
  const forth = pair.arc !== BACK;
  const [parent, child] = forth ? [pair.a, pair.b] : [pair.b, pair.a];
  const counts = forth ? found[2] : found[2][0].map((_, j) => found[2].map((row) => row[j]));
  return [
    make("h4", {}, `${NAMES[child]} by ${NAMES[parent]}`),
    picture(crossedPicture(parent, child, counts), `${NAMES[child]}-by-${NAMES[parent]}`, `Shares of the states of ${NAMES[child]} among the rows with each state of ${NAMES[parent]}, in ${describedWords()}.`),
  ];
}

function crossedPicture(parent, child, counts) {
  const [states, parts] = [DATA.variables[parent].states, DATA.variables[child].states];
  const rows = states.map((label, i) => [label, counts[i], counts[i].reduce((sum, count) => sum + count, 0)]).filter(([, , all]) => all);
  const legend = Math.ceil(parts.length / 2) * CROSSED.legend;
  const size = { ...PICTURE, left: 92, top: 8 + legend, height: 8 + legend + PICTURE.bottom + CROSSED.row * rows.length };
  const made = chart({ x: { least: 0, most: 1, title: `share of ${short(NAMES[child])}` }, y: { least: 0, most: rows.length, title: "" }, xTicks: [0, 0.25, 0.5, 0.75, 1], xWords: (v) => `${Math.round(100 * v)} %`, yTicks: [], label: `${NAMES[child]} by ${NAMES[parent]}: shares in rows with each state`, left: size.left, size });
  parts.forEach((label, j) => {
    const [x, y] = [j % 2 ? PICTURE.width / 2 : 8, 6 + Math.floor(j / 2) * CROSSED.legend];
    made.svg.append(draw("rect", { class: "part", x, y, width: 11, height: 11, "fill-opacity": strength(j, parts.length) }), draw("text", { x: x + 16, y: y + 10 }, cut(label, 20)));
  });
  rows.forEach(([label, row, all], i) => {
    const y = made.down(rows.length - i - 0.5);
    const bar = draw("g", { class: "crossed" }, draw("text", { x: size.left - 7, y: y + 4, "text-anchor": "end" }, cut(label, 13)));
    let before = 0;
    row.forEach((count, j) => {
      if (!count) return;
      const [from, to] = [made.across(before / all), made.across((before + count) / all)];
      bar.append(draw("rect", { class: "part", x: from.toFixed(1), y: y - CROSSED.bar / 2, width: Math.max(0.5, to - from - 1).toFixed(1), height: CROSSED.bar, "fill-opacity": strength(j, parts.length) },
        draw("title", {}, `${parts[j]}: ${((100 * count) / all).toFixed(1)} % of ${many(all, "row")} with ${NAMES[parent]} ${label}`)));
      before += count;
    });
    made.svg.append(bar);
  });
  return made.svg;
}
