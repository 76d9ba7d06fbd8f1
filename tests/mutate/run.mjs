// Which changes of one operator in core's formulas do the tests notice? Each is made in a copy under build/, compiled,
// and tried until a test fails.
//   npm run mutate -- [--seed 1] [--count 200] [--only core/training,core/plan] [--again] [--keep] [--list]
// A seed draws the same changes as long as their lines stay. What was noticed once is not tried again unless with
// --again, so that a run can be broken off, or repeated after a test was added. --keep tries the copy as the last run
// made it, however the work tree has moved on. --list shows what would be tried.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mutantsOf } from "./mutants.mjs";
import { built, copied, copySources, place, prepared, source, suitesOf, tried } from "./scratch.mjs";

const { values: asked } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    only: { type: "string", default: "core/" },
    again: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
/** Tables, not formulas: their figures are held against their sources. */
const tables = /(catalog|accelerators|links|systems|constants|_table|_tables)\.cpp$/;
/** A suite that takes longer is only run where the others notice nothing. */
const long = 0.5;

/** The changes in the order of this seed: by a hash of what they are, so that other lines' edits move none. */
function drawn() {
  const files = copied()
    .filter((file) => /^core\/.*\.(cpp|h)$/.test(file) && !tables.test(file))
    .filter((file) => asked.only.split(",").some((part) => file.startsWith(part)));
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(source, file), "utf8")));
  const order = (mutant) => createHash("sha256").update(`${asked.seed} ${mutant.name}`).digest("hex");
  return all.map((mutant) => ({ mutant, order: order(mutant) })).sort((a, b) => (a.order < b.order ? -1 : 1));
}

/** What earlier runs found: name of a change to its outcome. */
function earlier(path) {
  if (asked.again || !existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return new Map(lines.map((line) => JSON.parse(line)).map(({ name, outcome }) => [name, outcome]));
}

/** The tests that can reach a room, in two goes, quick suites first: [{filter, seconds it may take}]. */
function goes(suites, room) {
  const reaching = suites.filter(({ reach }) => reach.has(room));
  const halves = [reaching.filter(({ seconds }) => seconds <= long), reaching.filter(({ seconds }) => seconds > long)];
  return halves
    .filter((half) => half.length > 0)
    .map((half) => ({
      filter: half.map(({ name }) => `${name}.*`).join(":"),
      // A machine that others use may be many times slower than it was a moment ago.
      seconds: 60 + 20 * half.reduce((sum, { seconds }) => sum + seconds, 0),
    }));
}

/** "noticed by …", "unnoticed", or "does not compile". */
function outcomeOf(tree, mutant, suites) {
  const program = built(tree, mutant);
  if (program === null) return "does not compile";
  for (const { filter, seconds } of goes(suites, mutant.file.split("/")[1])) {
    const { failed } = tried(program, filter, seconds);
    if (failed) return `noticed by ${failed}`;
  }
  return "unnoticed";
}

const equivalent = new Map(
  Object.entries(JSON.parse(readFileSync(new URL("equivalent.json", import.meta.url), "utf8"))),
);
if (!asked.keep) copySources();
const changes = drawn();
if (asked.list) {
  for (const { mutant } of changes.slice(0, Number(asked.count))) {
    console.log(`${mutant.file}:${mutant.line}\n    ${mutant.before}\n    ${mutant.after}`);
  }
  console.log(`${changes.length} changes can be made.`);
  process.exit();
}

const log = join(place, `seed-${asked.seed}.jsonl`);
const known = earlier(log);
const tree = prepared();
const suites = suitesOf(tree);
const counts = { noticed: 0, unnoticed: 0, equivalent: 0, uncompiled: 0 };
for (const { mutant } of changes) {
  if (counts.noticed + counts.unnoticed + counts.equivalent >= Number(asked.count)) break;
  const { name } = mutant;
  const before = known.get(name);
  const reason = equivalent.get(name);
  const settled = before !== undefined && before !== "unnoticed" ? before : undefined;
  const outcome = reason ? `equivalent: ${reason}` : (settled ?? outcomeOf(tree, mutant, suites));
  if (!reason && outcome !== before) appendFileSync(log, `${JSON.stringify({ name, outcome })}\n`);
  const kind = outcome === "does not compile" ? "uncompiled" : outcome.split(/[ :]/)[0];
  counts[kind] += 1;
  if (kind === "uncompiled") continue;
  const where = `${mutant.file}:${mutant.line}`;
  console.log(`${kind === "unnoticed" ? "UNNOTICED" : outcome}\n  ${where}\n    ${mutant.before}\n    ${mutant.after}`);
}
const made = counts.noticed + counts.unnoticed + counts.equivalent;
const percent = ((100 * (counts.noticed + counts.equivalent)) / Math.max(1, made)).toFixed(1);
console.log(
  `${made} changes: ${counts.noticed} noticed, ${counts.equivalent} that change nothing, ${counts.unnoticed} unnoticed ` +
    `(${percent} % noticed or without effect); ${counts.uncompiled} others do not compile.`,
);
