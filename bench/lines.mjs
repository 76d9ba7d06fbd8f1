// Lines by folder and room: of the working tree, of a commit and the working tree, or of two commits, with their
// differences.
// Usage: npm run lines [-- <commit> [<commit>]]
// Blank lines and comments count. Files that are not written and read as code are counted separately, by the rules
// below.
import { execFileSync, spawnSync } from "node:child_process";

const root = new URL("../", import.meta.url).pathname;

/** What is counted separately, and how its paths are recognised; the first match decides. */
const apart = [
  ["data", /^(tests\/data|tests\/fuzz\/seeds|bench\/results)\/|\.(csv|json|jsonl|svg|webmanifest)$/],
  ["generated tables, and rows", /^core\/.*(_rows\.h|_table\.cpp)$/],
  ["CSS", /\.css$/],
  ["prose", /\.(md|cff)$|^LICENSE$/],
];

/** Lines of each text file of a commit, or of the working tree: [path, lines]. */
function linesOf(commit) {
  const where = commit ? ["-e", "", commit] : ["--untracked", "-e", ""];
  const output = execFileSync("git", ["grep", "-cIz", ...where], { cwd: root, encoding: "utf8", maxBuffer: 1e9 });
  const counted = output.trim().split("\n");
  return counted.map((line) => {
    const [path, lines] = line.split("\0");
    return [commit ? path.slice(commit.length + 1) : path, Number(lines)];
  });
}

/** The rows that a file counts in, as "folder" and "folder/room". */
function rowsOf(path) {
  const kind = apart.find(([, rule]) => rule.test(path))?.[0];
  if (kind) return [`apart/${kind}`];
  const [folder, room] = path.includes("/") ? path.split("/") : ["(top)", ""];
  return ["all", folder, ...(path.split("/").length > 2 ? [`${folder}/${room}`] : [])];
}

function tallyOf(commit) {
  const tally = new Map();
  for (const [path, lines] of linesOf(commit))
    for (const row of rowsOf(path)) tally.set(row, (tally.get(row) ?? 0) + lines);
  return tally;
}

const given = process.argv.slice(2);
const ends = given.length === 1 ? [...given, undefined] : given.length === 0 ? [undefined] : given.slice(0, 2);
for (const end of ends.filter(Boolean)) {
  const known = spawnSync("git", ["rev-parse", "--verify", "-q", `${end}^{commit}`], { cwd: root }).status === 0;
  if (known) continue;
  console.error(`no such commit: ${end}`);
  process.exit(2);
}
const tallies = ends.map(tallyOf);

function print(title, cells) {
  console.log(title.padEnd(30) + cells.map((cell) => String(cell).padStart(10)).join(""));
}
function printRow(title, row) {
  const [first, second] = tallies.map((tally) => tally.get(row) ?? 0);
  if (second === undefined) print(title, [first]);
  else print(title, [first, second, `${second > first ? "+" : ""}${second - first}`]);
}

print("", [...ends.map((end) => end?.slice(0, 9) ?? "now"), ...(ends.length > 1 ? ["net"] : [])]);
const rows = [...new Set(tallies.flatMap((tally) => [...tally.keys()]))].sort();
for (const row of rows.filter((one) => one !== "all" && !one.startsWith("apart/")))
  printRow(row.includes("/") ? `  ${row.split("/")[1]}` : row, row);
printRow("all", "all");
console.log("\napart");
for (const [kind] of apart) printRow(`  ${kind}`, `apart/${kind}`);
