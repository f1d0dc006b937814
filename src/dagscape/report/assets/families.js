// The local scores that the page holds, and the best network by them that obeys what is known: exactly,
// by dynamic programming over sets of variables (Silander and Myllymäki 2006), where variables are few;
// else by a search over orders from the network found (Teyssier and Koller 2005).

const FAMILIES = DATA.families;
const MOST_SUMMED = 14; // variables, up to which the page finds the best network itself
const SAME_LOSS = 1e-4; // losses are stored in four bytes

// All sets of up to so many of some items, by size and then in order.
function setsOf(items, most) {
  let last = [[-1, []]];
  const found = [[]];
  for (let size = 1; size <= most; size++) {
    last = last.flatMap(([at, some]) => items.slice(at + 1).map((item, i) => [at + 1 + i, [...some, item]]));
    found.push(...last.map(([, some]) => some));
  }
  return found;
}

// For each variable its sets of parents with what they lose, the best first.
const familyLists = (() => {
  let lists = null;
  return () => {
    if (lists || !FAMILIES) return lists;
    const bytes = Uint8Array.from(atob(FAMILIES.losses), (letter) => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    lists = NAMES.map((_, child) => setsOf(NAMES.map((__, i) => i).filter((i) => i !== child), FAMILIES.max_parents).map((parents) => ({ parents, loss: view.getFloat32(4 * at++, true) })));
    for (const [child, parents, loss] of FAMILIES.around) lists[child].push({ parents, loss });
    for (const own of lists) own.sort((p, q) => p.loss - q.loss || p.parents.length - q.parents.length);
    return lists;
  };
})();

// Lists of the families that obey: required parents are there, forbidden ones are not, none is in a later tier.
function allowedFamilies({ required, forbidden, tiers, limits }) {
  const must = NAMES.map(() => []), never = NAMES.map(() => new Set());
  for (const [a, b] of required) must[b].push(a);
  for (const [a, b] of forbidden) never[b].add(a);
  const late = (a, b) => tiers.has(a) && tiers.has(b) && tiers.get(a) > tiers.get(b);
  return familyLists().map((own, child) => own.filter(({ parents }) => parents.length <= (limits[child] ?? Infinity) && must[child].every((a) => parents.includes(a)) && !parents.some((a) => never[child].has(a) || late(a, child))));
}

const lossOf = (families) => families.reduce((sum, family) => sum + family.loss, 0);

// The best network by stored families that obey; null if there is none.
function bestObeying(known, start) {
  const lists = allowedFamilies(known);
  if (lists.some((own) => !own.length)) return null;
  return NAMES.length <= MOST_SUMMED ? bestSummed(lists) : bestClimbed(lists, known, start);
}

function bestSummed(lists) {
  const all = 2 ** NAMES.length;
  const masks = lists.map((own) => own.map(({ parents }) => parents.reduce((mask, a) => mask | (1 << a), 0)));
  const least = new Float64Array(all).fill(Infinity), last = new Int8Array(all), family = new Int32Array(all);
  least[0] = 0;
  for (let placed = 0; placed < all; placed++) {
    if (least[placed] === Infinity) continue;
    for (let child = 0; child < NAMES.length; child++) {
      if (placed & (1 << child)) continue;
      const own = masks[child].findIndex((mask) => (mask & ~placed) === 0);
      if (own < 0) continue;
      const next = placed | (1 << child), loss = least[placed] + lists[child][own].loss;
      if (loss < least[next] - 1e-12) { least[next] = loss; last[next] = child; family[next] = own; }
    }
  }
  if (least[all - 1] === Infinity) return null;
  const families = [];
  for (let placed = all - 1; placed;) { const child = last[placed]; families[child] = lists[child][family[placed]]; placed &= ~(1 << child); }
  return { families, exact: true };
}

// Parents before children: first by tiers and required arcs, else as the network found has them.
function firstOrder(known, start) {
  const left = new Set(NAMES.map((_, i) => i)), order = [];
  const before = (b) => known.required.filter(([, end]) => end === b).map(([a]) => a);
  const place = new Map(start.map((node, i) => [node, i]));
  const tier = (node) => known.tiers.get(node) ?? -1;
  while (left.size) {
    const ready = [...left].filter((b) => before(b).every((a) => !left.has(a)) && ![...left].some((a) => tier(b) >= 0 && tier(a) >= 0 && tier(a) < tier(b)));
    if (!ready.length) return null; // what is required goes in a circle
    const next = ready.sort((p, q) => place.get(p) - place.get(q))[0];
    order.push(next);
    left.delete(next);
  }
  return order;
}

function bestClimbed(lists, known, start) {
  let order = firstOrder(known, start);
  if (!order) return null;
  const pickFamily = (child, earlier) => lists[child].find(({ parents }) => parents.every((a) => earlier.has(a)));
  const read = (some) => { const earlier = new Set(), families = []; for (const child of some) { const own = pickFamily(child, earlier); if (!own) return null; families[child] = own; earlier.add(child); } return families; };
  let families = read(order);
  if (!families) return null;
  for (let better = true, rounds = 0; better && rounds < 40; rounds++) {
    better = false;
    for (let from = 0; from < order.length; from++) {
      let best = null;
      for (let to = 0; to < order.length; to++) {
        if (to === from) continue;
        const some = [...order];
        some.splice(to, 0, ...some.splice(from, 1));
        const [low, high] = [Math.min(from, to), Math.max(from, to)];
        const earlier = new Set(some.slice(0, low));
        let gain = 0;
        for (let i = low; i <= high && gain > -Infinity; i++) { const own = pickFamily(some[i], earlier); gain = own ? gain + families[some[i]].loss - own.loss : -Infinity; earlier.add(some[i]); }
        if (gain > SAME_LOSS && (!best || gain > best.gain)) best = { gain, some };
      }
      if (best) { order = best.some; families = read(order); better = true; }
    }
  }
  return { families, exact: false };
}
