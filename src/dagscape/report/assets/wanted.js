// Knowledge by clicking: what is required, forbidden and earlier; what that costs, by the scores that
// the page holds; and the file that the next call of learn takes.

const wanted = { required: [], forbidden: [], tiers: new Map(), dragging: false };
const OWN = DATA.variables.map(({ parents }) => [...parents].sort((p, q) => p - q));
const sameArc = ([a, b]) => ([x, y]) => a === x && b === y;
const isWanted = () => wanted.required.length || wanted.forbidden.length || wanted.tiers.size;

// All that is to be obeyed: what the search obeyed, and what was added here.
function allKnown() {
  const before = KNOWN || { required: [], forbidden: [], tiers: [], limits: {}, roots: [], leaves: [] };
  const tiers = new Map(before.tiers.flatMap((tier, i) => tier.map((node) => [node, i])));
  for (const [node, tier] of wanted.tiers) tiers.set(node, tier);
  const nodes = NAMES.map((_, i) => i);
  const ends = [...before.roots.flatMap((b) => nodes.filter((a) => a !== b).map((a) => [a, b])), ...before.leaves.flatMap((a) => nodes.filter((b) => a !== b).map((b) => [a, b]))];
  const all = (name) => [...before[name], ...wanted[name]];
  return { required: all("required"), forbidden: all("forbidden"), ends, tiers, limits: before.limits, roots: before.roots, leaves: before.leaves };
}

function want(kind, a, b) {
  const [same, back] = [sameArc([a, b]), sameArc([b, a])];
  wanted.required = wanted.required.filter((arc) => !same(arc) && !back(arc));
  wanted.forbidden = wanted.forbidden.filter((arc) => !same(arc) && !(kind === "apart" && back(arc)));
  if (kind === "required") wanted.required.push([a, b]);
  if (kind === "forbidden" || kind === "apart") wanted.forbidden.push([a, b]);
  if (kind === "apart") wanted.forbidden.push([b, a]);
  showWanted();
}

// Put a variable into an earlier or later tier; the first time, all others stand in the middle.
function moveTier(node, by) {
  const now = allKnown().tiers;
  if (!now.size) NAMES.forEach((_, i) => now.set(i, 0));
  now.set(node, (now.get(node) ?? 0) + by);
  const least = Math.min(...now.values());
  const levels = [...new Set([...now.values()])].sort((p, q) => p - q);
  wanted.tiers = levels.length < 2 && least === levels[0] && !(KNOWN && KNOWN.tiers.length) ? new Map() : new Map([...now].map(([one, tier]) => [one, levels.indexOf(tier)]));
  showWanted();
}

// What a change costs by itself, and all of them together.
function costOf(some) {
  const lists = familyLists();
  const own = OWN.map((parents, child) => lists[child].find((family) => family.parents.length === parents.length && [...family.parents].sort((p, q) => p - q).every((a, i) => a === parents[i])));
  if (own.some((family) => !family)) return null;
  const known = { ...some, forbidden: [...some.forbidden, ...some.ends] };
  const best = bestObeying(known, TOPOLOGICAL);
  return best && { nats: lossOf(best.families) - lossOf(own), ...best };
}

const natsWords = (nats) => (Math.abs(nats) < 0.005 ? "nothing" : `${fixed(Math.abs(nats), 2)} nats`);
function costWords(cost) {
  if (!cost) return "Nothing obeys all of this: it goes in a circle, or needs more parents than the page has scores for.";
  const whole_ = FAMILIES.limit == null ? FAMILIES.max_parents >= NAMES.length - 1 : FAMILIES.max_parents >= FAMILIES.limit;
  const scope = whole_ ? "" : `, among networks with at most ${many(FAMILIES.max_parents, "parent")}${FAMILIES.around.length ? " or near the network found" : ""}`;
  const words = cost.nats < -0.005 ? `gains ${natsWords(cost.nats)}` : `costs ${cost.exact ? "" : Math.abs(cost.nats) < 0.005 ? "" : "at most "}${natsWords(cost.nats)}`;
  const sure = cost.exact ? ` (exact${scope})` : ` (found in this page from ${DATA.result.optimal ? "the optimum" : "the network found"}${scope}; learn looks further)`;
  return `All of it together ${words}${sure}. ${strengthWords(cost.nats)}`;
}
const strengthWords = (nats) => (!DATA.result.odds || nats < 0.005 ? "" : nats < 1 ? "That is hardly anything." : nats < 3 ? "That is little." : nats < 10 ? "That is much: the table speaks against it." : "That is very much: the table speaks clearly against it.");

// The arcs that come and go where knowledge is obeyed.
function changeWords(cost) {
  if (!cost) return [];
  const arcs = (families) => new Set(families.flatMap((parents, child) => parents.map((a) => `${a} ${child}`)));
  const [before, after] = [arcs(OWN), arcs(cost.families.map(({ parents }) => parents))];
  const words = (some) => [...some].map((arc) => arc.split(" ").map((node) => NAMES[node]).join(" → "));
  const come = words([...after].filter((arc) => !before.has(arc))), go = words([...before].filter((arc) => !after.has(arc)));
  return [come.length ? `Arcs that come: ${listWords(come.slice(0, 12))}${come.length > 12 ? ` and ${come.length - 12} more` : ""}.` : "", go.length ? `Arcs that go: ${listWords(go.slice(0, 12))}${go.length > 12 ? ` and ${go.length - 12} more` : ""}.` : ""].filter(Boolean);
}

const quoted = (name) => JSON.stringify(name).replace(/\u007f/g, "\\u007f");
function knowledgeFile() {
  const known = allKnown();
  const arcs = (some) => some.map(([a, b]) => `[${quoted(NAMES[a])}, ${quoted(NAMES[b])}]`);
  const list = (name, items) => (items.length ? [`${name} = [${items.length > 3 ? `\n  ${items.join(",\n  ")},\n` : items.join(", ")}]`] : []);
  const levels = [...new Set([...known.tiers.values()])].sort((p, q) => p - q).map((level) => `[${[...known.tiers].filter(([, tier]) => tier === level).map(([node]) => quoted(NAMES[node])).join(", ")}]`);
  const limits = Object.entries(known.limits).map(([node, most]) => `${quoted(NAMES[node])} = ${most}`);
  const names = (some) => some.map((node) => quoted(NAMES[node]));
  return [...list("required", arcs(known.required)), ...list("forbidden", arcs(known.forbidden)), ...list("tiers", levels), ...list("roots", names(known.roots)), ...list("leaves", names(known.leaves)), ...(limits.length ? [`max_parents = {${limits.join(", ")}}`] : []), ""].join("\n");
}

// The call that learns with it: the one this page is of, with another folder.
function knowledgeCall() {
  const { command, file } = DATA.origin;
  const own = command && /^dagscape learn /.test(command) ? command : `dagscape learn ${file ? (/^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`) : "TABLE"}`;
  const value = "(?:=| +)(?:'[^']*'|\\S+)";
  return `${own.replace(new RegExp(` --(?:knowledge|out)${value}`, "g"), "")} --knowledge knowledge.toml --out with-knowledge`;
}

function wantedItems() {
  const drop = (words, act) => make("li", {}, words, " ", make("button", { type: "button", class: "small", "aria-label": `Take back: ${words}`, on: { click: act } }, "×"));
  const without = (name, arc) => () => { wanted[name] = wanted[name].filter((other) => other !== arc); showWanted(); };
  const tiers = [...new Set([...wanted.tiers.values()])].sort((p, q) => p - q).map((level) => `${level + 1}. ${[...wanted.tiers].filter(([, tier]) => tier === level).map(([node]) => NAMES[node]).join(", ")}`);
  return [
    ...wanted.required.map((arc) => drop(`${NAMES[arc[0]]} → ${NAMES[arc[1]]} is required`, without("required", arc))),
    ...wanted.forbidden.map((arc) => drop(`${NAMES[arc[0]]} → ${NAMES[arc[1]]} is forbidden`, without("forbidden", arc))),
    ...(tiers.length ? [drop(`Tiers: ${tiers.join("; ")}`, () => { wanted.tiers = new Map(); showWanted(); })] : []),
  ];
}

function showWanted() {
  $("wanted-list").replaceChildren(...wantedItems());
  const some = isWanted();
  for (const id of ["wanted-cost", "wanted-result"]) $(id).hidden = !some;
  if (!some) return;
  const cost = FAMILIES ? costOf(allKnown()) : undefined;
  const words = cost === undefined ? ["What it costs is not known here: this page has no local scores. learn tells."] : [costWords(cost), ...changeWords(cost)];
  $("wanted-cost").replaceChildren(...words.map((one, i) => (i ? make("span", { class: "soft" }, ` ${one}`) : make("b", {}, one))));
  $("wanted-cost").dataset.nats = cost ? cost.nats : "";
  $("wanted-toml").textContent = knowledgeFile();
  $("wanted-call").textContent = knowledgeCall();
}

// What can be said of a pair that is picked.
function wantedOfPair({ a, b }) {
  if (KNOWN && KNOWN.by === "time") return [];
  const say = (words, kind, x, y) => make("button", { type: "button", class: "small", "data-want": `${kind} ${x} ${y}`, on: { click: () => want(kind, x, y) } }, words);
  return [make("h4", {}, "What do you know?"), make("div", { class: "wants" }, say(`require ${NAMES[a]} → ${NAMES[b]}`, "required", a, b), say(`require ${NAMES[b]} → ${NAMES[a]}`, "required", b, a), say(`forbid ${NAMES[a]} → ${NAMES[b]}`, "forbidden", a, b), say(`forbid ${NAMES[b]} → ${NAMES[a]}`, "forbidden", b, a), say("forbid both", "apart", a, b))];
}

function wantedOfNode(node) {
  if (KNOWN && KNOWN.by === "time") return [];
  const say = (words, by) => make("button", { type: "button", class: "small", "data-tier": by, on: { click: () => moveTier(node, by) } }, words);
  return [make("h4", {}, "What do you know?"), make("div", { class: "wants" }, say("an earlier tier", -1), say("a later tier", 1))];
}

function setUpWanted() {
  const time = Boolean(KNOWN && KNOWN.by === "time");
  $("wanted").hidden = time || NAMES.length < 2;
  $("drag-box").hidden = time || NAMES.length < 2;
  if (time) return;
  $("drag-tiers").addEventListener("change", (event) => { wanted.dragging = event.target.checked; });
  const options = () => NAMES.map((name, i) => make("option", { value: i }, name));
  [0, Math.min(1, NAMES.length - 1)].forEach((first, i) => {
    const box = $(["wanted-from", "wanted-to"][i]);
    box.replaceChildren(make("option", { value: first }, NAMES[first]));
    whenNear(box, () => { box.replaceChildren(...options()); box.value = String(first); });
  });
  $("wanted-add").addEventListener("click", () => {
    const [a, b, kind] = [Number($("wanted-from").value), Number($("wanted-to").value), $("wanted-kind").value];
    if (a !== b) want(kind, a, b);
  });
  $("wanted-save").addEventListener("click", () => saveFile("knowledge.toml", "application/toml", knowledgeFile()));
  $("wanted-copy").addEventListener("click", () => copyText(knowledgeCall(), $("wanted-said")));
  let held = null;
  $("graph").addEventListener("pointerdown", (event) => {
    const box = wanted.dragging && event.target.closest(".node");
    if (box) { held = [Number(box.dataset.node), event.clientY]; event.preventDefault(); }
  });
  addEventListener("pointerup", (event) => {
    if (!held) return;
    const [node, from] = held;
    held = null;
    if (Math.abs(event.clientY - from) > 24) moveTier(node, event.clientY < from ? -1 : 1);
  });
  showWanted();
}
