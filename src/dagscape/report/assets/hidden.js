// What is left of the network if causes may be hidden: the switch, the ends of lines, the words.

const HIDDEN = DATA.hidden;
// By pair: its marks at a and at b (">", "-" or "o"), and what is known of it.
const HIDDEN_EDGES = new Map();
for (const [a, b, ends, facts] of HIDDEN ? HIDDEN.edges : []) HIDDEN_EDGES.set(pairOf(a, b), { ends, ...facts });

const hiddenAllowed = () => Boolean(HIDDEN && state.hidden && state.view === "found");

// The lines that are left, each with the marks at its ends.
function hiddenLines(drawn) {
  return drawn.filter(({ pair, mark }) => mark !== "outside" && HIDDEN_EDGES.has(pair)).map((line) => {
    const known = HIDDEN_EDGES.get(line.pair);
    return { ...line, mark: "same", kind: FORTH, hollow: false, way: null, required: false, ends: known.ends, unsure: !known.supported };
  });
}

function hiddenWords(pair) {
  const [at, to] = HIDDEN_EDGES.get(pair).ends;
  const [a, b] = [NAMES[pair.a], NAMES[pair.b]];
  const words = { "->": "→", "o>": "o→", oo: "o–o", ">>": "↔" };
  return words[at + to] ? `${a} ${words[at + to]} ${b}` : `${b} ${words[to + at]} ${a}`;
}

function hiddenMeaning(pair) {
  const { ends: [at, to], visible } = HIDDEN_EDGES.get(pair);
  const [a, b] = at === "-" || (at === "o" && to === ">") ? [pair.a, pair.b] : [pair.b, pair.a];
  const kind = [at, to].sort().join("");
  if (kind === ">>") return `Neither ${NAMES[pair.a]} nor ${NAMES[pair.b]} is a cause of the other: something hidden drives both.`;
  if (kind === "oo") return "Open: one may be a cause of the other, or something hidden may drive both.";
  if (kind === ">o") return `${NAMES[b]} is no cause of ${NAMES[a]}; whether ${NAMES[a]} is one of ${NAMES[b]} is open, since something hidden may drive both.`;
  return `${NAMES[a]} is a cause of ${NAMES[b]}, perhaps through others${visible ? ", and nothing hidden drives both" : "; something hidden may drive both as well"}.`;
}

function hiddenDetails(pair) {
  const known = HIDDEN_EDGES.get(pair);
  if (!known) return [make("p", {}, "If causes may be hidden, this edge goes: tests part the two, and another variable relates them again.")];
  const parts = [make("p", {}, `If causes may be hidden: ${hiddenWords(pair)}. ${hiddenMeaning(pair)}`)];
  if (known.supported) parts.push(make("p", {}, `Tests of its own support the arrow: ${known.because}.`));
  else if (known.ends.includes("-")) parts.push(make("p", {}, "No tests of its own support the arrow: it follows from the rest of the graph."));
  return parts;
}

// A line with a head, a ring or nothing at either end.
function drawHiddenEnds(points, width, [at, to]) {
  const marks = [];
  const end = (mark) => {
    if (mark === ">") {
      const [shorter, head] = withHead(points, width);
      points = shorter;
      marks.push(draw("path", { class: "head", d: head }));
    } else if (mark === "o") {
      const last = points.length - 1;
      const [tip, before] = [points[last], points[last - 1]];
      const length = Math.hypot(tip[0] - before[0], tip[1] - before[1]) || 1;
      const radius = 3.2 + 0.4 * width;
      const toward = (by) => [tip[0] - (by * (tip[0] - before[0])) / length, tip[1] - (by * (tip[1] - before[1])) / length];
      const [x, y] = toward(radius);
      points = [...points.slice(0, last), toward(2 * radius)];
      marks.push(draw("circle", { class: "ring", cx: x.toFixed(1), cy: y.toFixed(1), r: radius.toFixed(1) }));
    }
  };
  end(to);
  points = points.slice().reverse();
  end(at);
  return [points.slice().reverse(), marks];
}

function hiddenCounts() {
  const known = [...HIDDEN_EDGES.values()];
  const arrows = known.filter(({ ends }) => ends.includes("-"));
  const both = known.filter(({ ends }) => ends === ">>");
  return [make("b", { id: "count-edges" }, many(known.length, "edge")), ` if causes may be hidden: `,
    make("b", { id: "count-arrows" }, whole(arrows.length)), " arrows, ", make("b", { id: "count-supported" }, whole(known.filter(({ supported }) => supported).length)), " of them supported by tests of their own; ",
    make("b", {}, whole(both.length)), " with heads at both ends; ", make("b", {}, whole(known.length - arrows.length - both.length)), " with circles; ", make("b", {}, whole(HIDDEN.removed)), " of the network found gone."];
}

function hiddenKeys() {
  const key = (ends, words, unsure) => {
    const [points, marks] = drawHiddenEnds([[1, 7], [39, 7]], 2, ends);
    return make("span", {}, draw("svg", { width: 40, height: 14, "aria-hidden": "true", class: unsure ? "same unsure" : "same" }, draw("path", { class: "line", d: smooth(points), style: "stroke-width:2" }), marks), words);
  };
  return [key("->", "a cause, perhaps through others; supported by tests of its own"), key("->", "the same, without tests of its own", true), key("o>", "the second is no cause of the first", true), key("oo", "open", true), key(">>", "something hidden drives both", true)];
}

function showHidden() {
  $("hidden-box").hidden = !HIDDEN;
  $("hidden-text").hidden = !hiddenAllowed();
  if (HIDDEN) $("hidden-text").replaceChildren(...HIDDEN.words.map((words) => make("p", {}, words)));
}
