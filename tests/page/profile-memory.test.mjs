// A profile of a gigabyte is read in bounded memory: as a stream, of which the kernels' columns alone are kept. Of a memory snapshot
// that is one place for each value that it may refer to again. A process reads it by itself, and its peak is the operating system's word.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";
import { test } from "@playwright/test";
import { writeSnapshot } from "./support/long-snapshot.mjs";
import { writeTrace } from "./support/trace.mjs";

const reader = new URL("./support/peak.mjs", import.meta.url).pathname;

/** What reading a file came to, with so many MB of heap for live objects. */
async function reading({ path, kernels, bytes }, heap_mb = 64) {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [`--max-old-space-size=${heap_mb}`, reader, path]);
    return { ...JSON.parse(stdout), expected: kernels, bytes };
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
  judge(await reading(await writeTrace(1e8, "hundred")), 250);
});

test("a profile of 1 GB is read in 500 MB", { tag: "@long" }, async () => {
  judge(await reading(await writeTrace(1e9, "thousand")), 500);
});

test("a memory snapshot of 100 MB, two million events, is read in 250 MB", { tag: "@long" }, async () => {
  const { kind, allocated_bytes, peak_mb } = await reading(await writeSnapshot(1e8, "two-million"), 128);
  console.log(`a memory snapshot of 100 MB: a peak of ${Math.round(peak_mb)} MB`);
  assert.equal(kind, "memory");
  // 64 MiB that are never freed, and at most 65 that are.
  assert.equal(allocated_bytes, 129 * 2 ** 20);
  assert.ok(peak_mb < 250, `${peak_mb} MB`);
});
