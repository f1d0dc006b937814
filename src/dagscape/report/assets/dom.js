// Small helpers: elements, numbers in words.

const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  for (const child of [children].flat(Infinity)) if (child != null && child !== "") element.append(child);
  return element;
}

// Thousands of names to choose from are listed once somebody comes near: they would take longer to make than all the rest.
const CHOICES_AT_ONCE = 2000;
function whenNear(box, list) {
  if (NAMES.length <= CHOICES_AT_ONCE) { list(); return; }
  let done = false;
  for (const event of ["pointerenter", "focus"]) box.addEventListener(event, () => { if (!done) { done = true; list(); } });
}

// Names only ever become text nodes or attributes, so that none can become markup.
const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
// A box for a table that may be larger than it: the keys reach what is hidden in it.
const scrolled = (label, ...children) => make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);
// What to click, which paper has no use for.
const onScreen = (text) => make("span", { class: "on-screen" }, text);

// What paper leaves out of a long list, which the page has.
const tellPrinted = (list, shown, all, what) => { $(`${list}-printed`).textContent = shown < all ? `Here are ${whole(shown)} of ${many(all, what)}; the page has them all.` : ""; };

const minus = (words) => words.replace("-", "−");
const whole = (number) => minus(Math.round(number).toLocaleString("en"));
// Rounded to nothing, a number has no sign.
const fixed = (number, digits) => minus(number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: "negative" }));
// How shares and probabilities are written: in sentences, in tables, and of states.
const share = (number) => number.toFixed(2);
const fineShare = (number) => number.toFixed(3);
const percent = (number) => `${(100 * number).toFixed(1)} %`;
const many = (number, one, more) => `${whole(number)} ${number === 1 ? one : more || one + "s"}`;
const short = (name) => ([...name].length > 18 ? [...name].slice(0, 17).join("") + "…" : name);

// How wide letters of a picture are, so that none is cut off.
const pen = document.createElement("canvas").getContext("2d");
function widthOf(words, font = "600 11.5px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif") {
  pen.font = font;
  return pen.measureText(words).width;
}

// A number that somebody typed, with a decimal point or with the decimal comma of the browser's language; null where it is none.
const COMMA = new Intl.NumberFormat(navigator.language).format(1.5).includes(",");
function numberOf(typed) {
  let text = typed.trim().replace("−", "-").replace(/[\s'’]/g, "");
  if (text.includes(".") && text.lastIndexOf(",") > text.lastIndexOf(".")) text = text.replaceAll(".", "").replace(",", ".");
  else if (text.includes(".") || (!COMMA && /^[+-]?\d{1,3}(,\d{3})+$/.test(text))) text = text.replaceAll(",", "");
  else text = text.replace(",", ".");
  return text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}

function scoreWords(score) {
  return score == null ? "?" : fixed(score, Math.abs(score) < 1000 ? 2 : 1);
}

function saveFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
