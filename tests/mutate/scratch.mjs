// A copy of the sources under build/, built once; a mutant is compiled beside it and linked in its stead.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = new URL("../../", import.meta.url).pathname;
export const place = join(root, "build/mutate");
export const source = join(place, "source");
const build = join(place, "build");
const changed = join(place, "changed");
const listed = join(place, "files");
const program = "tests/core_tests";
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

/** The files of the copy. */
export const copied = () => (existsSync(listed) ? readFileSync(listed, "utf8").split("\n") : []);

/** Brings the copy to the work tree's state; what has not changed keeps its time, so that nothing else is built. */
export function copySources() {
  const files = (tree, ...args) =>
    execFileSync("git", ["ls-files", ...args, "--", "core", "tests", "web/scoreboard", "CMakeLists.txt"], {
      cwd: tree,
      encoding: "utf8",
    });
  const wanted = files(root, "-co", "--exclude-standard")
    .trim()
    .split("\n")
    .filter((file) => existsSync(join(root, file)));
  for (const file of wanted) {
    const text = readFileSync(join(root, file));
    const copy = join(source, file);
    if (!existsSync(copy) || !readFileSync(copy).equals(text)) write(copy, text);
  }
  const kept = new Set(wanted);
  for (const file of copied()) if (!kept.has(file)) rmSync(join(source, file), { force: true });
  write(listed, wanted.join("\n"));
}

/** The copy built, of the work tree's state or as it stands: what a mutant needs to be compiled and linked. */
export function prepared() {
  mkdirSync(build, { recursive: true });
  const linker = spawnSync("ld.lld", ["--version"]).status === 0 ? "-fuse-ld=lld" : "";
  const say = { cwd: build, env: environment, stdio: ["ignore", "ignore", "inherit"] };
  const options = [
    ...["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O1", `-DCMAKE_EXE_LINKER_FLAGS=${linker}`],
    // A mutant is compiled without the rest of its room.
    "-DCOMMCOST_SEPARATE=all",
  ];
  execFileSync("cmake", ["-S", source, "-B", build, "-G", "Ninja", ...options], say);
  execFileSync("cmake", ["--build", build, "--target", "core_tests"], say);
  const commands = JSON.parse(readFileSync(join(build, "compile_commands.json"), "utf8"));
  const link = output("ninja", ["-t", "commands", "core_tests"]).trim().split("\n").at(-1);
  return { commands, link, readers: readersOfHeaders(), rooms: roomsBelow() };
}

/** Each room with all that it stands on, itself too, as core/CMakeLists.txt says. */
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

/** How the tests go: {failed: name of the first that failed, "" where none, seconds}. */
export function tried(tests, filter, seconds) {
  const started = performance.now();
  const options = `--gtest_fail_fast --gtest_brief=1 --gtest_filter='${filter}'`;
  const result = spawnSync("sh", ["-c", `ulimit -v ${memory}; exec ${tests} ${options}`], {
    cwd: build,
    env: environment,
    encoding: "utf8",
    timeout: Math.ceil(seconds * 1000),
    killSignal: "SIGKILL",
    maxBuffer: 1e9,
  });
  const failed = /^\[ {2}FAILED {2}\] ([^\s,]+)/m.exec(result.stdout)?.[1];
  const ended = result.error ? "no end" : result.signal || result.status > 1 ? "crash" : "failure";
  return { failed: result.status === 0 ? "" : (failed ?? ended), seconds: (performance.now() - started) / 1000 };
}

/** Suites of the unchanged program: {name, seconds, reach: rooms whose code they may run}; throws where a test fails. */
export function suitesOf({ readers, rooms }) {
  const objectOfTest = (file) => file.replace(/^.*\/tests\//, "tests/CMakeFiles/core_tests.dir/").concat(".o");
  const reach = (object) => {
    const found = [...readers].filter(([, objects]) => objects.has(object)).map(([header]) => header.split("/")[1]);
    return new Set(found.flatMap((room) => [...rooms.get(room)]));
  };
  const report = join(place, "unchanged.json");
  rmSync(report, { force: true });
  const result = shell(`${program} --gtest_brief=1 --gtest_output=json:${report}`);
  if (result.status !== 0) throw new Error(`The tests fail without any change:\n${result.stdout.slice(-2000)}`);
  return JSON.parse(readFileSync(report, "utf8")).testsuites.map(({ name, time, testsuite }) => ({
    name,
    seconds: Number.parseFloat(time),
    // Two files may have suites of one name.
    reach: new Set([...new Set(testsuite.map((one) => one.file))].flatMap((file) => [...reach(objectOfTest(file))])),
  }));
}
