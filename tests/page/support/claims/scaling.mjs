// What Train says of fewer and more GPUs, held against the engine's rows alone.
import assert from "node:assert/strict";
import { digits, near, number } from "../claims.mjs";

const pinned = {
  tensor_parallel: (value) => `TP ${value}`,
  pipeline_parallel: (value) => `PP ${value}`,
  zero_stage: (value) => `ZeRO stage ${value}`,
  recompute: () => "no recomputation",
};

export function scaling({ engine, values, claim }) {
  const inputs = values("plan_scaling");
  const { rows } = engine.plan_scaling(inputs);
  const fitting = rows.filter(({ possible }) => possible);
  const pins = Object.keys(pinned)
    .filter((name) => inputs[name] !== undefined)
    .map((name) => pinned[name](inputs[name]));
  const held = (words) => assert.deepEqual(words.split(", ").sort(), pins.sort());
  // Only the model itself is too large where nothing is held.
  const model = claim("fits on none", "The model fits on none of these numbers of GPUs", () =>
    assert.equal(pins.length, 0),
  );
  const none = claim("no layout fits", "No layout with (.+?) fits on any of these numbers of GPUs", ([words]) =>
    held(words),
  );
  assert.equal(model || none, fitting.length === 0, "none fits");
  const first = claim("first fits", "(The model|A layout with (.+?)) first fits on {n} GPU", ([who, words, gpus]) => {
    if (who === "The model") assert.equal(pins.length, 0);
    else held(words);
    assert.equal(number(gpus), fitting[0].cluster_gpus);
  });
  assert.equal(first, fitting.length > 0 && !rows[0].possible, "where it first fits");
  claim("nothing to compare", "There is no other number of GPUs to compare", () => assert.equal(fitting.length, 1));
  claim("all pay", "Up to {n} GPUs?, each GPU added is worth at least half of one before it", ([gpus]) => {
    assert.equal(number(gpus), fitting.at(-1).cluster_gpus);
    for (const { gain } of fitting.slice(1)) assert.ok(gain.marginal_efficiency >= 0.5 * 0.999);
  });
  const stopped = claim(
    "stop paying",
    "Beyond {n} GPUs?, each GPU added is worth less than half of one before it: ([-−\\d.e]+) % up to {n}\\.",
    ([last, worth, next]) => {
      const at = fitting.findIndex(({ cluster_gpus }) => cluster_gpus === number(next));
      assert.equal(fitting[at - 1].cluster_gpus, number(last));
      assert.ok(fitting[at].gain.marginal_efficiency < 0.5);
      near(number(worth), 100 * fitting[at].gain.marginal_efficiency, digits[2], "worth");
      for (const { gain } of fitting.slice(1, at)) assert.ok(gain.marginal_efficiency >= 0.5 * 0.999);
    },
  );
  assert.equal(
    stopped,
    fitting.slice(1).some(({ gain }) => gain.marginal_efficiency < 0.5),
    "where they stop",
  );
}
