// Columns of numbers: how values lie, and how columns follow each other.

const NUMBERS = DATA.numbers;
const PICTURE = { width: 330, height: 236, left: 46, right: 12, top: 10, bottom: 40 };
const LEFT_OUT = 65535;
const isNumber = (node) => Boolean(DATA.variables[node].numbers);
const drawable = (node) => DATA.variables[node].numbers.range.every((end) => Math.abs(end) < 1e300); // else differences overflow
const bends = new Map((NUMBERS ? NUMBERS.bent : []).map((bend) => [pairOf(...bend.ends), bend]));

// Some digits of a number, as short as can be.
function figureWords(value, digits = 3) {
  if (value == null) return "?";
  const size = Math.abs(value);
  if (size && (size >= 1e6 || size < 1e-3)) return minus(value.toExponential(digits - 1)).replace("e+", "e");
  return minus(Number(value.toPrecision(Math.max(digits, size >= 100 ? 4 : digits))).toLocaleString("en", { maximumSignificantDigits: 6 }));
}

const steps = new Map();
function stepsOf(text) {
  if (!steps.has(text)) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    steps.set(text, Array.from({ length: bytes.length / 2 }, (_, i) => view.getUint16(2 * i, true)));
  }
  return steps.get(text);
}

// The values of a column in the rows that are drawn as points; null where one lies beyond the picture.
function pointsOf(node) {
  const { range: [low, high], points } = DATA.variables[node].numbers;
  return stepsOf(points).map((step) => (step === LEFT_OUT ? null : low + (high / 65534 - low / 65534) * step));
}

// A picture with a button that saves it, and words below.
function picture(svg, name, ...words) {
  const save = make("button", { type: "button", class: "small plain", title: "Save the picture as SVG", on: { click: () => saveChart(svg, name) } }, "Save SVG");
  const pdf = make("button", { type: "button", class: "small plain", title: "Save the picture as PDF", on: { click: () => savePdf(svg.cloneNode(true), `${name}.pdf`, "chart") } }, "PDF");
  return make("figure", { class: "chart numbers" }, svg, make("figcaption", {}, ...words), save, " ", pdf);
}

const SAVED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "fill-opacity", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight"];
function saveChart(svg, name) {
  const copy = svg.cloneNode(true);
  const [from, to] = [[...svg.querySelectorAll("*")], [...copy.querySelectorAll("*")]];
  from.forEach((element, i) => { const style = getComputedStyle(element); for (const key of SAVED) to[i].style.setProperty(key, style.getPropertyValue(key)); });
  copy.setAttribute("xmlns", SVG);
  saveFile(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(copy));
}

// An axis from a range that ends at round numbers, if the range is of a size that has any.
const axisTicks = (least, most, count) => ticks(least, most, count).filter((value) => value >= least && value <= most);

function frame(x, y, label) {
  const xTicks = axisTicks(x.least, x.most, 5), yTicks = axisTicks(y.least, y.most, 5);
  const widest = Math.max(...yTicks.map((value) => figureWords(value).length), 1);
  return chart({ x, y, label, xTicks, yTicks, xWords: (v) => figureWords(v), yWords: (v) => (y.hidden ? "" : figureWords(v)), left: y.hidden ? 24 : 26 + 6.4 * widest, size: PICTURE });
}

function histogram(node) {
  const { range: [least, most], bars, curve } = DATA.variables[node].numbers;
  const high = Math.max(...bars, ...curve) * 1.06;
  const made = frame({ least, most, title: short(NAMES[node]) }, { least: 0, most: high, title: "rows" }, `Histogram and density of ${NAMES[node]}`);
  const place = (i, count) => made.across(least + (most - least) * (i / count));
  bars.forEach((rows, i) => {
    if (rows) made.svg.append(draw("rect", { class: "bar", x: place(i, bars.length) + 0.4, y: made.down(rows), width: place(i + 1, bars.length) - place(i, bars.length) - 0.8, height: made.down(0) - made.down(rows) }, draw("title", {}, many(rows, "row"))));
  });
  if (curve.length) made.svg.append(draw("path", { class: "curve", d: `M${curve.map((height, i) => `${place(i, curve.length - 1).toFixed(1)} ${made.down(height).toFixed(1)}`).join("L")}` }));
  return made.svg;
}

// Of a column of numbers: how its values lie, and how it follows its parents.
function numberDetails(node) {
  if (!isNumber(node)) return [];
  const { least, most, mean, deviation, quartiles, beyond } = DATA.variables[node].numbers;
  const left = beyond ? ` ${many(beyond, "value")} far from the others ${beyond === 1 ? "is" : "are"} left out of the picture.` : "";
  return [
    make("h4", {}, `Values in ${describedWords()}`),
    ...(drawable(node) ? [picture(histogram(node), `${NAMES[node]}-values`, `Bars count rows; the curve is a smooth density.${left}`)] : []),
    make("p", {}, `From ${figureWords(least, 4)} to ${figureWords(most, 4)}; half of them between ${figureWords(quartiles[0], 4)} and ${figureWords(quartiles[2], 4)}, the median ${figureWords(quartiles[1], 4)}; mean ${figureWords(mean, 4)}, standard deviation ${figureWords(deviation, 4)}.`),
    ...slopeTable(node),
  ];
}

const describedWords = () => (NUMBERS.described < DATA.rows ? `${many(NUMBERS.described, "row")} drawn at random from ${whole(DATA.rows)}` : many(DATA.rows, "row"));

// A slope and the ends of its interval, to the digits that the interval is worth.
function slopeWords(value, lower, upper) {
  const wide = lower == null ? 0 : upper - lower;
  const largest = Math.max(Math.abs(value), Math.abs(lower || 0), Math.abs(upper || 0));
  if (!(wide > 0) || largest >= 1e6 || wide < 1e-5) return [value, lower, upper].map((one) => (one == null ? "" : figureWords(one)));
  const digits = Math.min(8, Math.max(0, Math.ceil(-Math.log10(wide)) + 1));
  return [value, lower, upper].map((one) => fixed(one, digits));
}

function slopeTable(node) {
  const { line } = DATA.variables[node];
  if (!line.slopes.length) return [];
  const rows = line.slopes.map(([parent, stateOf, against, value, lower, upper]) => {
    const [said, from, to] = value == null ? ["cannot be told"] : slopeWords(value, lower, upper);
    return make("tr", {},
      make("th", { scope: "row" }, NAMES[parent], stateOf == null ? "" : `: ${DATA.variables[parent].states[stateOf]}, not ${DATA.variables[parent].states[against]}`),
      make("td", { class: "number" }, said), make("td", { class: "number" }, from ? `${from} to ${to}` : ""));
  });
  return [
    make("h4", {}, `${NAMES[node]} by its parents`),
    make("p", { class: "soft" }, `A straight line, fitted by least squares, explains ${Math.round(100 * line.explained)} % of the variance; residuals have the standard deviation ${figureWords(line.deviation)}. A slope is the change for one unit of a parent, the others held fixed. ${NUMBERS.slopes_caution}`),
    make("div", { class: "cpt" }, scrolled("Slopes", make("table", { id: "slopes" }, make("thead", {}, make("tr", {}, ["parent", "slope", "95 % interval"].map((word, i) => make("th", { scope: "col", class: i ? "number" : null }, word)))), make("tbody", {}, rows)))),
  ];
}

// Of a pair with numbers: the picture of its values, and what the line says.
function relationDetails(pair) {
  if (!NUMBERS) return [];
  if (![pair.a, pair.b].some(isNumber)) return crossedDetails(pair);
  if (![pair.a, pair.b].filter(isNumber).every(drawable)) return [];
  if (isNumber(pair.a) !== isNumber(pair.b)) return boxDetails(pair);
  const bend = bends.get(pair);
  const [parent, child] = pair.arc === BACK || (!pair.arc && bend && bend.ends[0] === pair.a) ? [pair.b, pair.a] : [pair.a, pair.b];
  const line = pair.arc ? DATA.variables[child].line : null;
  const own = line && line.slopes.find(([other]) => other === parent);
  const rest = line ? line.slopes.filter(([other, , , value]) => other !== parent && value != null) : [];
  const others = [...new Set(rest.map(([other]) => NAMES[other]))];
  const held = others.length ? `, ${others.length > 3 ? `its other ${others.length} parents` : others.join(" and ")} held fixed` : "";
  const parts = [make("h4", {}, `${NAMES[child]} and ${NAMES[parent]}`), picture(scatter(parent, child, own, rest, line, bend), `${NAMES[parent]}-${NAMES[child]}`, scatterWords(own, others, bend))];
  if (own && own[3] != null) {
    const [said, from, to] = slopeWords(...own.slice(3));
    parts.push(make("p", { id: "slope" }, `${NAMES[child]} ${own[3] < 0 ? "falls" : "rises"} by `, make("b", {}, said.replace("−", "")), ` for one more unit of ${NAMES[parent]}${held}${from ? ` (95 % interval of the slope: ${from} to ${to})` : ""}.`, from ? make("span", { class: "soft" }, ` ${NUMBERS.slopes_caution}`) : ""));
  }
  if (own && own[3] == null) parts.push(make("p", { id: "slope" }, `The other parents make up ${NAMES[parent]}, so its slope is not defined.`));
  if (bend) parts.push(make("p", { id: "bend", class: "loud" }, `This is clearly not a line. ${bend.joined ? "The network joins the two as if it were" : "The network takes the two for unrelated, since no line joins them"}; the score basis_bic, of degree 3, sees curves too.`));
  return parts;
}

function scatterWords(own, others, bend) {
  const points = NUMBERS.points < DATA.rows ? `${whole(NUMBERS.points)} rows drawn at random from ${whole(DATA.rows)}` : `All ${many(DATA.rows, "row")}`;
  const moved = others.length ? `, moved to where they would lie if ${others.length > 3 ? "all other parents" : others.join(" and ")} had their means` : "";
  const line = own && own[3] != null ? " The line is the regression on all rows, the band its 95 % interval." : "";
  return `${points}${moved}.${line}${bend ? " The dotted curve joins the means of ten groups of rows." : ""}`;
}

function scatter(parent, child, own, rest, line, bend) {
  const xs = pointsOf(parent);
  const ys = adjusted(child, rest);
  const dots = xs.map((x, i) => [x, ys[i]]).filter(([x, y]) => x != null && y != null);
  const { range: [least, most] } = DATA.variables[parent].numbers;
  const means = bend ? bend.means.filter(([x]) => x >= least && x <= most) : [];
  const ends = own && own[3] != null ? [least, most].map((x) => lineAt(parent, own, line)(x)) : [];
  const heights = [...[...dots, ...means].map(([, y]) => y), ...ends];
  const [low, high] = heights.length ? [Math.min(...heights), Math.max(...heights)] : DATA.variables[child].numbers.range;
  const pad = (high - low || Math.abs(high) || 1) * 0.04;
  const made = frame({ least, most, title: short(NAMES[parent]) }, { least: low - pad, most: high + pad, title: rest.length ? `${short(NAMES[child])}, others held` : short(NAMES[child]) }, `${NAMES[child]} against ${NAMES[parent]}, ${whole(dots.length)} points`);
  for (const [x, y] of dots) made.svg.append(draw("circle", { class: "point", cx: made.across(x).toFixed(1), cy: made.down(y).toFixed(1), r: dots.length > 250 ? 1.9 : 2.5 }));
  if (own && own[3] != null) made.svg.append(...lineWithBand(made, parent, own, line, least, most));
  if (means.length) made.svg.append(draw("path", { class: "bent", d: `M${means.map(([x, y]) => `${made.across(x).toFixed(1)} ${made.down(y).toFixed(1)}`).join("L")}` }));
  return made.svg;
}

const lineAt = (parent, [, , , slope], line) => (x) => line.mean + slope * (x - DATA.variables[parent].numbers.mean);

// The regression line, through the means, and how far it may be off: by its height and by its slope.
function lineWithBand(made, parent, own, line, least, most) {
  const { mean } = DATA.variables[parent].numbers;
  const [lower, upper] = own.slice(4);
  const at = lineAt(parent, own, line);
  const inside = (y) => Math.min(PICTURE.height - PICTURE.bottom, Math.max(PICTURE.top, y)).toFixed(1);
  const parts = [];
  if (lower != null) {
    const height = (line.factor * line.deviation) / Math.sqrt(NUMBERS.described);
    const off = (x) => Math.hypot(height, ((upper - lower) / 2) * (x - mean));
    const xs = Array.from({ length: 25 }, (_, i) => least + (most / 24 - least / 24) * i);
    const edge = (side) => xs.map((x) => `${made.across(x).toFixed(1)} ${inside(made.down(at(x) + side * off(x)))}`);
    parts.push(draw("path", { class: "band", d: `M${edge(1).join("L")}L${edge(-1).reverse().join("L")}Z` }));
  }
  parts.push(draw("path", { class: "fit", d: `M${made.across(least).toFixed(1)} ${made.down(at(least)).toFixed(1)}L${made.across(most).toFixed(1)} ${made.down(at(most)).toFixed(1)}` }));
  return parts;
}

// The values of a column, less what its other parents add to it; null where one of them is not known.
function adjusted(child, rest) {
  const values = pointsOf(child);
  for (const [parent, stateOf, , slope] of rest) {
    const about = DATA.variables[parent];
    const others = stateOf == null ? pointsOf(parent) : stepsOf(about.points).map((code) => (code === stateOf ? 1 : 0));
    const mean = stateOf == null ? about.numbers.mean : about.shares[stateOf];
    values.forEach((value, i) => { values[i] = value == null || others[i] == null ? null : value - slope * (others[i] - mean); });
  }
  return values;
}

function boxDetails(pair) {
  const [of, by] = isNumber(pair.a) ? [pair.a, pair.b] : [pair.b, pair.a];
  const found = NUMBERS.boxes.find(([one, other]) => one === of && other === by);
  if (!found) return [];
  const [, , all, boxes] = found;
  const states = DATA.variables[by].states;
  const [least, most] = [Math.min(...boxes.map((box) => box[2])), Math.max(...boxes.map((box) => box[6]))];
  const pad = (most - least || Math.abs(most) || 1) * 0.04;
  const made = boxPicture(of, by, boxes, least - pad, most + pad, states);
  const fewer = all > boxes.length ? ` The ${boxes.length} most frequent of ${whole(all)} states.` : "";
  const parts = [make("h4", {}, `${NAMES[of]} by ${NAMES[by]}`), picture(made, `${NAMES[of]}-by-${NAMES[by]}`, `Boxes hold the middle half of the rows, with the median as a line and the mean as a dot; whiskers reach the last values within 1.5 box widths.${fewer}`)];
  const child = pair.arc === FORTH ? pair.b : pair.a;
  const slopes = pair.arc && child === of ? DATA.variables[of].line.slopes.filter(([parent, , , value]) => parent === by && value != null) : [];
  const others = slopes.length && new Set(DATA.variables[of].parents).size > 1 ? ", its other parents held fixed" : "";
  if (slopes.length) {
    parts.push(make("p", {}, `${NAMES[of]}, in comparison with ${NAMES[by]} ${states[slopes[0][2]]}${others}:`), make("ul", { id: "slope" }, slopes.slice(0, 12).map(([, stateOf, , value, lower, upper]) => {
      const [said, from, to] = slopeWords(value, lower, upper);
      return make("li", {}, make("span", {}, states[stateOf]), make("span", { class: "figure" }, `${value < 0 ? "" : "+"}${said}${from ? ` (95 % interval: ${from} to ${to})` : ""}`));
    })));
  }
  return parts;
}

function boxPicture(of, by, boxes, least, most, states) {
  const row = 26;
  const size = { ...PICTURE, left: 92, height: PICTURE.top + PICTURE.bottom + row * boxes.length + 6 };
  const made = chart({ x: { least, most, title: short(NAMES[of]) }, y: { least: 0, most: boxes.length, title: "" }, xTicks: axisTicks(least, most, 5), xWords: (v) => figureWords(v), yTicks: [], label: `Box plots of ${NAMES[of]} by ${NAMES[by]}`, left: size.left, size });
  boxes.forEach(([code, rows, low, first, middle, third, high, mean], i) => {
    const y = made.down(boxes.length - i - 0.5);
    const x = made.across;
    const label = states[code];
    made.svg.append(draw("g", { class: "box" }, draw("title", {}, `${label}: ${many(rows, "row")}, median ${figureWords(middle, 4)}, mean ${figureWords(mean, 4)}`),
      draw("path", { class: "whisker", d: `M${x(low)} ${y}H${x(first)}M${x(third)} ${y}H${x(high)}M${x(low)} ${y - 4}V${y + 4}M${x(high)} ${y - 4}V${y + 4}` }),
      draw("rect", { x: x(first), y: y - 8, width: Math.max(1, x(third) - x(first)), height: 16 }),
      draw("path", { class: "median", d: `M${x(middle)} ${y - 8}V${y + 8}` }),
      draw("circle", { class: "mean", cx: x(mean), cy: y, r: 2.6 }),
      draw("text", { x: size.left - 7, y: y + 4, "text-anchor": "end" }, [...label].length > 13 ? `${[...label].slice(0, 12).join("")}…` : label)));
  });
  return made.svg;
}

// What the top of the page says of relations that are no lines.
function showBends() {
  const bent = NUMBERS ? NUMBERS.bent : [];
  $("bends").hidden = !bent.length;
  if (!bent.length) return;
  const links = bent.slice(0, 8).map((bend, i) => [" ", make("button", { type: "button", class: "link", on: { click: () => { pick({ pair: pairOf(...bend.ends) }); $("details").scrollIntoView({ block: "nearest" }); } } }, `${NAMES[bend.ends[0]]} by ${NAMES[bend.ends[1]]}`), bend.joined ? "" : " (not joined)", i + 1 < Math.min(8, bent.length) ? "," : ""]);
  const more = bent.length > 8 ? ` and ${whole(bent.length - 8)} more` : "";
  $("bends").replaceChildren(make("b", {}, "Not a line:"), ...links.flat(), `${more}. The score of this network treats every relation between numbers as a line; basis_bic, of degree 3, sees curves too.`);
}
