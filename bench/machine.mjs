import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

const root = new URL("../", import.meta.url).pathname;
const first = (command, ...args) =>
  execFileSync(command, args, { encoding: "utf8", cwd: root, stdio: ["ignore", "pipe", "ignore"] })
    .trim()
    .split("\n")[0];

/** What figures depend on: processor, how busy it was before, compilers, Node, Chromium, and which commit was measured. */
export function machine() {
  const cache = readFileSync(`${root}build/native/CMakeCache.txt`, "utf8");
  const compiler = /CMAKE_CXX_COMPILER:\w+=(.*)/.exec(cache)[1];
  return {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    load: Number(loadavg()[0].toFixed(1)),
    compiler: first(compiler, "--version"),
    emscripten: first("emcc", "--version"),
    chromium: first("/usr/bin/chromium-headless-shell", "--version"),
    node: process.version,
    commit: first("git", "describe", "--always", "--dirty", "--abbrev=12"),
    date: new Date().toISOString().slice(0, 10),
  };
}
