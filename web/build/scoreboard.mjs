// Makes scoreboard.html of web/scoreboard/steps.csv: predicted steps beside published and measured ones. To renew it:
//   cmake --build --preset release --target step_report accuracy_report
//   build/release/bench/step_report --csv > web/scoreboard/steps.csv
//   build/release/bench/accuracy_report --csv > web/scoreboard/collectives.csv
import { readFileSync, writeFileSync } from "node:fs";
import { root } from "./plugins.mjs";

const escape = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Rows of the report: quoted cells hold no quotes. */
function rowsOf(csv) {
  const [head, ...lines] = csv
    .trim()
    .split("\n")
    .map((line) => [...line.matchAll(/"([^"]*)"|([^",]+)/g)].map((cell) => cell[1] ?? cell[2]));
  return lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index]])));
}

const number = (value, digits = 1) =>
  Number(value).toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const signed = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${number(Math.abs(value))} %`;
const seconds = (ms) => (ms >= 1000 ? `${number(ms / 1000, 3)} s` : `${number(ms)} ms`);

function summary(name, rows) {
  const errors = rows.map(({ error_percent }) => Number(error_percent));
  const mean = errors.reduce((sum, error) => sum + Math.abs(error), 0) / errors.length;
  const sorted = errors.map(Math.abs).sort((a, b) => a - b);
  const bias = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const fitted = rows.filter((row) => row.fitted === "1").length;
  return { name, rows, mean, bias, median: sorted[Math.floor(sorted.length / 2)], greatest: sorted.at(-1), fitted };
}

const id = (name) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function detail({ name, rows, mean }) {
  return `<section aria-labelledby="${id(name)}"><h2 id="${id(name)}">${escape(name)}</h2>
<details><summary>${rows.length} rows, ${number(mean)} % on average</summary>
<div class="scroll" tabindex="0" role="group" aria-label="${escape(name)}"><table><thead><tr><th scope="col">Run</th><th scope="col">Measured</th><th scope="col">Predicted</th><th scope="col">Error</th><th scope="col">Fitted</th></tr></thead><tbody>
${rows.map((row) => `<tr><th scope="row">${escape(row.row)}</th><td>${seconds(row.measured_ms)}</td><td>${seconds(row.predicted_ms)}</td><td>${signed(Number(row.error_percent))}</td><td>${row.fitted === "1" ? "yes" : ""}</td></tr>`).join("\n")}
</tbody></table></div></details></section>`;
}

/** Writes the page into the site. */
export function scoreboard(site) {
  const rows = rowsOf(readFileSync(`${root}web/scoreboard/steps.csv`, "utf8"));
  const tables = [...(Map.groupBy?.(rows, (row) => row.table) ?? groups(rows))].map(([name, members]) =>
    summary(name, members),
  );
  const css = readFileSync(`${root}web/scoreboard/scoreboard.css`, "utf8");
  writeFileSync(`${site}/scoreboard.css`, css);
  writeFileSync(
    `${site}/scoreboard.html`,
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>commcost: the scoreboard</title>
<link rel="icon" href="./icon.svg" type="image/svg+xml"><link rel="stylesheet" href="./scoreboard.css"></head>
<body><header><h1><a href="./index.html">commcost</a></h1><p>Predicted training steps beside published and measured ones</p></header>
<main><p class="headline">${rows.length.toLocaleString("en")} runs from public tables, each with the error of its prediction, the bad ones too.</p>
<p>One set of constants predicts all of them. Rows marked “fitted” went into the constants of compute, none of them with tensor parallelism;
constants of collectives come from collectives alone. Measurements of one configuration differ by 1 to 7 % between sites.</p>
<div class="scroll" tabindex="0" role="group" aria-label="All tables"><table><thead><tr><th scope="col">Table</th><th scope="col">Rows</th><th scope="col">Mean error</th><th scope="col">Median error</th><th scope="col">Bias</th><th scope="col">Greatest</th><th scope="col">Fitted</th></tr></thead><tbody>
${tables.map(({ name, rows: members, mean, median, bias, greatest, fitted }) => `<tr><th scope="row"><a href="#${id(name)}">${escape(name)}</a></th><td>${members.length}</td><td>${number(mean)} %</td><td>${number(median)} %</td><td>${signed(bias)}</td><td>${number(greatest)} %</td><td>${fitted || ""}</td></tr>`).join("\n")}
</tbody></table></div>
<p class="soft">A run reads: L layers, h hidden size, tp tensor, pp pipeline, v chunks a stage, dp data degree, z ZeRO stage, mb micro-batch, gb global batch. Error is predicted over
measured, less one.</p>
${tables.map(detail).join("\n")}
</main></body></html>
`,
  );
}

/** For Node before 21. */
function groups(rows) {
  const grouped = new Map();
  for (const row of rows) grouped.set(row.table, [...(grouped.get(row.table) ?? []), row]);
  return grouped;
}
