// How far to trust each edge: probability, direction, stability, agreement; never one word for two.

const TRUST = DATA.trust;
const trusted = new Map();
for (const row of TRUST ? TRUST.edges : []) {
  const pair = pairOf(row.from, row.to);
  if (pair) { pair.trust = row; trusted.set(pair, row); }
}

const MOST_CHOICES = 12; // reasons that are listed by the graph of least expected error

// What the drawing goes by: the probability, or the stability where there is none.
const believed = (row) => (row.probability ?? row.stability);
const believedWord = TRUST && TRUST.claim ? "probability" : "stability";

// The probability of a direction, forth or back, given an edge.
function wayOf(pair, kind) {
  const row = pair.trust;
  if (!row) return null;
  const direction = row.direction ?? row.stability_direction;
  if (direction == null) return null;
  return (kind === BACK) === (row.from === pair.b) ? direction : 1 - direction;
}

// Pairs outside the network that are more probable than the least probable edge of it.
const OUTSIDE = (() => {
  const inside = [...trusted].filter(([pair]) => pair.drawn).map(([, row]) => believed(row));
  const least = Math.min(...inside);
  return [...trusted].filter(([pair, row]) => !pair.drawn && believed(row) > least).sort((p, q) => believed(q[1]) - believed(p[1])).map(([pair]) => pair);
})();

const likelierKind = (pair) => (wayOf(pair, FORTH) ?? 0.5) >= 0.5 ? FORTH : BACK;

// What a line of the drawing shows of trust: nothing where none is known.
function trustOfLine(pair, kind) {
  const row = pair.trust;
  if (!row || believed(row) == null) return {};
  return { believed: believed(row), unsure: believed(row) < 0.5, way: kind === UNDIRECTED ? null : wayOf(pair, kind) };
}

const FEW_OUTSIDE = 20; // of so many or fewer, none need be left out
const MOST_OUTSIDE = 300; // in a drawing of the whole graph; more would hide it, and take long

// Those that are probable enough, and how many of them are drawn: in a part of the graph, all that touch it.
const outsideAbove = () => OUTSIDE.filter((pair) => believed(pair.trust) >= state.outsideLeast - ROUNDING);
const outsideDrawn = (pairs) => (state.around ? pairs : pairs.slice(0, MOST_OUTSIDE));

function setUpOutside() {
  $("outside-box").hidden = !OUTSIDE.length;
  if (!OUTSIDE.length) return;
  const many_ = OUTSIDE.length > FEW_OUTSIDE;
  $("outside-slide").hidden = !many_;
  const down = (share) => Math.floor(100 * share + ROUNDING) / 100;
  const slider = $("outside-least");
  slider.min = down(believed(OUTSIDE[OUTSIDE.length - 1].trust));
  slider.max = down(believed(OUTSIDE[0].trust));
  $("outside-least-words").textContent = `${believedWord} at least`;
  setOutsideLeast(many_ ? Math.min(0.5, Number(slider.max)) : 0);
}

function setOutsideLeast(least) {
  state.outsideLeast = least;
  $("outside-least").value = least;
  $("outside-least-value").textContent = share(least);
  const number = outsideAbove().length;
  const probable = believedWord === "probability" ? "probable" : "stable";
  $("outside-words").textContent = ` also ${many(number, "edge")} outside it${least ? "" : ` that ${number === 1 ? "is" : "are"} more ${probable} than some of it`}`;
}

function outsideLines() {
  if (!state.outside) return [];
  return outsideDrawn(outsideAbove()).map((pair) => ({ pair, kind: likelierKind(pair), mark: "outside", confidence: null, ...trustOfLine(pair, likelierKind(pair)) }));
}

const odds = (nats) => (nats > 20 ? "more than a hundred million to one" : `about ${whole(Math.round(Math.exp(nats)))} to one`);
function lossWords(nats) {
  if (nats <= 0) return "nothing: without it the score is no lower";
  if (!TRUST.odds) return nats < 3 ? "little" : nats < 10 ? "much" : "very much";
  const strength = nats < 1 ? "hardly anything" : nats < 3 ? "little" : nats < 10 ? "much" : "very much";
  return `${strength}, odds of ${odds(nats)}`;
}

// Where numbers lie; where both ends are written alike, there is no range to tell.
function boundsWords(row) {
  const [lower, upper] = [share(row.lower), share(row.upper)];
  const range = lower === upper ? null : `Between ${lower} and ${upper}`;
  if (!TRUST.resamples) return range ? `${range}.` : "";
  const tables = many(TRUST.resamples, "resampled table");
  if (!TRUST.both) return range ? `${range} in 95 % of ${tables}.` : `${lower} in 95 % of ${tables} too.`;
  const [own, mean] = [share(row.plain), share(row.resampled)];
  if (range) return `The mean of ${own}, by the table itself, and ${mean}, by ${tables}. ${range} by 95 % of these and by the table itself.`;
  return mean === own ? `Both the table itself and ${tables} say ${own}.` : `The mean of ${own}, by the table itself, and ${mean}, by ${tables}; 95 % of these say ${own} too.`;
}

// Between what the probability lies by the choices that others would make.
function bandWords(row) {
  if (!TRUST.choices || row.least == null) return "";
  const [least, most] = [share(row.least), share(row.most)];
  if (least === most) return `By other sensible choices (${TRUST.choices.join(" | ")}): ${least} too.`;
  return `By other sensible choices (${TRUST.choices.join(" | ")}): between ${least}${row.least_by ? `, by ${row.least_by},` : ""} and ${most}.`;
}

const loweredWords = (row) => `Called ${row.verdict}, not ${row.number_word}: ${TRUST.lowered[row.reason]}.`;

// Why the graph of least expected error leaves out an edge, or draws it differently.
function choiceWords(row, who = "The graph of least expected error") {
  const { choice } = row;
  if (!choice) return "";
  const [start, end] = [NAMES[row.from], NAMES[row.to]];
  const names = { absent: "no edge", forth: `${start} → ${end}`, back: `${end} → ${start}`, undirected: `${start} – ${end} without a direction` };
  const figure = (state) => `${names[state]} ${share(choice[state])}`;
  const others = ["absent", "forth", "back", "undirected"].filter((state) => state !== choice.chosen).sort((p, q) => choice[q] - choice[p]).map(figure);
  const has = choice.chosen === "absent" ? `${who} leaves it out` : `${who} has ${names[choice.chosen]}`;
  if (choice.reason === "knowledge") return `${has}: what you know gives the direction.`;
  if (choice.reason === "fit") return `${has}, although ${names[choice.likeliest]} is more probable (${share(choice[choice.likeliest])}, and ${figure(choice.chosen)}): all edges must fit together in one graph, and no nearer one was found.`;
  if (choice.chosen === "absent" && choice.absent >= 0.5) return `${has}: no edge is more probable than an edge (${share(choice.absent)} and ${share(1 - choice.absent)}).`;
  if (choice.chosen === "absent") return `${has}: an edge (${share(1 - choice.absent)}) is more probable than none, but no single way to draw it is. ${figure("absent")[0].toUpperCase()}${figure("absent").slice(1)}; ${listWords(others)}.`;
  return `${has}: of the ways to draw the pair, the most probable (${share(choice[choice.chosen])}; ${listWords(others)}).`;
}

function trustDetails(pair) {
  const row = pair.trust;
  if (!row) return TRUST ? [make("p", { class: "soft" }, `Its ${believedWord} is below 0.05.`)] : [];
  const parts = [];
  const [start, end] = [NAMES[row.from], NAMES[row.to]];
  const rows = [];
  if (row.probability != null) rows.push(["an edge", row.probability, share(row.probability)]);
  if (row.direction != null) rows.push([`${start} → ${end}, if so`, row.direction, share(row.direction)], [`${end} → ${start}, if so`, 1 - row.direction, share(1 - row.direction)]);
  if (rows.length) parts.push(make("h4", {}, `Probability: ${row.verdict}`), meter(rows));
  if (rows.length && boundsWords(row)) parts.push(make("p", { id: "bounds" }, boundsWords(row)));
  if (rows.length && bandWords(row)) parts.push(make("p", { id: "band" }, bandWords(row)));
  if (row.reason) parts.push(make("p", { id: "lowered" }, loweredWords(row)));
  if (row.settling) parts.push(make("p", { id: "settle" }, row.settling));
  if (pair.drawn === UNDIRECTED) parts.push(make("p", {}, "Equivalent networks leave its direction open: no number of rows settles that."));
  if (row.choice) parts.push(make("p", { id: "choice" }, choiceWords(row)));
  if (row.loss != null) parts.push(make("p", { id: "loss" }, `Without it the score loses ${fixed(row.loss, 2)} nats: ${lossWords(row.loss)}.`));
  const shares = [];
  if (row.stability != null) shares.push([`stability (${many(TRUST.stability.samples, "resampled table")})`, row.stability, share(row.stability)]);
  if (row.agreement != null) shares.push(["agreement of local optima", row.agreement, share(row.agreement)]);
  if (shares.length) parts.push(make("h4", {}, "How often searches find it"), meter(shares));
  if (row.instead.length) parts.push(make("h4", {}, "What takes its place"), make("p", { class: "soft" }, "In probable networks without it, these edges are there more often:"),
    make("ul", { id: "instead" }, row.instead.map(([a, b, without, having]) => make("li", {}, nodeButton(a), " – ", nodeButton(b), make("span", { class: "figure" }, `${share(without)} instead of ${share(having)}`)))));
  return parts;
}

function showNear() {
  const near = TRUST && TRUST.near;
  $("near").hidden = !near;
  if (!near) return;
  $("near-text").textContent = `${near.claim[0].toUpperCase()}${near.claim.slice(1)}. The data hardly distinguish these from the best one.${near.more > 0 ? ` The first ${near.ties.length} are listed.` : ""}`;
  const change = ([a, b, before, now]) => {
    const pair = { a, b };
    if (!before) return make("span", { class: "added", title: "only here" }, edgeWords(pair, now));
    if (!now) return make("span", { class: "lost", title: "only in the network found" }, edgeWords(pair, before));
    return make("span", { class: "other", title: `in the network found: ${edgeWords(pair, before)}` }, edgeWords(pair, now));
  };
  const head = make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "number" }, "#"), make("th", { scope: "col", class: "number" }, "nats below the best"), make("th", { scope: "col" }, "differs from the network found in")));
  const body = make("tbody", {}, near.ties.map((tie, i) => make("tr", {}, make("td", { class: "number" }, String(i + 1)), make("td", { class: "number" }, fixed(tie.difference, 2)),
    make("td", {}, tie.changes.length ? make("div", { class: "changes" }, tie.changes.slice(0, 12).map(change), tie.changes.length > 12 ? make("span", { class: "soft" }, `and ${tie.changes.length - 12} more`) : null) : "the network found"))));
  $("near-table").replaceChildren(head, body);
}

// Where the graph nearest to all that is probable differs from the network of the best score.
function showNearest() {
  const changes = TRUST && TRUST.nearest;
  $("nearest").hidden = !changes;
  if (!changes) return;
  // Where a posterior alone is shown, that graph is the network drawn, and no search looked for a better score.
  const same = DATA.nearest_drawn ? "It is the network drawn: the graph with the fewest expected errors, given the probabilities." : "The network drawn has the best score. It is also the graph with the fewest expected errors, given the probabilities.";
  const other = `The network drawn has the best score, and any proof is about it. The graph with the fewest expected errors, given the probabilities, differs from it in ${many(changes.length, "edge")}:`;
  $("nearest-text").textContent = changes.length ? other : same;
  $("nearest-table").hidden = !changes.length;
  const heads = [["in the network", ""], ["in that graph", ""], [believedWord, "number"], ["stability", "number"]];
  const head = make("thead", {}, make("tr", {}, heads.map(([title, kind]) => make("th", { scope: "col", class: kind }, title))));
  const body = make("tbody", {}, changes.map(([a, b, here, there]) => {
    const pair = pairOf(a, b), row = pair && pair.trust;
    const words = (kind) => kind === NONE ? make("span", { class: "soft" }, `no edge ${NAMES[a]} – ${NAMES[b]}`) : edgeWords({ a, b }, kind);
    const picked = make("button", { type: "button", class: "link", on: { click: () => pick({ pair }) } }, words(here));
    const figure = (value) => make("td", { class: "number" }, value == null ? "" : fineShare(value));
    return make("tr", {}, make("td", {}, pair ? picked : words(here)), make("td", {}, words(there)), figure(row && believed(row)), figure(row && row.stability));
  }));
  $("nearest-table").replaceChildren(make("caption", { hidden: true }, "Edges that differ"), head, body);
  showChoices();
}

// Edges that one may look for in that graph in vain, each with the reason.
function showChoices() {
  const rank = (row) => (row.choice.chosen === "absent" ? 0 : 1);
  const odd = TRUST.edges.filter((row) => row.choice).sort((p, q) => rank(p) - rank(q));
  $("choices").hidden = !odd.length;
  $("choices-text").textContent = `Each edge with its ${believedWord}, and then how probable the ways to draw it are.`;
  const item = (row) => {
    const pair = pairOf(row.from, row.to);
    return make("li", {}, make("button", { type: "button", class: "link", on: { click: () => pick({ pair }) } }, `${NAMES[row.from]} – ${NAMES[row.to]}`), ` (${share(believed(row))}). ${choiceWords(row, "That graph")}`);
  };
  $("choices-list").replaceChildren(...odd.slice(0, MOST_CHOICES).map(item), odd.length > MOST_CHOICES ? make("li", { class: "soft" }, `and ${whole(odd.length - MOST_CHOICES)} more: pick an edge to see why`) : "");
}

const fromTo = ([least, most], what) => (least === most ? many(least, what) : `${whole(least)} to ${many(most, what)}`);

// Said against true, on tables whose network is known; those like this one in color, all in gray.
function showReliability() {
  const known = TRUST && TRUST.reliability;
  $("reliability").hidden = !known;
  if (!known) return;
  const [size, left, top] = [220, 40, 10];
  const at = (said, true_) => [left + said * size, top + (1 - true_) * size];
  const curve = (levels, name) => draw("path", { class: name, d: `M${levels.map((level) => at(level.said, level.true).map((v) => v.toFixed(1)).join(" ")).join("L")}` });
  const figure = (kind, title) => {
    const svg = draw("svg", { viewBox: `0 0 ${size + 60} ${size + 50}`, width: size + 60, height: size + 50, role: "img", "aria-label": title });
    const [x0, y0] = at(0, 0), [x1, y1] = at(1, 1);
    svg.append(draw("path", { class: "axis", d: `M${x0} ${y1}V${y0}H${x1}` }), draw("path", { class: "diagonal", d: `M${x0} ${y0}L${x1} ${y1}` }));
    for (const tick of [0, 0.5, 1]) {
      svg.append(draw("text", { x: at(tick, 0)[0], y: y0 + 16, "text-anchor": "middle" }, String(tick)), draw("text", { x: x0 - 6, y: at(0, tick)[1] + 4, "text-anchor": "end" }, String(tick)));
    }
    const side = draw("text", { x: 0, y: 0, transform: `translate(12 ${(y0 + y1) / 2}) rotate(-90)`, "text-anchor": "middle" }, "true");
    svg.append(draw("text", { x: (x0 + x1) / 2, y: y0 + 34, "text-anchor": "middle" }, "said"), side, curve(known[kind], "curve all"), curve(known.like[kind], "curve"));
    for (const level of known.like[kind]) {
      const [x, y] = at(level.said, level.true);
      svg.append(draw("circle", { class: "dot", cx: x.toFixed(1), cy: y.toFixed(1), r: Math.min(5, 2 + Math.log10(level.claims)).toFixed(1) }, draw("title", {}, `said ${share(level.said)}, true in ${share(level.true)} of ${many(level.claims, "claim")}`)));
    }
    return make("figure", {}, make("h3", {}, title), svg);
  };
  $("reliability-charts").replaceChildren(figure("presence", "Presence of an edge"), figure("direction", "Direction of an edge"));
  // What was said at 0.8: the two tenths around it.
  const said = (levels) => {
    const near = levels.filter((level) => level.said >= 0.7 && level.said < 0.9);
    const claims = near.reduce((sum, level) => sum + level.claims, 0);
    return [claims, near.reduce((sum, level) => sum + level.claims * level.true, 0)];
  };
  const meant = (group) => {
    const [claims, right] = said(group.presence);
    return claims ? `of ${many(claims, "edge")} said to have a probability of 0.7 to 0.9, ${whole(right)} ${Math.round(right) === 1 ? "was" : "were"} there` : "no edge was said to have a probability of 0.7 to 0.9";
  };
  const like = known.like;
  const beyond = known.beyond.length ? ` In its number of ${known.beyond.join(" and ")}, this table lies outside their range, so interpret this with care.` : "";
  const unlike = known.unlike.length ? ` None of them had ${known.unlike.join(" or ")}, as this one has.` : "";
  $("reliability-text").textContent = `Tables were sampled from known networks, and what was said about them was compared with the truth. On the ${whole(like.tables)} tables most like this one (${fromTo(like.variables, "variable")}, ${fromTo(like.rows, "row")}), ${meant(like)}; on all ${whole(known.tables)} (${fromTo(known.variables, "variable")}, ${fromTo(known.rows, "row")}), ${meant(known)}.${beyond}${unlike}`;
  $("reliability-scope").textContent = `These tables had ${whole(known.resamples)} resampled tables each, and were scored by ${known.score}, the default when that was measured. Colored dots are tables like this one, and larger where more was said; the gray line is all of them. On the dashed line, probabilities would be right on average; above it, edges were there more often than said. The numbers of this page were made by: ${TRUST.claim}${TRUST.both ? "; and they are the mean of that and of what the table itself says" : ""}.`;
}

// A row of symbols with words, for the legend and for saved drawings.
function trustKeys() {
  if (!TRUST) return [];
  return [
    ["thick", `thicker: higher ${believedWord}`],
    ["unsure", `dashed: ${believedWord} below one half`],
    ["way", "fuller head: its direction is more probable"],
    ...(state.outside ? [["outside", `not in the network, but more ${believedWord === "probability" ? "probable" : "stable"} than some of it`]] : []),
  ];
}
