// Parts of the engine join the first: what is no part, or half of one, leaves the first as it was, and the right one
// may still come. What is cut is drawn anew with COMMCOST_SEED, which is printed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { engine as whole, exercise } from "./support.mjs";
import { randomNumbers } from "../support/random-numbers.mjs";

const assets = new URL("../../build/site/assets/", import.meta.url);
const [script] = readdirSync(assets).filter((name) => /^engine-.*\.js$/.test(name));
const seed = Number(process.env.COMMCOST_SEED ?? 26);
const next = randomNumbers(seed);

let bad;
let asked = 0;
globalThis.fetch = async (address) => {
  const path = fileURLToPath(address);
  const bytes = readFileSync(path);
  const headers = { "content-type": bytes.length > 0 && path.endsWith(".wasm") ? "application/wasm" : "text/plain" };
  if (!/\/training-[^/]*$/.test(path)) return new Response(bytes, { headers });
  asked++;
  return bad === undefined ? new Response(bytes, { headers }) : bad(bytes, headers);
};
const { loadEngine } = await import(new URL(script, assets).href);
const parts = await loadEngine();

const firstPart = () =>
  readFileSync(
    new URL(
      readdirSync(assets).find((name) => /^first-.*\.wasm$/.test(name)),
      assets,
    ),
  );
const dense = {
  model: "llama-3.1-8b",
  system: "dgx-h100",
  cluster_gpus: 8,
  sequence_length: 2048,
  global_batch_size: 64,
};
const answer = whole.tensor_parallel_allreduce_cost(exercise);

/** Ways in which a part does not come. */
const ways = {
  404: () => new Response("not here", { status: 404 }),
  500: (_, headers) => new Response("", { status: 500, headers }),
  "a page in its place": () =>
    new Response("<!doctype html><title>Sign in</title>", { headers: { "content-type": "text/html" } }),
  nothing: (_, headers) => new Response("", { headers }),
  "the first part": (_, headers) => new Response(firstPart(), { headers }),
  "another module": (_, headers) =>
    new Response(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 11]), { headers }),
  "no wasm": (bytes, headers) => new Response(bytes.subarray(1), { headers }),
  "an error of the network": () => Promise.reject(new TypeError("Failed to fetch")),
};
for (let cut = 0; cut < 24; cut++) {
  const share = next();
  ways[`cut at ${(100 * share).toFixed(3)} %`] = (bytes, headers) =>
    new Response(bytes.subarray(0, Math.floor(share * bytes.length)), { headers });
}

for (const [name, response] of Object.entries(ways)) {
  test(`${name}: the first part answers as before, the other is still missing`, async (context) => {
    context.diagnostic(`COMMCOST_SEED=${seed}`);
    bad = response;
    const before = asked;
    await assert.rejects(parts.ready("plan"));
    assert.ok(asked > before, "was not asked for again");
    assert.throws(() => parts.plan({}), { name: "PartMissing" });
    // Calling something that is missing requests it again.
    await parts.part("plan").ask();
    assert.deepEqual(parts.tensor_parallel_allreduce_cost(exercise), answer);
  });
}

test("the right one joins after all of these", async () => {
  bad = undefined;
  await parts.ready("plan");
  assert.deepEqual(parts.plan(dense), whole.plan(dense));
  await parts.ready();
  assert.deepEqual(parts.tensor_parallel_allreduce_cost(exercise), answer);
  const job = { model: "llama-2-7b", sequence_length: 2048, batch_size: 8 };
  assert.deepEqual(parts.model_sizes(job), whole.model_sizes(job));
  const log = parts.in_pieces("read_training_log");
  log.add(" iteration 1/ 9 | elapsed time per iteration (ms): 7 |\n");
  assert.equal(log.run().step_time_ms, 7);
});
