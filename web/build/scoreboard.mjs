// What the scoreboard and "how sure?" are made from: web/scoreboard/*.csv, packed at build time. To renew the tables:
//   cmake --build --preset native --target validation
//   for table in steps collectives serving; do build/native/bench/validation $table --csv > web/scoreboard/$table.csv; done
//   build/native/bench/validation serving --kernels > web/scoreboard/kernels.csv
//   build/native/bench/validation steps --projection > web/scoreboard/projection.csv
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { build } from "esbuild";
import { root } from "./plugins.mjs";

const tables = {
  steps: "web/scoreboard/steps.csv",
  serving: "web/scoreboard/serving.csv",
  collectives: "web/scoreboard/collectives.csv",
};
const kernels = "web/scoreboard/kernels.csv";
const projection = "web/scoreboard/projection.csv";

/** Cells of a line; those in quotes may hold commas, but no quotes. */
const cellsOf = (line) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((cell) => cell[1] ?? cell[2]);

/** Rows of a table by the names of its columns; lines that begin with # are comments. */
export function rowsOf(path) {
  const [head, ...lines] = readFileSync(`${root}${path}`, "utf8")
    .trim()
    .split(/\r?\n/)
    .filter((line) => line && !line.startsWith("#"))
    .map(cellsOf);
  return lines.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ""])));
}

/** Columns of numbers as they are, columns of texts as places in a list of their values. */
export function packed(rows) {
  const numbers = {};
  const texts = {};
  for (const name of Object.keys(rows[0])) {
    const column = rows.map((row) => row[name]);
    if (column.every((cell) => cell !== "" && Number.isFinite(Number(cell)))) numbers[name] = column.map(Number);
    else {
      const values = [...new Set(column)];
      const places = new Map(values.map((value, index) => [value, index]));
      texts[name] = { values, at: column.map((cell) => places.get(cell)) };
    }
  }
  return { rows: rows.length, numbers, texts };
}

/** Columns that are shown nowhere. */
const unseen = new Set([
  "error_percent",
  "as_other_percent",
  "site",
  "launch",
  "table",
  "zero_stage",
  "sequence_parallel",
  "hidden_size",
]);
/** The words for measured attention. */
const attended = ["accelerator", "library", "cache", "batch", "heads", "kv_heads", "head_size", "sequence", "time_us"];
/** The words for a run that is faster than a layout. */
const ofUnbeaten = [
  ...[
    "recipe",
    "model",
    "num_layers",
    "accelerator",
    "precision",
    "num_gpus",
    "tensor_parallel",
    "pipeline_parallel",
    "virtual_stages",
  ],
  ...[
    "context_parallel",
    "expert_parallel",
    "dispatcher",
    "global_batch_size",
    "sequence_length",
    "measured_ms",
    "source",
  ],
];
const shown = (rows) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !unseen.has(name))));

/** Collectives with where they were published, which their own table of sources says. */
function collectives() {
  const where = new Map(
    rowsOf("tests/data/measured_sources.csv").map((source) => [source.source_id, source.where.replaceAll("`", "")]),
  );
  return rowsOf(tables.collectives).map((row) => ({ ...row, source: where.get(row.source) ?? row.source }));
}

/** Errors of steps in a column, in whole percent, by the stack, accelerator and kind of their class; rows that their source doubts are in none. */
function stepErrors(column) {
  const errors = {};
  for (const row of rowsOf(tables.steps)) {
    if (row.doubtful !== "0") continue;
    (errors[`${row.recipe} ${row.accelerator} ${row.kind}`] ??= []).push(Math.round(Number(row[column])));
  }
  return errors;
}

/**
 * For published models, the runs that none beats: in the same precision, on as many of the same GPUs, with no more
 * sequences in a step, faster.
 */
async function unbeatenRuns() {
  const { models } = await names();
  const { spelt } = await words();
  const runs = rowsOf(tables.steps)
    .filter((row) => spelt(row.model) in models && row.doubtful === "0" && Number(row.global_batch_size) > 0)
    .map((row) => ({ row, batch: Number(row.global_batch_size), rate: row.global_batch_size / row.measured_ms }));
  const alike = (one, other) =>
    ["model", "num_layers", "accelerator", "precision", "num_gpus", "sequence_length"].every(
      (name) => one.row[name] === other.row[name],
    );
  const beats = (one, other) => one.batch <= other.batch && one.rate > other.rate;
  return runs
    .filter((run) => !runs.some((other) => alike(run, other) && beats(other, run)))
    .map(({ row }) => Object.fromEntries(ofUnbeaten.map((name) => [name, row[name]])));
}

/** Kernels that were measured by themselves, with what their shapes are: products, attention over prompts, attention of a token. */
function measuredKernels() {
  const columns = {
    products: ["gemm", ["accelerator", "library", "precision", "m", "n", "k", "time_us"]],
    prompts: [
      "prefill",
      attended,
      ({ kind, window, compute }) => kind === "causal" && window === "0" && compute === "bfloat16",
    ],
    tokens: ["decode", attended, ({ kind, window }) => kind === "gqa" && window === "0"],
  };
  return Object.entries(columns)
    .map(([name, [table, kept, wanted = () => true]]) => {
      const rows = rowsOf(`tests/data/kernels_${table}.csv`)
        .filter(wanted)
        .map((row) => Object.fromEntries(kept.map((column) => [column, row[column]])));
      return `export const ${name} = ${json(packed(rows))};`;
    })
    .join("\n");
}

const json = (value) => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`;
const modules = {
  "virtual:scoreboard": async () =>
    `export const names = ${json(await names())};
export const steps = ${json(packed(shown(rowsOf(tables.steps))))};
export const serving = ${json(packed(shown(rowsOf(tables.serving))))};
export const collectives = ${json(packed(shown(collectives())))};`,
  "virtual:unbeaten-runs": async () => `export const unbeaten = ${json(packed(await unbeatenRuns()))};`,
  "virtual:kernels": () => `export const kernels = ${json(packed(rowsOf(kernels)))};`,
  "virtual:measured-kernels": measuredKernels,
  "virtual:projection": () => `export const pairs = ${json(packed(rowsOf(projection)))};`,
  "virtual:step-errors": () => `export const errors = ${json(stepErrors("error_percent"))};
export const asOther = ${json(Object.values(stepErrors("as_other_percent")).flat())};`,
};

const escape = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
const seconds = (ms) => `${(ms / 1000).toPrecision(3)} s`;
const error = (predicted, measured) => {
  const percent = 100 * (predicted / measured - 1);
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(1)} %`;
};

/** How the page names a run: its own words. */
async function words() {
  const entry = `${root}web/scoreboard/words.ts`;
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Names from the catalogs of the engine that was just built. */
async function names() {
  const { loadEngine } = await import(`${root}build/engine/commcost.js`);
  return (await words()).namesOf(await loadEngine());
}

/** Others' predictions of runs on the scoreboard, next to ours. */
async function otherTools() {
  const { runName } = await words();
  const known = await names();
  const named = (run) =>
    runName(
      Object.fromEntries(
        Object.entries(run).map(([name, cell]) => [
          name,
          name === "model" || Number.isNaN(Number(cell)) ? cell : Number(cell),
        ]),
      ),
      known,
    );
  const ours = new Map(rowsOf(tables.steps).map((row) => [row.row.split(" ")[0], row]));
  const both = rowsOf("tests/data/published_predictions.csv")
    .filter(({ id }) => ours.has(id))
    .map((theirs) => ({ theirs, run: ours.get(theirs.id) }));
  const cells = ({ theirs, run }) =>
    `<tr><th scope="row">${escape(named(run))}, ${escape(run.row.split(" ")[0].split("-").slice(2).join(" "))}</th><td>${seconds(run.measured_ms)}</td><td>${escape(theirs.tool)} ${seconds(theirs.predicted_ms)} (${error(theirs.predicted_ms, run.measured_ms)})</td><td>${seconds(run.predicted_ms)} (${error(run.predicted_ms, run.measured_ms)})</td><td>${escape(run.source)}</td></tr>`;
  return `<div class="scroll" tabindex="0" role="group" aria-label="Other tools"><table><thead><tr><th scope="col">Run</th><th scope="col">Measured</th><th scope="col">Theirs</th><th scope="col">commcost</th><th scope="col">Source</th></tr></thead><tbody>
${both.map(cells).join("\n")}
</tbody></table></div><p class="soft">Theirs: ${[...new Set(both.map(({ theirs }) => `${theirs.tool}, ${theirs.source}`))].map(escape).join("; ")}, its own model and system files on these layouts.</p>`;
}

/** Serves the tables as modules, and puts into the scoreboard's page what needs no script. */
export function scoreboard() {
  return {
    name: "scoreboard",
    resolveId: (id) => (id in modules ? `\0${id}` : undefined),
    load(id) {
      const make = modules[id.slice(1)];
      if (!make) return undefined;
      for (const path of [...Object.values(tables), kernels, projection]) this.addWatchFile(`${root}${path}`);
      return make();
    },
    transformIndexHtml: {
      order: "pre",
      handler: async (html, { path }) => {
        if (!path.endsWith("scoreboard.html")) return html;
        const [steps, served, timed] = Object.values(tables).map((table) => rowsOf(table).length.toLocaleString("en"));
        const tools = await otherTools();
        return html
          .replace(
            "Every measurement that we know of",
            `${steps} training steps, ${served} times of servers and ${timed} timed collectives from public tables`,
          )
          .replace('<div id="other-tools"></div>', () => tools);
      },
    },
  };
}

/** The unpacked tables, for download. */
export function scoreboardFiles(site) {
  mkdirSync(`${site}/scoreboard`, { recursive: true });
  for (const path of [...Object.values(tables), projection])
    cpSync(`${root}${path}`, `${site}/scoreboard/${path.split("/").at(-1)}`);
}
