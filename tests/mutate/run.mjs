// Which changes of one operator in core's formulas do the tests notice? All that are drawn are switches in one build of a
// copy under build/; each is turned on while the tests that reach it run, quick ones first, until one fails. What is
// computed while compiling, and what is no switch for other reasons, is compiled on its own.
//   npm run mutate -- [--seed 1] [--count 200] [--only core/training,core/plan] [--again] [--list]
// A seed draws the same changes as long as their lines stay. What was noticed once is not tried again unless with
// --again, so that a run can be broken off, or repeated after a test was added. --list shows what would be tried.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { drawn, numbered } from "./drawn.mjs";
import { built, failedOf, place, prepared, program, side, testsOf } from "./scratch.mjs";

const { values: asked } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    only: { type: "string", default: "core/" },
    again: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
/** Tests that take longer are only run where the others notice nothing, seconds. */
const goes = [0.05, 0.5, Infinity];

/** What earlier runs found: name of a change to its outcome. */
function earlier(path) {
  if (asked.again || !existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return new Map(lines.map((line) => JSON.parse(line)).map(({ name, outcome }) => [name, outcome]));
}

/** The first of those tests that fails, "" if none does: the fast ones are tried first. */
async function failedOne(program, tests, on) {
  let after = -1;
  for (const most of goes) {
    const now = tests.filter(({ seconds }) => seconds > after && seconds <= most);
    after = most;
    if (now.length === 0) continue;
    // A machine that others use may be many times slower than it was a moment ago.
    const limit = 60 + 20 * now.reduce((sum, { seconds }) => sum + seconds, 0);
    const failed = await failedOf(
      program,
      now.map(({ name }) => name),
      limit,
      on,
    );
    if (failed) return failed;
  }
  return "";
}

const said = (failed) => (failed ? `noticed by ${failed}` : "unnoticed");

/** "noticed by …", "unnoticed", "does not compile", or undefined where no test reaches it as a switch. */
async function switchedOutcome({ id }, tests) {
  if (tests.some(({ ids }) => ids.has(-id))) return "does not compile";
  const reaching = tests.filter(({ ids }) => ids.has(id));
  if (reaching.length === 0) return undefined;
  return said(await failedOne(program, reaching, { COMMCOST_MUTANT: String(id) }));
}

/** The same of one that is compiled on its own. */
async function aloneOutcome(tree, mutant, tests) {
  const own = built(tree, mutant);
  if (own === null) return "does not compile";
  const room = mutant.file.split("/")[1];
  return said(
    await failedOne(
      own,
      tests.filter(({ reach }) => reach.has(room)),
      {},
    ),
  );
}

const equivalent = new Map(
  Object.entries(JSON.parse(readFileSync(new URL("equivalent.json", import.meta.url), "utf8"))),
);
const changes = drawn(asked.seed, asked.only);
const wanted = Number(asked.count);
if (asked.list) {
  for (const { file, line, before, after } of changes.slice(0, wanted))
    console.log(`${file}:${line}\n    ${before}\n    ${after}`);
  console.log(`${changes.length} changes can be made.`);
  process.exit();
}

const log = join(place, `seed-${asked.seed}.jsonl`);
const known = earlier(log);
const isSettled = ({ name }) => equivalent.has(name) || (known.has(name) && known.get(name) !== "unnoticed");
// More than are wanted, since some do not compile.
const tried = numbered(changes.slice(0, Math.ceil(1.15 * wanted)));
const tree = prepared(tried);
const tests = await testsOf(tree);
const open = tried.filter((mutant) => !isSettled(mutant));
const outcomes = new Map(known);
const note = ({ name }, outcome) => {
  if (outcome !== known.get(name)) appendFileSync(log, `${JSON.stringify({ name, outcome })}\n`);
  outcomes.set(name, outcome);
};
const alone = [];
await side(open, async (mutant) => {
  const outcome = await switchedOutcome(mutant, tests);
  if (outcome === undefined) alone.push(mutant);
  else note(mutant, outcome);
});

const counts = { noticed: 0, unnoticed: 0, equivalent: 0, uncompiled: 0 };
const rooms = new Map();
for (const mutant of tried) {
  if (counts.noticed + counts.unnoticed + counts.equivalent >= wanted) break;
  const { name, file, line, before, after } = mutant;
  if (alone.includes(mutant)) note(mutant, await aloneOutcome(tree, mutant, tests));
  const outcome = equivalent.has(name) ? `equivalent: ${equivalent.get(name)}` : outcomes.get(name);
  const kind = outcome === "does not compile" ? "uncompiled" : outcome.split(/[ :]/)[0];
  counts[kind] += 1;
  if (kind === "uncompiled") continue;
  const room = file.split("/")[1];
  if (!rooms.has(room)) rooms.set(room, { noticed: 0, unnoticed: 0, equivalent: 0 });
  rooms.get(room)[kind] += 1;
  console.log(`${kind === "unnoticed" ? "UNNOTICED" : outcome}\n  ${file}:${line}\n    ${before}\n    ${after}`);
}
for (const [room, { noticed, unnoticed, equivalent }] of [...rooms].sort())
  console.log(`${room}: ${noticed} noticed, ${unnoticed} unnoticed, ${equivalent} that change nothing`);
const made = counts.noticed + counts.unnoticed;
console.log(
  `${counts.noticed} of ${made} that change something are noticed: ` +
    `${((100 * counts.noticed) / Math.max(1, made)).toFixed(1)} %; ` +
    `${counts.equivalent} change nothing, ${counts.uncompiled} others do not compile.`,
);
