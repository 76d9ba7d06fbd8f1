// A copy of the sources under build/ with the mutants as switches, built once. One that can't be a switch is compiled
// separately and linked in its place.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { withSwitches } from "./mutants.mjs";

export const root = new URL("../../", import.meta.url).pathname;
export const place = join(root, "build/mutate");
const source = join(place, "source");
const build = join(place, "build");
const changed = join(place, "changed");
const runs = join(place, "runs");
const listed = join(place, "files");
/** The program of the tests, with its switches. */
export const program = "tests/core_tests";
const header = join(root, "tests/mutate/switched.h");
/** Files that only the copy has, next to the tests. */
const beside = ["reached", "telling"];
/** What the sanitizers' build would refuse (CMakePresets.json) ends a test here too, as far as it costs little time. */
const checked =
  "-D_GLIBCXX_ASSERTIONS -fsanitize=bounds,signed-integer-overflow,integer-divide-by-zero,float-cast-overflow " +
  "-fsanitize-undefined-trap-on-error";
/** What a mutant may take of memory, KiB, before it counts as noticed. */
const memory = 6e6;

// No ccache: a mutant is never built twice.
const environment = { ...process.env, CMAKE_CXX_COMPILER_LAUNCHER: "", GTEST_COLOR: "no" };
const output = (command, args) =>
  execFileSync(command, args, { cwd: build, env: environment, encoding: "utf8", maxBuffer: Infinity });
const shell = (command) => spawnSync("sh", ["-c", command], { cwd: build, env: environment, encoding: "utf8" });

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The work tree's files that the core and its tests are built of. */
export const sources = () =>
  execFileSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", "--", "core", "tests", "web/scoreboard", "CMakeLists.txt"],
    { cwd: root, encoding: "utf8" },
  )
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(root, file)));

/** Brings the copy to the work tree's state, changed mutants as switches; what stays the same is not built again. */
function copySources(ids) {
  const wanted = sources();
  const bring = (file, text) => {
    const copy = join(source, file);
    if (!existsSync(copy) || !readFileSync(copy).equals(text)) write(copy, text);
  };
  for (const file of wanted) {
    const text = readFileSync(join(root, file));
    const switches = ids.get(file);
    bring(file, switches ? Buffer.from(withSwitches(file, String(text), switches, header)) : text);
  }
  for (const name of beside) bring(`tests/core/${name}.cpp`, Buffer.from(`#include "mutate/${name}.cpp"\n`));
  const kept = new Set(wanted);
  const before = existsSync(listed) ? readFileSync(listed, "utf8").split("\n") : [];
  for (const file of before) if (!kept.has(file)) rmSync(join(source, file), { force: true });
  write(listed, wanted.join("\n"));
}

/** The copy built with those mutants as switches by their `id`; those that do not compile as switches are left out. */
export function prepared(mutants) {
  const ids = new Map();
  for (const { file, name, id } of mutants) {
    if (!ids.has(file)) ids.set(file, new Map());
    ids.get(file).set(name, id);
  }
  for (;;) {
    copySources(ids);
    configure();
    const { status, stdout } = shell("ninja -k 0 core_tests");
    if (status === 0) break;
    const out = refused(stdout, mutants, ids);
    if (out.length === 0) throw new Error(`The tests do not build:\n${stdout.slice(-4000)}`);
    for (const { file, name } of out) ids.get(file).delete(name);
  }
  const commands = JSON.parse(readFileSync(join(build, "compile_commands.json"), "utf8"));
  const link = output("ninja", ["-t", "commands", "core_tests"]).trim().split("\n").at(-1);
  return { commands, link, readers: readersOfHeaders(), rooms: roomsBelow() };
}

/** The mutants in a compiler's error messages, by their lines; for other lines, all mutants of the file. */
function refused(words, mutants, ids) {
  const places = [...words.matchAll(/(core\/\w+\/\w+\.(?:cpp|h)):(\d+):\d+: +(?:error|required from)/g)];
  const inFile = (file) => mutants.filter((one) => one.file === file && ids.get(file)?.has(one.name));
  const named = places.flatMap(([, file, line]) => inFile(file).filter((one) => one.line === Number(line)));
  return named.length > 0 ? named : places.flatMap(([, file]) => inFile(file));
}

function configure() {
  mkdirSync(build, { recursive: true });
  const linker = spawnSync("ld.lld", ["--version"]).status === 0 ? "-fuse-ld=lld" : "";
  const say = { cwd: build, env: environment, stdio: ["ignore", "ignore", "inherit"] };
  const options = [
    ...["-DCMAKE_BUILD_TYPE=Debug", `-DCMAKE_CXX_FLAGS_DEBUG=-O1 ${checked}`, `-DCMAKE_EXE_LINKER_FLAGS=${linker}`],
    // A mutant is compiled without the rest of its room.
    "-DCOMMCOST_SEPARATE=all",
  ];
  execFileSync("cmake", ["-S", source, "-B", build, "-G", "Ninja", ...options], say);
}

/** Each room with the rooms it depends on, itself included, as in core/CMakeLists.txt. */
function roomsBelow() {
  const text = readFileSync(join(source, "core/CMakeLists.txt"), "utf8");
  const rooms = new Map();
  for (const [, room, on = ""] of text.matchAll(/^commcost_room\((\w+)(?:(?: [A-Z]+)* ON ([a-z ]+))?/gm)) {
    const below = on.trim().split(/ +/).filter(Boolean);
    rooms.set(room, new Set([room, ...below.flatMap((other) => [...rooms.get(other)])]));
  }
  return rooms;
}

/** The objects that read each header of core: file under core/ to objects, as the build noted them. */
function readersOfHeaders() {
  const readers = new Map();
  let object = "";
  for (const line of output("ninja", ["-t", "deps"]).split("\n")) {
    if (line.startsWith(" ")) {
      const header = /(?:^|\/)(core\/\w+\/\w+\.h)$/.exec(line.trim())?.[1];
      if (header) readers.set(header, (readers.get(header) ?? new Set()).add(object));
    } else if (line.includes(":")) {
      object = line.slice(0, line.indexOf(":"));
    }
  }
  return readers;
}

const sourceOf = (entry) => entry.file.slice(source.length + 1);
const objectOf = (entry) => / -o (\S+)/.exec(entry.command)[1];

/** The program with that change, or null where it does not compile. */
export function built({ commands, link, readers }, { file, text }) {
  rmSync(changed, { recursive: true, force: true });
  write(join(changed, file), text);
  const read = readers.get(file);
  const entries = commands.filter((entry) => (read ? read.has(objectOf(entry)) : sourceOf(entry) === file));
  if (entries.length === 0) throw new Error(`Nothing compiles ${file}`);
  const objects = [];
  let linked = link;
  for (const [index, entry] of entries.entries()) {
    const object = join(changed, `${index}.o`);
    const from = read ? entry.file : join(changed, file);
    // What was changed on purpose may well be worth a warning. The changed folder's headers are found first.
    const command = `${entry.command.replace(/ -o .*/, "")} -w -o ${object} -c ${from}`.replace(
      " -I",
      ` -I${changed} -I`,
    );
    if (shell(command).status !== 0) return null;
    // A test's object takes the other's place; a room's comes before its library, which then has nothing to add.
    if (linked.includes(` ${objectOf(entry)} `)) linked = linked.replace(` ${objectOf(entry)} `, ` ${object} `);
    else objects.push(object);
  }
  const mutated = join(changed, "core_tests");
  linked = linked.replace(` -o ${program} `, ` ${objects.join(" ")} -o ${mutated} `);
  const result = shell(linked);
  if (result.status !== 0) throw new Error(result.stderr);
  return mutated;
}

/** How the program goes with those tests: name of the first that failed, "" where none. */
export async function failedOf(tests, names, seconds, on = {}) {
  const flags = join(runs, `flags-${on.COMMCOST_MUTANT ?? "alone"}`);
  write(flags, `--gtest_fail_fast\n--gtest_brief=1\n--gtest_filter=${names.join(":")}\n`);
  const child = spawn("sh", ["-c", `ulimit -v ${memory}; exec ${tests} --gtest_flagfile=${flags}`], {
    cwd: build,
    env: { ...environment, ...on },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let [said, late] = ["", false];
  child.stdout.on("data", (data) => (said += data));
  const limit = setTimeout(
    () => {
      late = true;
      child.kill("SIGKILL");
    },
    Math.min(seconds * 1000, 2 ** 31 - 1),
  );
  const [status, signal] = await new Promise((done) => child.on("close", (...ended) => done(ended)));
  clearTimeout(limit);
  if (status === 0) return "";
  const failed = /^\[ {2}FAILED {2}\] ([^\s,]+)/m.exec(said)?.[1];
  return failed ?? (late ? "no end" : signal || status > 1 ? "crash" : "failure");
}

/**
 * Which of those switches, by id, a calculation's recorded lines notice, then those inputs, then others drawn for so many
 * seconds: [{place: number of the line, or "drawn", ids, line}].
 */
export async function toldBy(calculation, ids, pool, seconds, seed) {
  const path = join(runs, `telling-${calculation}`);
  write(path, `${calculation} ${seconds} ${seed} ${[...ids].join(" ")}\n`);
  write(`${path}-pool`, pool.map((inputs) => `${JSON.stringify({ inputs })}\n`).join(""));
  const child = spawn("sh", ["-c", `ulimit -v ${memory}; exec ${program}`], {
    cwd: build,
    env: { ...environment, COMMCOST_TELLING: path },
    stdio: "ignore",
  });
  const [status, signal] = await new Promise((done) => child.on("close", (...ended) => done(ended)));
  if (status !== 0) throw new Error(`The search for ${calculation} ended with ${signal ?? status}`);
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [place, noticed, text] = line.split("\t");
    return { place, ids: noticed.trim().split(" ").map(Number), line: text };
  });
}

/** Processes the items in parallel, one per core, and returns the results in order. */
export async function side(items, work) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

/**
 * All tests with every switch off: {name, suite, seconds, reach: rooms whose code they may run, ids: switches they reach,
 * negative where the change would not compile}; throws where one fails. Each suite runs on its own, since what the first
 * that asks makes for good is reached by no other.
 */
export async function testsOf({ readers, rooms }) {
  const objectOfTest = (file) => file.replace(/^.*\/tests\//, "tests/CMakeFiles/core_tests.dir/").concat(".o");
  const reachOf = (object) => {
    const found = [...readers].filter(([, objects]) => objects.has(object)).map(([name]) => name.split("/")[1]);
    return new Set(found.flatMap((room) => [...rooms.get(room)]));
  };
  const report = join(place, "tests.json");
  shell(`${program} --gtest_list_tests --gtest_output=json:${report}`);
  const suites = JSON.parse(readFileSync(report, "utf8")).testsuites;
  const ran = await side(suites, async ({ name, testsuite }, at) => {
    const reached = join(runs, `reached-${at}`);
    rmSync(reached, { force: true });
    const failed = await failedOf(program, [`${name}.*`], Infinity, {
      COMMCOST_MUTANT: `-${at + 1}`,
      COMMCOST_REACHED: reached,
    });
    if (failed) throw new Error(`A test fails without any change: ${failed}`);
    const [first, ...notes] = readFileSync(reached, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const files = [...new Set(testsuite.map((one) => one.file))];
    const reach = new Set(files.flatMap((file) => [...reachOf(objectOfTest(file))]));
    return notes.map(({ test, seconds, ids }) => {
      return { name: test, suite: name, seconds, reach, ids: new Set([...first.ids, ...ids]) };
    });
  });
  return ran.flat();
}
