// Fails unless every package of package-lock.json is installed in its version; others beside them do no harm, so that
// worktrees can share one folder of packages.
import { existsSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url).pathname;
const read = (path) => JSON.parse(readFileSync(root + path, "utf8"));
const missing = Object.entries(read("package-lock.json").packages).filter(([folder, { version, optional }]) => {
  const file = `${folder}/package.json`;
  // The root; and what other systems need.
  if (folder === "" || optional) return false;
  return !existsSync(root + file) || read(file).version !== version;
});
process.exitCode = missing.length > 0 ? 1 : 0;
