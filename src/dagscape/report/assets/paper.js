// For a paper: the paragraph on methods, and every table as CSV and LaTeX.

function showMethods() {
  const { text, works } = DATA.methods;
  $("methods-text").textContent = text;
  $("methods-works").replaceChildren(...works.map((work) => make("li", {}, work)));
  $("methods-copy").addEventListener("click", () => copyText(`${text}\n\n${works.join("\n")}\n`, $("methods-said")));
}

// Copy words; where the browser does not let a page do that, say how to.
function copyText(text, said) {
  const field = make("textarea", { style: "position:fixed;left:-9999px", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  said.textContent = done ? "Copied." : "The browser does not allow it: select the text and copy it.";
}

// The cells of a table as it stands there: heads first.
function cellsOfTable(table) {
  const words = (cell) => cell.textContent.replace(/[▾▴]/g, "").replace(/\s+/g, " ").trim();
  return [...table.querySelectorAll("tr")].map((row) => [...row.children].map(words)).filter((row) => row.length);
}

const csvOf = (rows) => rows.map((row) => row.map((cell) => { const safe = guarded(cell.replace(/^−(?=[\d.])/, "-")); return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe; }).join(",")).join("\n") + "\n";

const LATEX = { "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "→": "$\\to$", "←": "$\\leftarrow$", "↻": "$\\circlearrowright$", "−": "$-$", "–": "--", "…": "\\ldots{}", "±": "$\\pm$", "<": "$<$", ">": "$>$", "|": "$|$" };
const inLatex = (text) => [...text].map((letter) => LATEX[letter] || letter).join("");

// A table of LaTeX (packages booktabs and longtable); columns of numbers to the right.
function latexOf([head, ...rows]) {
  const numbers = head.map((_, i) => rows.length && rows.every((row) => !row[i] || /^[−+-]?[\d.,]+( %)?$/.test(row[i])));
  const line = (row) => `${head.map((_, i) => inLatex(row[i] ?? "")).join(" & ")} \\\\`;
  return ["% needs \\usepackage{booktabs,longtable}", `\\begin{longtable}{${numbers.map((is) => (is ? "r" : "l")).join("")}}`, "\\toprule", line(head), "\\midrule", "\\endhead", ...rows.map(line), "\\bottomrule", "\\end{longtable}", ""].join("\n");
}

// Buttons below a table that save it.
function tableTools(table, name) {
  if (table.dataset.tools || !table.querySelector("td")) return;
  table.dataset.tools = name;
  const save = (kind, type, write) => make("button", { type: "button", class: "small plain", "data-save": `${name}.${kind}`, "aria-label": `Save the table “${name}” as ${kind === "tex" ? "LaTeX" : "CSV"}`,
    on: { click: () => saveFile(`${name}.${kind}`, type, write(cellsOfTable(table))) } }, kind === "tex" ? "LaTeX" : "CSV");
  (table.closest(".scroll") || table).after(make("p", { class: "table-tools on-screen" }, "Save this table as ", save("csv", "text/csv", csvOf), " ", save("tex", "application/x-tex", latexOf)));
}

function addTableTools() {
  for (const id of ["nearest-table", "fit-table", "near-table", "implied-table", "optima-table", "edges-table"]) tableTools($(id), id.replace("-table", ""));
  document.querySelectorAll("#sections details table").forEach((table) => tableTools(table, table.closest("details").querySelector("summary").textContent.replace(/ \(.*/, "").toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")));
}
