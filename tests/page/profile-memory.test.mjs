// A profile of a gigabyte is read in bounded memory: as a stream, of which the kernels' columns alone are kept. A process reads it
// by itself, and its peak is the operating system's word.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { test } from "@playwright/test";
import { writeTrace } from "./support/trace.mjs";

const reader = new URL("./support/peak.mjs", import.meta.url).pathname;

/** What reading a profile of so many bytes came to; live objects have no more than 64 MB of heap. */
async function reading(bytes, name) {
  const { path, kernels, ...written } = await writeTrace(bytes, name);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["--max-old-space-size=64", reader, path]);
    return { ...JSON.parse(stdout), expected: kernels, bytes: written.bytes };
  } finally {
    await rm(path);
  }
}

function judge({ peak_mb, kind, kernels, expected, busy_us, bytes }, most_mb) {
  console.log(`${Math.round(bytes / 1e6)} MB of profile, ${kernels} kernels: a peak of ${Math.round(peak_mb)} MB`);
  assert.equal(kind, "trace");
  assert.equal(kernels, expected);
  assert.ok(Math.abs(busy_us / (8 * expected) - 1) < 1e-6, `${busy_us}`);
  assert.ok(peak_mb < most_mb, `${peak_mb} MB`);
}

test("a profile of 100 MB is read in 250 MB", async () => {
  judge(await reading(1e8, "hundred"), 250);
});

test("a profile of 1 GB is read in 500 MB", { tag: "@long" }, async () => {
  judge(await reading(1e9, "thousand"), 500);
});
