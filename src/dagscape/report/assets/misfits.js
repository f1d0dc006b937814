// Rows of which the network makes too many or too few, and what would mend that.

function showMisfits() {
  const fit = DATA.fit;
  $("fit").hidden = !fit;
  if (!fit) return;
  const beside = `The network made ${many(fit.tables, "table")} of ${many(fit.rows, "row")} each, and the table was compared with them, in ${fit.scope}.`;
  const found = fit.misfits.length
    ? "Of these rows it makes too many or too few. p is the share of its own tables in which anything looks as odd."
    : "Nothing stands out: the table looks like one of them.";
  const caution = fit.caution ? ` Mind that ${fit.caution}.` : "";
  $("fit-text").textContent = `${beside} ${found}${caution}`;
  $("fit-table").hidden = !fit.misfits.length;
  const heads = [["rows with", ""], ["the network makes", "number"], ["the table has", "number"], ["p", "number"]];
  const head = make("thead", {}, make("tr", {}, heads.map(([title, kind]) => make("th", { scope: "col", class: kind }, title))));
  const percent = (value) => make("td", { class: "number" }, `${(100 * value).toFixed(1)} %`);
  const row = (one) => make("tr", {}, make("td", {}, one.cell.join(", ")), percent(one.network), percent(one.table), make("td", { class: "number" }, one.p_adjusted.toPrecision(1)));
  const more = fit.more > 0 ? make("tr", {}, make("td", { colspan: 4, class: "soft" }, `and ${whole(fit.more)} more`)) : null;
  $("fit-table").replaceChildren(make("caption", { hidden: true }, "Rows that differ"), head, make("tbody", {}, fit.misfits.map(row), more));
  $("fit-mends").replaceChildren(...fit.mends.map(({ words }) => make("li", {}, `${words}.`)));
  $("fit-mends").hidden = !fit.mends.length;
}
