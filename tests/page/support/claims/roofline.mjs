// What Train and Serve may say of the kernels under a roofline, by the engine's rows alone.
import assert from "node:assert/strict";

/** A layer's kernels as sentences call them. */
export const kernelNames = {
  query_key_value: "QKV",
  attention_core: "attention",
  attention_output: "attention out",
  router: "router",
  mlp_in: "MLP in",
  mlp_out: "MLP out",
};

/** The basis of its ranges: each kernel is under its own basis, and measured ones are not named. */
export function checkRanges({ kernels }, claim) {
  const drawn = kernels.filter(({ flops }) => flops > 0);
  for (const { time_us, low_us, high_us } of drawn) assert.ok(low_us < time_us && time_us < high_us, "a range");
  assert.ok(claim("ranges", "A range holds 80 % of the measured times of such kernels\\."), "ranges");
  for (const [basis, from] of [
    ["similar", "[Tt]hese are from other GPUs of this generation"],
    ["estimated", "[Nn]one of these is from this generation"],
  ]) {
    const names = drawn.filter((one) => one.basis === basis).map(({ kernel }) => kernelNames[kernel]);
    const told = claim(`ranges, ${basis}`, `(?:For ([^.]+), )?${from}\\.`, ([said]) =>
      assert.deepEqual(said?.split(", ") ?? drawn.map(({ kernel }) => kernelNames[kernel]), names),
    );
    assert.equal(told, names.length > 0, basis);
  }
}
