import assert from "node:assert/strict";
import { test } from "node:test";
import { exercise } from "./support.mjs";

// The module's memory never shrinks: what has not grown has not leaked, but for what fits into its last 64 KiB page.
const memories = [];

test("100,000 calls of every kind leave the module's memory as it was", async () => {
  // A separate module, whose memory is visible.
  const instantiate = WebAssembly.instantiate;
  WebAssembly.instantiate = async (...args) => {
    const made = await instantiate(...args);
    memories.push(Object.values((made.instance ?? made).exports).find((value) => value instanceof WebAssembly.Memory));
    return made;
  };
  const { loadEngine } = await import("../../build/engine/commcost.js?own");
  const own = await loadEngine();
  WebAssembly.instantiate = instantiate;
  assert.ok(memories[0], "the module's memory is seen");

  const axes = [{ field: "num_gpus", values: [1, 2, 4, 8] }];
  const round = () => {
    own.tensor_parallel_allreduce_cost(exercise);
    own.sweep({ calculation: "tensor_parallel_allreduce_cost", inputs: exercise, axes });
    try {
      own.tensor_parallel_allreduce_cost({ ...exercise, num_gpus: "8", unheard_of: [1, "two", {}] });
      assert.fail();
    } catch (error) {
      assert.equal(error.name, "InvalidInputError");
    }
  };
  // What is as large as a call can be, lawful or not, leaves its room to the next.
  const tangle = {};
  for (let i = 0; i < 100; ++i) tangle[i] = tangle;
  const giants = [
    { ...exercise, num_gpus: new Float64Array(16_000_000) },
    { ...exercise, num_gpus: new Array(100_000).fill("8") },
    { ...exercise, num_gpus: "8".repeat(16_000_000) },
    { ...exercise, num_gpus: tangle },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`${"k".repeat(100)}${i}`, i])),
  ];
  const giantRound = () => {
    for (const inputs of giants)
      assert.throws(() => own.tensor_parallel_allreduce_cost(inputs), { name: "InvalidInputError" });
  };
  for (let i = 0; i < 3; ++i) giantRound();
  const afterGiants = memories[0].buffer.byteLength;
  for (let i = 0; i < 5; ++i) giantRound();
  assert.equal(memories[0].buffer.byteLength, afterGiants);

  for (let i = 0; i < 1000; ++i) round();
  const before = memories[0].buffer.byteLength;
  for (let i = 0; i < 33_334; ++i) round();
  assert.equal(memories[0].buffer.byteLength, before);
});
