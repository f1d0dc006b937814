// An edge from each variable (row) to each other (column): the confidence in it where there are models.

const LEGIBLE = 9; // pixels of a row, below which its name would not be readable

const heat = { order: [], cell: 1, left: 0, top: 0 };

// Directed share, with half of the undirected: strength times direction.
function heatOf(pair, forth) {
  if (TRUST) return pair.trust ? (believed(pair.trust) ?? 0) * (wayOf(pair, forth ? FORTH : BACK) ?? 0.5) : 0;
  if (pair.shares) return pair.shares[forth ? 0 : 1] + pair.shares[2] / 2;
  if (pair.drawn === UNDIRECTED) return 0.5;
  return pair.drawn === (forth ? FORTH : BACK) ? 1 : 0;
}

function drawHeatmap() {
  const canvas = $("heatmap");
  const count = NAMES.length;
  // In the order of the drawing, top to bottom: most of what is there is then above the diagonal.
  // Without a drawing of the whole, cluster by cluster.
  heat.order = !HAS_WHOLE ? [...new Set([...membersOf(MAP || []), ...NAMES.keys()])] : NAMES.map((_, i) => i).sort((p, q) => DATA.variables[p].at[1] - DATA.variables[q].at[1] || DATA.variables[p].at[0] - DATA.variables[q].at[0]);
  const room = Math.min(canvas.parentElement.parentElement.clientWidth, 760);
  const cell = (margin) => Math.max(1, Math.min(22, Math.floor((room - margin - 4) / count)));
  const labels = cell(122) >= LEGIBLE;
  const margin = labels ? 122 : 4;
  heat.cell = cell(margin);
  const size = heat.cell * count;
  [heat.left, heat.top] = [margin, margin];
  const sharp = Math.max(1, window.devicePixelRatio || 1);
  const whole_ = size + margin + 4;
  canvas.width = canvas.height = Math.round(whole_ * sharp);
  canvas.style.width = canvas.style.height = `${whole_}px`;
  const pen = canvas.getContext("2d");
  pen.scale(sharp, sharp);
  const style = getComputedStyle(document.documentElement);
  const color = style.getPropertyValue("--heat").trim();
  pen.fillStyle = style.getPropertyValue("--card");
  pen.fillRect(margin, margin, size, size);
  const place = new Map(heat.order.map((node, i) => [node, i]));
  for (const pair of PAIRS) {
    for (const [row, column, forth] of [[pair.a, pair.b, true], [pair.b, pair.a, false]]) {
      const value = heatOf(pair, forth);
      if (value <= 0) continue;
      pen.fillStyle = `rgba(${color}, ${(0.06 + 0.94 * value).toFixed(3)})`;
      pen.fillRect(margin + place.get(column) * heat.cell, margin + place.get(row) * heat.cell, heat.cell, heat.cell);
    }
  }
  pen.strokeStyle = style.getPropertyValue("--line");
  pen.lineWidth = 0.5;
  if (heat.cell >= 7) for (let i = 0; i <= count; i++) {
    pen.strokeRect(margin + i * heat.cell, margin, 0, size);
    pen.strokeRect(margin, margin + i * heat.cell, size, 0);
  }
  pen.beginPath();
  pen.moveTo(margin, margin);
  pen.lineTo(margin + size, margin + size);
  pen.strokeStyle = style.getPropertyValue("--node-line");
  pen.stroke();
  pen.strokeRect(margin, margin, size, size);
  if (labels) {
    pen.fillStyle = style.getPropertyValue("--ink");
    pen.font = `${Math.max(8, Math.min(12, heat.cell - 1))}px system-ui, sans-serif`;
    heat.order.forEach((node, i) => {
      pen.textAlign = "right";
      pen.textBaseline = "middle";
      pen.fillText(short(NAMES[node]), margin - 5, margin + (i + 0.5) * heat.cell, margin - 8);
      pen.save();
      pen.translate(margin + (i + 0.5) * heat.cell, margin - 5);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = "left";
      pen.fillText(short(NAMES[node]), 0, 0, margin - 8);
      pen.restore();
    });
  }
  canvas.setAttribute("aria-label", `Heat map: ${TRUST ? `${believedWord} of an arc` : MODELS ? "confidence in an edge" : "the edges"} from each of ${count} variables to each other. The table of edges has the same figures.`);
}

function heatCell(event) {
  const box = $("heatmap").getBoundingClientRect();
  const column = heat.order[Math.floor((event.clientX - box.left - heat.left) / heat.cell)];
  const row = heat.order[Math.floor((event.clientY - box.top - heat.top) / heat.cell)];
  return row == null || column == null || row === column ? null : [row, column, pairOf(row, column)];
}

function listenToHeatmap() {
  const canvas = $("heatmap");
  const what = TRUST ? `the ${believedWord} of that arc, that of an edge times that of its direction` : MODELS ? "the share of models with that edge, an undirected one counting half each way" : "1 where the network has that edge, one half each way for an undirected one";
  $("heat-title").textContent = TRUST ? `The ${believedWord} of every arc` : MODELS ? "Confidence in every pair" : "The network as a matrix";
  $("heat-text").replaceChildren(
    `Row to column: ${what}. Variables are in the order of the drawing, from its top, so that arrows mostly lie above the diagonal. `,
    onScreen("Point at a cell to read it; click it to pick the edge."));
  $("heat-scale").replaceChildren(make("div", { class: "ramp" }), make("div", { class: "ramp-ends" }, make("span", {}, "0"), make("span", {}, "1")));
  canvas.addEventListener("pointermove", (event) => {
    const found = heatCell(event);
    $("heat-here").textContent = found ? `${NAMES[found[0]]} → ${NAMES[found[1]]}: ${share(found[2] ? heatOf(found[2], found[2].a === found[0]) : 0)}` : "";
    canvas.style.cursor = found && found[2] ? "pointer" : "default";
  });
  canvas.addEventListener("click", (event) => {
    const found = heatCell(event);
    if (found && found[2]) { pick({ pair: found[2] }); $("network").scrollIntoView(); }
  });
}
