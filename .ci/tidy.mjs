// clang-tidy's short list (.clang-tidy) over the core's units (a room's sources as one, core/CMakeLists.txt) that have changed
// since they last passed: node .ci/tidy.mjs. As Clang's own build compiles them: it knows no switch that is GCC's alone.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative } from "node:path";

process.chdir(new URL("..", import.meta.url).pathname);
// Anew each time: a source that was added since is in no unit yet.
execFileSync("cmake", ["--preset", "tidy"], { stdio: ["ignore", "ignore", "inherit"] });

/** A unit and the sources and headers of ours that it reads, however far away. */
function readBy(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, header] of readFileSync(file, "utf8").matchAll(/^#include "(.+)"/gm)) readBy(header, seen);
  return seen;
}

/** Stands for what a source says and what is asked of it, so that it is looked at again once either changes. */
function stampOf(source) {
  const digest = createHash("sha256");
  for (const file of [".clang-tidy", ...readBy(source)]) digest.update(file).update(readFileSync(file));
  return `build/tidied/${digest.digest("hex")}`;
}

const tidy = (source) =>
  new Promise((resolve) => {
    execFile("clang-tidy", ["-p", "build/tidy", "--quiet", source], (error, stdout, stderr) => {
      // What it says besides findings is how many it kept back, unless it could not look at all.
      if (error) console.error(`${source}: clang-tidy\n${stdout}${stderr}`);
      resolve(!error);
    });
  });

mkdirSync("build/tidied", { recursive: true });
const commands = JSON.parse(readFileSync("build/tidy/compile_commands.json", "utf8"));
const waiting = commands
  .map(({ file }) => relative(process.cwd(), file))
  .filter((source) => /^(?:build\/tidy\/)?core\//.test(source))
  .map((source) => ({ source, stamp: stampOf(source) }))
  .filter(({ stamp }) => !existsSync(stamp));

async function worker() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    if (await tidy(next.source)) writeFileSync(next.stamp, "");
    else process.exitCode = 1;
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, worker));
