// A former release, built from its commit into build/against: its tree, its engine and its page.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";

const root = new URL("../../", import.meta.url).pathname;

/** Builds in `tree` what is not there yet. */
export function build(tree, made, program, ...args) {
  if (!existsSync(`${tree}/${made}`))
    execFileSync(program, args, { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
}

/** Gives a tree the packages that its lock names: this tree's own where both locks are the same. */
function installPackages(tree) {
  if (existsSync(`${tree}/node_modules`)) return;
  const [here, there] = [root, `${tree}/`].map((folder) => readFileSync(`${folder}package-lock.json`, "utf8"));
  if (here === there) symlinkSync(`${root}node_modules`, `${tree}/node_modules`);
  else build(tree, "node_modules", "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
}

/** The tree of `ref`, a copy of that commit, with its engine and its page built. Takes some minutes, once. */
export function formerRelease(ref) {
  const git = (...args) => execFileSync("git", args, { cwd: root, maxBuffer: Infinity });
  const commit = String(git("rev-parse", "--verify", `${ref}^{commit}`)).trim();
  const tree = `${root}build/against/${commit.slice(0, 12)}`;
  if (!existsSync(tree)) {
    mkdirSync(tree, { recursive: true });
    execFileSync("tar", ["-x", "-C", tree], { input: git("archive", commit) });
  }
  installPackages(tree);
  build(tree, "build/site/index.html", "sh", ".ci/build");
  return { commit, tree };
}
