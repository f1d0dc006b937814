// Pictures of numbers: the trade-off curve, strengths, scores of the optima.

const CHART = { width: 520, height: 300, left: 52, right: 16, top: 18, bottom: 42 };

// As wide as there is room, so that letters keep their size.
function measureCharts() {
  CHART.width = Math.max(320, Math.min(580, $("strengths").clientWidth || $("histogram").clientWidth || CHART.width));
  CHART.height = Math.round(Math.max(240, CHART.width * 0.56));
}

// Round numbers between two ends, some five of them.
function ticks(least, most, count = 5) {
  const span = most - least || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((by) => by * power).find((by) => by >= rough * 0.999);
  const found = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= most + step * 1e-6; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

// An empty chart with axes, and functions from values to places.
function chart({ x, y, label, xTicks, yTicks, xWords = whole, yWords = whole, left = CHART.left, size = CHART }) {
  const { width, height, right, top, bottom } = size;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  const across = (value) => left + ((value - x.least) / (x.most - x.least || 1)) * (width - left - right);
  const down = (value) => height - bottom - ((value - y.least) / (y.most - y.least || 1)) * (height - top - bottom);
  for (const value of yTicks || ticks(y.least, y.most)) {
    svg.append(draw("line", { class: "grid", x1: left, x2: width - right, y1: down(value), y2: down(value) }),
      draw("text", { x: left - 6, y: down(value) + 4, "text-anchor": "end" }, yWords(value)));
  }
  for (const value of xTicks || ticks(x.least, x.most)) {
    svg.append(draw("line", { class: "axis", x1: across(value), x2: across(value), y1: height - bottom, y2: height - bottom + 4 }),
      draw("text", { x: across(value), y: height - bottom + 16, "text-anchor": "middle" }, xWords(value)));
  }
  svg.append(draw("path", { class: "axis", d: `M${left} ${top}V${height - bottom}H${width - right}` }),
    draw("text", { x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle" }, x.title),
    draw("text", { x: 12, y: (top + height - bottom) / 2, "text-anchor": "middle", transform: `rotate(-90 12 ${(top + height - bottom) / 2})` }, y.title));
  return { svg, across, down };
}

function upright({ svg, across }, value, words, kind, row = 0) {
  const { width, height, top, bottom } = CHART;
  const at = across(value);
  const late = at > width * 0.6;
  svg.append(draw("line", { class: kind === "ours" ? "own" : `cut ${kind === "firm" ? "firm" : ""}`, x1: at, x2: at, y1: top - 6, y2: height - bottom }),
    draw("text", { class: kind === "ours" ? "ours" : "mark", x: at + (late ? -5 : 5), y: top + 4 + 15 * row, "text-anchor": late ? "end" : "start" }, words));
}

function countsOfKind(kind, threshold) {
  if (kind === "edges") return countsAt(threshold);
  const [tp, fp, fn] = MODELS.tradeoff[state.compare][kind][Math.round(threshold * 100) - 1];
  return { tp, fp, fn };
}

function drawTradeoff() {
  const kind = $("tradeoff-kind").value;
  const points = [];
  for (let r = 1; r <= 20; r++) if (r / 20 >= DATA.least || kind !== "edges") points.push({ t: r / 20, ...countsOfKind(kind, r / 20) });
  const now = { t: state.threshold, ...countsOfKind(kind, state.threshold) };
  const most = (name) => Math.max(1, now[name], ...points.map((point) => point[name])) * 1.04;
  const made = chart({
    label: `Trade-off curve of ${kind}: at threshold ${share(now.t)} there are ${now.fp} false positives and ${now.fn} false negatives`,
    x: { least: 0, most: most("fn"), title: "missed: in the reference, below the threshold" },
    y: { least: 0, most: most("fp"), title: "wrong: not in the reference" },
    xTicks: ticks(0, most("fn")).filter(Number.isInteger), yTicks: ticks(0, most("fp")).filter(Number.isInteger),
  });
  const place = (point) => [made.across(point.fn), made.down(point.fp)];
  made.svg.append(draw("path", { class: "curve", d: `M${points.map((point) => place(point).map((v) => v.toFixed(1)).join(" ")).join("L")}` }));
  const least = points.reduce((best, point) => (point.fp + point.fn <= best.fp + best.fn ? point : best));
  for (const point of points) {
    const [x, y] = place(point);
    made.svg.append(draw("circle", { class: point === least ? "dot least" : "dot", cx: x, cy: y, r: point === least ? 6 : 3 }, draw("title", {}, `threshold ${share(point.t)}: ${point.tp} tp, ${point.fp} fp, ${point.fn} fn`)));
  }
  const [x, y] = place(now);
  const late = x > CHART.width * 0.7;
  made.svg.append(draw("circle", { class: "now", id: "tradeoff-now", cx: x, cy: y, r: 6.5, "data-fp": now.fp, "data-fn": now.fn }),
    draw("text", { class: "mark", x: x + (late ? -10 : 10), y: Math.max(16, y - 9), "text-anchor": late ? "end" : "start" }, `${share(now.t)}: ${now.fp} fp, ${now.fn} fn`));
  $("tradeoff").replaceChildren(made.svg);
  $("tradeoff-caption").textContent = `Each dot is a threshold of confidence, from 0.05 (top left) to 1 (bottom right); the filled mark is the slider's, the ring has the fewest false positives (fp) and false negatives (fn) together (${share(least.t)}). The reference is ${state.compare === "truth" ? DATA.truth : "the network found"}.`;
}

function drawStrengths() {
  const bins = Array.from({ length: 20 }, () => 0);
  for (const pair of PAIRS) if (pair.strength > 0) bins[Math.min(19, Math.floor(pair.strength * 20 + ROUNDING))] += 1;
  const most = Math.max(1, ...bins);
  const made = chart({
    label: `Distribution of strengths of ${PAIRS.length} pairs, with the cut-off ${share(state.threshold)} marked`,
    x: { least: 0, most: 1, title: "share of models in which the pair is joined" },
    y: { least: 0, most: most * 1.12, title: "pairs" },
    xTicks: [0, 0.2, 0.4, 0.6, 0.8, 1], xWords: (v) => v.toFixed(1), yTicks: ticks(0, most).filter(Number.isInteger),
  });
  bins.forEach((count, i) => {
    if (!count) return;
    const kept = i / 20 >= Math.min(0.95, state.threshold) - ROUNDING;
    const x = made.across(i / 20) + 1;
    made.svg.append(draw("rect", { class: kept ? "bar kept" : "bar", x, y: made.down(count), width: made.across((i + 1) / 20) - 1 - x, height: made.down(0) - made.down(count) }, draw("title", {}, `${(i / 20).toFixed(2)} to ${((i + 1) / 20).toFixed(2)}: ${many(count, "pair")}`)));
  });
  upright(made, state.threshold, `cut-off ${share(state.threshold)}`, "cut");
  $("strengths").replaceChildren(made.svg);
  $("strengths-caption").textContent = "With clear data there are two heaps, near 0 and near 1, with little between; a cut-off in the gap then matters little, wherever it is.";
}

function drawScores() {
  const { scores, visits, optimum } = MODELS;
  const found = DATA.result.score_name === MODELS.score_name ? DATA.result.score : null;
  const ends = scores.concat(found == null ? [] : [found]);
  let [least, most] = [Math.min(...ends), Math.max(...ends)];
  // A bound far away would squeeze everything else together.
  const near = optimum && optimum.score - most <= 1.5 * Math.max(most - least, 1);
  if (near) most = Math.max(most, optimum.score);
  const pad = (most - least || 1) * 0.05;
  [least, most] = [least - pad, most + pad];
  const digits = most - least < 8 ? 1 : 0;
  const words = (value) => fixed(value, digits);
  const marks = (made, put) => {
    if (optimum && near) put(made, optimum.score, `${optimum.proven ? "proven optimum" : "bound"} ${scoreWords(optimum.score)}`, optimum.proven ? "firm" : "cut", 0);
    if (found != null && !(optimum && near && Math.abs(optimum.score - found) < 1e-6)) put(made, found, `found ${scoreWords(found)}`, "ours", 1);
  };

  const count = Math.min(40, Math.max(10, Math.ceil(Math.sqrt(scores.length) * 2.5)));
  const bins = Array.from({ length: count }, () => 0);
  scores.forEach((score, i) => { bins[Math.min(count - 1, Math.floor(((score - least) / (most - least)) * count))] += visits[i]; });
  const high = Math.max(...bins) * 1.25;
  let made = chart({
    label: `Histogram of the scores of ${MODELS.runs} runs`,
    x: { least, most, title: MODELS.score_label }, y: { least: 0, most: high, title: "runs" },
    xTicks: ticks(least, most, 4), xWords: words, yTicks: ticks(0, Math.max(...bins)).filter(Number.isInteger),
  });
  bins.forEach((runs, i) => {
    if (!runs) return;
    const [x, to] = [made.across(least + ((most - least) * i) / count) + 0.5, made.across(least + ((most - least) * (i + 1)) / count) - 0.5];
    made.svg.append(draw("rect", { class: "bar kept", x, y: made.down(runs), width: to - x, height: made.down(0) - made.down(runs) }, draw("title", {}, many(runs, "run"))));
  });
  marks(made, upright);
  $("histogram").replaceChildren(made.svg);
  const far = optimum && !near ? ` The ${optimum.proven ? "proven optimum" : "bound"}, ${scoreWords(optimum.score)}, lies far to the right.` : "";
  $("histogram-caption").textContent = `How many runs ended at which score.${optimum ? far || ` ${optimum.words}` : " The score of the best possible network is not known."}`;

  const wide = 30 + 7 * Math.max(...ticks(least, most, 4).map((value) => words(value).length));
  const order = scores.map((score, i) => [score, visits[i]]).sort((p, q) => p[0] - q[0]);
  made = chart({
    label: `Scores of ${MODELS.runs} runs from the worst to the best`,
    x: { least: 0, most: MODELS.runs, title: "runs, from the worst to the best" }, y: { least, most, title: "score" }, left: wide,
    yTicks: ticks(least, most, 4), yWords: words, xTicks: ticks(0, MODELS.runs).filter(Number.isInteger),
  });
  let at = 0;
  let path = "";
  for (const [score, runs] of order) {
    path += `${path ? "L" : "M"}${made.across(at).toFixed(1)} ${made.down(score).toFixed(1)}L${made.across(at + runs).toFixed(1)} ${made.down(score).toFixed(1)}`;
    at += runs;
  }
  made.svg.append(draw("path", { class: "curve", d: path }));
  marks(made, ({ svg, down }, value, said, kind) => {
    svg.append(draw("line", { class: kind === "ours" ? "own" : `cut ${kind === "firm" ? "firm" : ""}`, x1: wide, x2: CHART.width - CHART.right, y1: down(value), y2: down(value) }),
      draw("text", { class: kind === "ours" ? "ours" : "mark", x: wide + 6, y: down(value) + (kind === "ours" ? 14 : -5) }, said));
  });
  $("sorted").replaceChildren(made.svg);
  $("sorted-caption").textContent = "A flat stretch is an optimum that many runs ended at. After Figure 1 of Nielsen, Kočka and Peña, UAI 2003.";
}
