// A drawing of the page as a PDF file: vectors, and letters of a font that every reader has (ISO 32000-1).

// The steps of a path, whole: M, L, C and Z with points.
function stepsOfPath(text) {
  const found = [];
  let [x, y, start] = [0, 0, [0, 0]];
  for (const [, letter, rest] of text.matchAll(/([MLHVCZvhlmqQ])([^MLHVCZvhlmqQ]*)/g)) {
    const numbers = (rest.match(/-?[\d.]+(?:e-?\d+)?/g) || []).map(Number);
    const go = (to, kind) => { [x, y] = to; found.push([kind, to]); };
    if (letter === "Z") { found.push(["Z"]); [x, y] = start; }
    else if (letter === "H" || letter === "h") for (const n of numbers) go([letter === "h" ? x + n : n, y], "L");
    else if (letter === "V" || letter === "v") for (const n of numbers) go([x, letter === "v" ? y + n : n], "L");
    else if (letter === "C") for (let i = 0; i + 5 < numbers.length; i += 6) { found.push(["C", numbers.slice(i, i + 2), numbers.slice(i + 2, i + 4), numbers.slice(i + 4, i + 6)]); [x, y] = numbers.slice(i + 4, i + 6); }
    else for (let i = 0; i + 1 < numbers.length; i += 2) {
      const kind = letter === "M" && !i ? "M" : "L";
      go([numbers[i], numbers[i + 1]], kind);
      if (kind === "M") start = [x, y];
    }
  }
  return found;
}

const inLatin = (text) => [...text].map((letter) => (letter.charCodeAt(0) < 256 ? letter : { "–": "\x96", "−": "-", "→": "->", "…": "\x85", "“": "\x93", "”": "\x94", "’": "\x92", "±": "\xb1" }[letter] || "\x95")).join("");
const pdfText = (text) => `(${inLatin(text).replace(/[\\()]/g, (letter) => `\\${letter}`)})`;
const two = (number) => Number(number.toFixed(2)).toString();

function colorOf(words) {
  const numbers = (words.match(/[\d.]+/g) || []).map(Number);
  if (words === "none" || numbers.length < 3 || numbers[3] === 0) return null;
  return { rgb: numbers.slice(0, 3).map((n) => two(n / 255)).join(" "), alpha: numbers[3] ?? 1 };
}

// A circle's outline as four curves.
const circlePath = (x, y, r) => { const k = 0.5523 * r; return `M${x + r} ${y}C${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r}C${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y}C${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r}C${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y}Z`; };

function outlineOf(element) {
  const number = (name) => Number(element.getAttribute(name) || 0);
  const tag = element.tagName;
  if (tag === "path") return element.getAttribute("d");
  if (tag === "circle") return circlePath(number("cx"), number("cy"), number("r"));
  if (tag === "line") return `M${number("x1")} ${number("y1")}L${number("x2")} ${number("y2")}`;
  if (tag === "polyline" || tag === "polygon") return `M${element.getAttribute("points").trim().replaceAll(/\s+/g, "L")}${tag === "polygon" ? "Z" : ""}`;
  if (tag !== "rect") return null;
  const [x, y, w, h, r] = ["x", "y", "width", "height", "rx"].map(number);
  if (!r || r * 2 > Math.min(w, h)) return `M${x} ${y}L${x + w} ${y}L${x + w} ${y + h}L${x} ${y + h}Z`;
  const k = 0.45 * r;
  return `M${x + r} ${y}L${x + w - r} ${y}C${x + w - k} ${y} ${x + w} ${y + k} ${x + w} ${y + r}L${x + w} ${y + h - r}C${x + w} ${y + h - k} ${x + w - k} ${y + h} ${x + w - r} ${y + h}L${x + r} ${y + h}C${x + k} ${y + h} ${x} ${y + h - k} ${x} ${y + h - r}L${x} ${y + r}C${x} ${y + k} ${x + k} ${y} ${x + r} ${y}Z`;
}

// The page of a drawing that stands in the document, so that its style is known.
function pdfFile(svg) {
  const [left, top, across, down] = svg.getAttribute("viewBox").split(" ").map(Number);
  const scale = 0.75, content = [`${scale} 0 0 ${-scale} ${two(-left * scale)} ${two((top + down) * scale)} cm`], fades = new Set();
  const shift = (element) => { let [x, y] = [0, 0]; for (let up = element.parentElement; up && up !== svg; up = up.parentElement) if (up.tagName === "svg") { x += Number(up.getAttribute("x") || 0); y += Number(up.getAttribute("y") || 0); } return [x, y]; };
  const faded = (element) => { let all = 1; for (let up = element; up && up !== svg; up = up.parentElement) all *= Number(getComputedStyle(up).opacity); return all; };
  for (const element of svg.querySelectorAll("path, rect, circle, line, polyline, polygon, text")) {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden" || element.closest("defs")) continue;
    const [dx, dy] = shift(element), all = faded(element);
    const fill = colorOf(style.fill), stroke = colorOf(style.stroke);
    const level = (color, name) => Math.round(100 * all * color.alpha * Number(style[name]));
    const gs = [fill ? level(fill, "fillOpacity") : 100, stroke ? level(stroke, "strokeOpacity") : 100];
    if ((!fill || !gs[0]) && (!stroke || !gs[1])) continue;
    fades.add(gs.join("x"));
    content.push("q", `/G${gs.join("x")} gs`, `1 0 0 1 ${two(dx)} ${two(dy)} cm`);
    if (element.tagName === "text") {
      const size = parseFloat(style.fontSize), width = element.getComputedTextLength ? element.getComputedTextLength() : 0;
      const own = helveticaWidth(element.textContent) * size / 1000 || 1;
      const stretch = width ? Math.min(1.15, Math.max(0.7, width / own)) : 1;
      const anchor = { middle: 0.5, end: 1 }[style.textAnchor] || 0;
      const turned = /rotate\((-?[\d.]+)[ ,]+(-?[\d.]+)[ ,]+(-?[\d.]+)\)/.exec(element.getAttribute("transform") || "");
      const [x, y] = ["x", "y"].map((name) => Number(element.getAttribute(name) || 0));
      if (turned) { const [, angle, cx, cy] = turned.map(Number), t = angle * Math.PI / 180; content.push(`${two(Math.cos(t))} ${two(Math.sin(t))} ${two(-Math.sin(t))} ${two(Math.cos(t))} ${two(cx - Math.cos(t) * cx + Math.sin(t) * cy)} ${two(cy - Math.sin(t) * cx - Math.cos(t) * cy)} cm`); }
      const bold = Number(style.fontWeight) >= 600;
      content.push(`${fill.rgb} rg`, "BT", `/${bold ? "B" : "F"} ${size} Tf`, `${two(100 * stretch)} Tz`, `1 0 0 -1 ${two(x - anchor * own * stretch)} ${two(y)} Tm`, `${pdfText(element.textContent)} Tj`, "ET", "Q");
      continue;
    }
    const width = parseFloat(style.strokeWidth) || 0, drawn = stroke && width > 0 && gs[1] > 0, filled = fill && gs[0] > 0;
    const dashes = style.strokeDasharray === "none" ? "" : style.strokeDasharray.match(/[\d.]+/g).join(" ");
    if (filled) content.push(`${fill.rgb} rg`);
    if (drawn) content.push(`${stroke.rgb} RG ${two(width)} w [${dashes}] 0 d ${style.strokeLinecap === "round" ? 1 : 0} J`);
    for (const [kind, ...points] of stepsOfPath(outlineOf(element) || "")) content.push(kind === "Z" ? "h" : `${points.map((point) => point.map(two).join(" ")).join(" ")} ${{ M: "m", L: "l", C: "c" }[kind]}`);
    content.push(filled && drawn ? "B" : filled ? "f" : drawn ? "S" : "n", "Q");
  }
  return assemblePdf(content.join("\n"), [across * scale, down * scale], [...fades]);
}

// Widths of Helvetica, near enough to set words at their middles: the page knows the true widths.
const helveticaWidth = (text) => [...inLatin(text)].reduce((sum, letter) => sum + (/[iljtfI.,:;'|!() \[\]-]/.test(letter) ? 280 : /[mwMW%]/.test(letter) ? 850 : /[A-Z]/.test(letter) ? 680 : 545), 0);

function assemblePdf(stream, [width, height], fades) {
  const states = fades.map((fade) => { const [ca, CA] = fade.split("x").map((n) => n / 100); return `/G${fade} << /ca ${ca} /CA ${CA} >>`; }).join(" ");
  const font = (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${two(width)} ${two(height)}] /Contents 4 0 R /Resources << /Font << /F 5 0 R /B 6 0 R >> /ExtGState << ${states} >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`, font("Helvetica"), font("Helvetica-Bold")];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, i) => { const at = text.length; text += `${i + 1} 0 obj\n${object}\nendobj\n`; return at; });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

// Save a drawing as PDF: in light colors, and beside the page for as long as its style is read.
function savePdf(svg, name, kind = "") {
  const root = document.documentElement, before = root.dataset.theme;
  const place = make("div", { class: kind, style: "position:absolute;left:-99999px;top:0", "aria-hidden": "true" }, svg);
  root.dataset.theme = "light";
  document.body.append(place);
  const file = pdfFile(svg);
  place.remove();
  if (before) root.dataset.theme = before; else delete root.dataset.theme;
  saveFile(name, "application/pdf", file);
}
