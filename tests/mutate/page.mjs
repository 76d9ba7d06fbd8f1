// Which changes of one operator, condition or constant in the page's state and sentences do its tests notice? All that can be
// drawn are switches in one build of a copy under build/mutate/page. Which tests reach which is measured once, and again
// only for test files that have changed since; then each that is drawn is turned on while tests that reach it run, those
// that reach fewest first, until one fails, or so many seconds of them have passed.
//   npm run mutate:page -- [--seed 1] [--count 100] [--only web/state,web/views/plan] [--by claims,link]
//     [--seconds 120] [--again] [--list]
// A seed draws the same changes as long as their lines stay. What was noticed once is not tried again unless with --again.
// COMMCOST_TESTS=quick leaves out what is tagged @long: fewer are noticed, sooner.
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { side } from "./scratch.mjs";
import { mutantsOf, withSwitches } from "./script-mutants.mjs";

const { values: asked } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    only: { type: "string", default: "web/" },
    by: { type: "string", default: "" },
    seconds: { type: "string", default: "120" },
    again: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const root = new URL("../../", import.meta.url).pathname;
const place = join(root, "build/mutate/page");
const copy = join(place, "copy");
const log = join(place, `seed-${asked.seed}.jsonl`);
const switches = readFileSync(new URL("switched.js", import.meta.url), "utf8");
const equivalent = JSON.parse(readFileSync(new URL("equivalent.json", import.meta.url), "utf8"));
const sources = /^web\/(state|views|figures|elements|exercise)\/.*\.ts$/;
const listed = () =>
  execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(root, file)));
const read = (file) => readFileSync(join(root, file), "utf8");
const digest = (text) => createHash("sha256").update(text).digest("hex");
/** All changes that can be drawn. */
const changes = () =>
  listed()
    .filter((file) => sources.test(file))
    .flatMap((file) => mutantsOf(file, read(file)))
    .filter(({ file, tells }) => file.startsWith("web/state/") || tells);
/** Whether a path starts with one of the given prefixes. */
const among = (parts, path) => parts.split(",").some((part) => path.startsWith(part));
const drawn = (all) => {
  const order = ({ name }) => digest(`${asked.seed} ${name}`);
  return all
    .filter(({ file }) => among(asked.only, file))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .slice(0, Number(asked.count));
};

/** The copy as the work tree is, with its switches, built where anything of the page has changed since; says what was built. */
function prepare(all) {
  const files = listed();
  const parts = files.filter((file) => /^(web|wasm)\//.test(file)).map((file) => `${file}\n${read(file)}`);
  const site = digest([...parts, ...all.map(({ name }) => name), switches].join("\n"));
  const built = join(place, "built");
  const same = existsSync(built) && readFileSync(built, "utf8") === site;
  rmSync(same ? join(copy, "tests") : copy, { recursive: true, force: true });
  for (const file of files) if (!same || file.startsWith("tests/")) cpSync(join(root, file), join(copy, file));
  if (same) return site;
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  cpSync(join(root, "build/wasm/wasm"), join(copy, "build/wasm/wasm"), { recursive: true });
  writeFileSync(join(copy, "web/switched.js"), switches);
  for (const file of new Set(all.map((mutant) => mutant.file))) {
    const ids = new Map(all.flatMap(({ name }, id) => (all[id].file === file ? [[name, id]] : [])));
    const module = relative(dirname(file), "web/switched.js");
    writeFileSync(join(copy, file), withSwitches(file, read(file), ids, module));
  }
  execFileSync(process.execPath, ["web/build/site.mjs"], { cwd: copy, stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(built, site);
  return site;
}

const sourceOf = (name) => name.slice(0, name.indexOf(":"));

let runs = 0;

/** Runs tests of the copy; returns each that ran, {title, file, seconds, passed}, or nothing where they could not be run, or not in `limit` seconds. */
async function tested(environment, options, limit = 0) {
  const own = join(place, `run-${++runs}`);
  const report = join(own, "report.json");
  const playwright = [
    "node_modules/.bin/playwright",
    "test",
    "-c",
    "tests/page",
    "--reporter=json",
    `--output=${own}/output`,
  ];
  // An endless loop receives no other signal.
  const child = spawn("timeout", ["-s", "KILL", String(limit), ...playwright, ...options], {
    cwd: copy,
    env: { COMMCOST_TESTS: "all", ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...environment },
    stdio: "ignore",
  });
  await new Promise((done) => child.on("close", done));
  const said = existsSync(report) && JSON.parse(readFileSync(report, "utf8"));
  rmSync(own, { recursive: true, force: true });
  if (!said) return undefined;
  const flat = (suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(flat)];
  const ran = said.suites.flatMap(flat).flatMap(({ title, file, tests: [{ status, results }] }) => {
    const result = results.at(-1);
    return !result || ["skipped", "interrupted"].includes(result.status)
      ? []
      : [{ title, file, seconds: result.duration / 1000, passed: status !== "unexpected" }];
  });
  if (said.errors.some(({ message }) => message?.includes("No tests found"))) {
    // All tests of a file may be long.
    if (process.env.COMMCOST_TESTS === "quick") return [];
    throw new Error(`No tests: ${options}`);
  }
  // A file that can't be read has no tests.
  return ran.length > 0 || said.errors.length === 0 ? ran : undefined;
}

/** What a file's tests reach with nothing changed: {title, seconds, passed, names}. */
async function measured(all, file) {
  const notes = join(place, `notes-${file}`);
  mkdirSync(notes, { recursive: true });
  const tests = await tested({ COMMCOST_REACHED: notes }, ["--workers=1", "--retries=0", `/page/${escaped(file)}`]);
  const reached = new Map(tests.map(({ title }) => [title, new Set()]));
  for (const note of readdirSync(notes))
    for (const line of readFileSync(join(notes, note), "utf8").trim().split("\n")) {
      const { title, id } = JSON.parse(line);
      // What was reached while the file was read has no title.
      for (const names of title ? [reached.get(title)] : reached.values()) names?.add(all[id].name);
    }
  rmSync(notes, { recursive: true });
  return tests.map(({ title, seconds, passed }) => ({ title, seconds, passed, names: [...reached.get(title)] }));
}

/** By a change's name, the tests that reach it, {title, file, seconds}, cheap ones and those that reach little first. */
async function measure(all, site) {
  const kind = process.env.COMMCOST_TESTS ?? "all";
  const paths = listed().filter((path) => /^tests\/page\/.*\.test\.mjs$/.test(path) && among(asked.by, basename(path)));
  const files = await side(paths, async (path) => {
    const file = basename(path);
    const kept = join(place, "reached", `${file}.json`);
    const made = digest(`${kind} ${read(path)}`);
    const known = existsSync(kept) && JSON.parse(readFileSync(kept, "utf8"));
    if (known.made === made) return known;
    const now = { made, site, tests: (await measured(all, file)).map((test) => ({ ...test, file })) };
    writeFileSync(kept, JSON.stringify(now));
    return now;
  });
  const tests = files.flatMap((file) =>
    file.tests.map((test) => ({
      ...test,
      site: file.site,
      names: new Set(test.names),
      sources: new Set(test.names.map(sourceOf)),
    })),
  );
  const bad = tests.filter(({ passed }) => !passed);
  if (bad.length > 0)
    console.log(`Left out, since they fail with nothing changed: ${bad.map(({ title }) => title).join("; ")}`);
  const reached = new Set(tests.flatMap(({ names }) => [...names]));
  /** What no test reached may be a line that is younger than what was measured: it is reached where its file is. */
  const reaches = (test, name) =>
    test.names.has(name) || (!reached.has(name) && test.site !== site && test.sources.has(sourceOf(name)));
  return (name) =>
    tests
      .filter((test) => test.passed && reaches(test, name))
      .sort((a, b) => a.names.size * a.seconds - b.names.size * b.seconds);
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const options = (tests) => [
  ...["--workers=1", "-g", tests.map(({ title }) => `${escaped(title)}( @\\w+)*$`).join("|")],
  ...new Set(tests.map(({ file }) => `/page/${escaped(file)}`)),
];
const named = ({ title, file }) => ({ title, file });
const secondsOf = (tests) => tests.reduce((sum, { seconds }) => sum + seconds, 0);

/** {outcome, by: the tests that notice}: a few at a time, so that one that notices at once spares the rest. */
async function outcomeOf(id, reaching) {
  if (reaching.length === 0) return { outcome: "unnoticed: no test reaches it" };
  let [at, spent] = [0, 0];
  while (at < reaching.length && (at === 0 || spent < Number(asked.seconds))) {
    const some = [];
    // A start costs about as much as ten seconds of tests.
    while (at < reaching.length && (some.length === 0 || secondsOf(some) < (spent > 0 ? 60 : 10)))
      some.push(reaching[at++]);
    spent += secondsOf(some);
    // What fails twice is no flake.
    const ran = await tested(
      { COMMCOST_MUTANT: String(id) },
      ["-x", "--retries=1", "--timeout=60000", ...options(some)],
      180 + 4 * secondsOf(some),
    );
    if (!ran)
      return { outcome: `noticed by ${some[0].file}: none of its tests can run to its end`, by: some.map(named) };
    const failed = ran.find(({ passed }) => !passed);
    if (failed)
      return {
        outcome: `noticed by ${failed.file}: ${failed.title}`,
        by: [{ title: failed.title, file: failed.file }],
      };
  }
  return {
    outcome: at < reaching.length ? `unnoticed by ${at} of the ${reaching.length} tests that reach it` : "unnoticed",
  };
}

/** Kept at once, for a run that goes on where another ended. */
const note = (tried) => appendFileSync(log, `${JSON.stringify(tried)}\n`);

mkdirSync(join(place, "reached"), { recursive: true });
const all = changes();
const mutants = drawn(all);
if (asked.list)
  for (const { file, line, before, after } of mutants) console.log(`${file}:${line}\n    ${before}\n    ${after}`);
else await tryAll();

async function tryAll() {
  const reaching = await measure(all, prepare(all));
  const known = new Map(
    asked.again || !existsSync(log)
      ? []
      : readFileSync(log, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
          .map((tried) => [tried.name, tried]),
  );
  const ids = new Map(all.map(({ name }, id) => [name, id]));
  const tried = await side(mutants, async ({ name }) => {
    if (equivalent[name]) return { name, outcome: `equivalent: ${equivalent[name]}` };
    if (known.get(name)?.outcome.startsWith("noticed")) return known.get(name);
    const found = { name, ...(await outcomeOf(ids.get(name), reaching(name))) };
    note(found);
    console.error(`${found.outcome}\n    ${name}`);
    return found;
  });
  const rooms = new Map();
  for (const { name, outcome } of await doubt(tried)) {
    const kind = /^\w+/.exec(outcome)[0];
    const room = dirname(sourceOf(name));
    const counts = rooms.get(room) ?? rooms.set(room, { noticed: 0, unnoticed: 0, equivalent: 0 }).get(room);
    counts[kind] += 1;
    console.log(`${kind === "unnoticed" ? outcome.toUpperCase() : outcome}\n    ${name}`);
  }
  let [noticed, made] = [0, 0];
  for (const [room, counts] of [...rooms].sort()) {
    console.log(
      `${room}: ${counts.noticed} noticed, ${counts.unnoticed} unnoticed, ${counts.equivalent} that change nothing`,
    );
    noticed += counts.noticed;
    made += counts.noticed + counts.unnoticed;
  }
  console.log(
    `${noticed} of ${made} that change something are noticed: ${((100 * noticed) / Math.max(1, made)).toFixed(1)} %.`,
  );
}

/** Tests that noticed run once more with nothing changed, and what was tried comes back: what one that fails noticed is unnoticed. */
async function doubt(tried) {
  const by = tried.flatMap((one) => one.by ?? []);
  if (by.length === 0) return tried;
  const ran = await tested({}, ["--retries=0", ...options(by)]);
  const failed = ran.filter(({ passed }) => !passed);
  return tried.map(({ by: noticed, ...one }) => {
    if (!noticed) return one;
    if (noticed.some(({ title, file }) => failed.some((bad) => bad.title === title && bad.file === file)))
      one.outcome = `unnoticed: fails at times by itself: ${one.outcome}`;
    note(one);
    return one;
  });
}
