// What Overlap says of a layer's communication and of what may hide it, held against the engine's tables.
import assert from "node:assert/strict";
import { digits, near, number, timeOf } from "../claims.mjs";

const dimensions = { tensor: "TP", context: "CP", expert: "EP", pipeline: "PP", data: "DP" };
const ofTensor = ["tensor_parallel", "tensor_parallel_region"];

/** How much a layer hides of what it sends: within rounding of nothing, or of all of it. */
const isNothing = (us, of) => us <= 1e-6 * of;

/** A figure of a layer, and the sentence about it. */
function checkLayer(layer, claim) {
  const total = layer.forward_us + layer.backward_us;
  const hidden = layer.communication_us - layer.exposed_us;
  const sends = layer.communication_us > 0;
  const waits = claim(
    "layer waits",
    "Compute waits {time} of {time}, {x} % of the layer; (none|{time}) of the {time} of communication is hidden",
    ([waits, of, share, none, hiddenTime, sent]) => {
      assert.ok(!isNothing(layer.exposed_us, layer.communication_us));
      near(timeOf(waits), layer.exposed_us, digits[3], "waits");
      near(timeOf(of), total, digits[3], "layer");
      near(number(share), (100 * layer.exposed_us) / total, digits[2], "share");
      if (none === "none") assert.ok(hidden < 1e-3, `${hidden} is hidden`);
      else near(timeOf(hiddenTime), hidden, digits[3], "hidden");
      near(timeOf(sent), layer.communication_us, digits[3], "sent");
    },
  );
  const hides = claim("layer hides all", "All of the {time} of communication is hidden\\.", ([sent]) => {
    near(timeOf(sent), layer.communication_us, digits[3], "sent");
    assert.ok(isNothing(layer.exposed_us, layer.communication_us));
  });
  assert.equal(waits || hides, sends, "the layer's communication");
  assert.equal(claim("layer sends nothing", "Nothing is sent within this layer\\."), !sends);
  return claim(
    "layer hides",
    "The layer drawn here hides (none|all|{time}) of its (?:{time} of )?communication",
    ([part, some, all]) => {
      if (part === "none") assert.ok(isNothing(hidden, layer.communication_us));
      else if (part === "all") assert.ok(isNothing(layer.exposed_us, layer.communication_us));
      else {
        near(timeOf(some), hidden, digits[3], "hidden");
        near(timeOf(all), layer.communication_us, digits[3], "sent");
      }
    },
  );
}

/**
 * A time at line rate contains only bytes and bandwidth: the layer's own collective takes it too, if there is no
 * latency.
 */
function checkLineRate(engine, inputs, layered, is) {
  if (!ofTensor.includes(inputs.scheme) || !layered.sequence_parallel || (layered.chunks ?? 1) > 1) return;
  const { bars } = engine.layer_timeline({ ...layered, latency_us: 0 });
  const alike = bars.find(
    ({ operation, pass, group_size, message_size_bytes }) =>
      operation === "all_gather" &&
      pass === "forward" &&
      group_size === inputs.tensor_parallel &&
      message_size_bytes === is.message_size_bytes,
  );
  if (alike) near(alike.duration_us / alike.calls, is.communication_us, 1e-6, "the layer's all-gather");
}

/** Each power of two between these, and one and a half times that. */
function halves(from, to) {
  const values = [];
  for (let value = from; value <= to; value *= 2) values.push(value, 1.5 * value);
  return values.filter((value) => value <= to);
}

/** What a scheme's ratio is drawn over. */
function fieldOf({ scheme, num_layers }, context) {
  const powers = (most) => Array.from({ length: most }, (_, at) => 2 ** (at + 1));
  if (scheme === "data_parallel" || scheme === "zero_3")
    return halves(512, 131072).flatMap((length) =>
      powers(10).map((data_parallel) => ({
        data_parallel,
        sequence_length: Math.max(1, Math.round(length / context)),
      })),
    );
  const degree = scheme === "pipeline_parallel" ? scheme : "tensor_parallel";
  const degrees = powers(6).filter((value) => degree === "tensor_parallel" || value <= Math.max(2, num_layers));
  // The rest of a layer keeps its proportions: one head of all, and four hidden sizes of MLP.
  const shape = { num_heads: 1, num_kv_heads: 0, head_size: 0, ffn_hidden_size: 0, next_linear_size: 0 };
  return halves(1024, 32768).flatMap((hidden_size) =>
    degrees.map((value) => ({ ...shape, hidden_size, [degree]: value })),
  );
}

const widths = [
  ...["hidden_size", "head_size", "ffn_hidden_size", "dense_ffn_hidden_size"],
  ...["query_rank", "kv_rank", "rope_head_size", "value_head_size"],
];
const depths = ["num_layers", "num_dense_layers"];

/** In how much of the field that is drawn compute can hide it, and what that depends on. */
function checkField(engine, inputs, context, claim) {
  const points = fieldOf(inputs, context);
  const ratioAt = (point) => engine.overlap_ratio({ ...inputs, ...point }).ratio;
  const ratios = points.map(ratioAt);
  const share = ratios.filter((ratio) => ratio <= 1).length / ratios.length;
  const said = claim(
    "field",
    "(Nowhere can compute|Everywhere compute can|In {x} % of this field compute can) hide it\\.",
    ([where, percent]) => {
      if (percent) near(number(percent), 100 * share, digits[2], "share of the field");
      else assert.equal(share, where.startsWith("Nowhere") ? 0 : 1);
    },
  );
  assert.ok(said, "how much of the field");
  claim("layers of any size", "so (neither hidden size nor depth matters|its size doesn’t matter)", () => {
    // A layer with the same proportions, and proportionally more of each kind.
    const twice = (names) => Object.fromEntries(names.map((name) => [name, 2 * (inputs[name] ?? 0)]));
    near(ratioAt({ ...points[0], ...twice(widths) }), ratios[0], 0.02, "the ratio of a wider layer");
    near(ratioAt({ ...points[0], ...twice(depths) }), ratios[0], 0.02, "the ratio of more layers");
  });
  claim("tokens of any number", "so neither batch nor sequence matters", () =>
    near(ratioAt({ ...points[0], batch_size: 3, sequence_length: 640 }), ratios[0], 1e-9, "the ratio of other tokens"),
  );
  claim("wider and more", "the wider the layers and the more of them on a stage, the better it hides", () => {
    assert.ok(ratios.at(-1) < ratioAt({ ...points.at(-1), hidden_size: 1024 }), "a narrower layer");
    const [few, many] = [8, 2].map((stages) => ratioAt({ ...points[0], pipeline_parallel: stages, num_layers: 64 }));
    assert.ok(many < few, "fewer layers on a stage");
  });
}

/** Of a scheme that sends nothing, whatever else its step does. */
function checkStep(step, claim) {
  const sent = step.traffic.filter((row) => row.scale_up_bytes + row.network_bytes > 0);
  const exposed = sent.reduce((sum, { exposed_ms }) => sum + exposed_ms, 0);
  assert.equal(claim("step sends nothing", "Nothing else is sent in this step\\."), sent.length === 0);
  const sends = claim(
    "step sends",
    "The step does send for ([A-Z, and]+?), and (?:{time} of that is exposed|all of that is hidden)\\.",
    ([names, time]) => {
      assert.deepEqual(names.split(/, | and /).sort(), sent.map(({ dimension }) => dimensions[dimension]).sort());
      if (time === undefined) assert.equal(exposed, 0);
      else near(timeOf(time), 1e3 * exposed, digits[3], "exposed");
    },
  );
  assert.equal(sends, sent.length > 0, "what the step sends");
}

export function overlap({ engine, scenario, values, claim }) {
  const context = scenario.number("context_parallel");
  const all = values("overlap_ratio");
  const inputs = { ...all, sequence_length: all.sequence_length / context };
  const is = engine.overlap_ratio(inputs);
  const layered = values("layer_timeline");
  const layer = engine.layer_timeline(layered);
  const sends = is.communication_us > 0;
  const ratio = claim(
    "ratio",
    "Communication \\(.+?\\) takes {time} at line rate, compute \\(.+?\\) {time} at peak rate, a ratio of {x}\\.",
    ([sent, computed, ratio]) => {
      near(timeOf(sent), is.communication_us, digits[3], "communication");
      near(timeOf(computed), is.compute_us, digits[3], "compute");
      near(Number(ratio), is.communication_us / is.compute_us, digits[3], "ratio");
      checkLineRate(engine, inputs, layered, is);
    },
  );
  assert.equal(ratio, sends, "the ratio");
  const could = claim("could hide", "it could hide (all of it|all but the last bucket, {time})\\.", ([what, last]) => {
    assert.ok(is.communication_us <= is.compute_us);
    const isInBuckets = inputs.scheme === "data_parallel" && is.messages > 1;
    assert.equal(what === "all of it", !isInBuckets, "no compute is left for the last bucket");
    if (last) near(timeOf(last), is.last_message_us, digits[3], "last bucket");
  });
  const cannot = claim(
    "can’t hide",
    "Compute can’t hide {time} of it; at {x} GB/s it could(, but for the last bucket)?\\.",
    ([rest, rate, last]) => {
      assert.equal(last !== undefined, inputs.scheme === "data_parallel" && is.messages > 1);
      near(timeOf(rest), is.communication_us - is.compute_us, digits[3], "rest");
      const there = engine.overlap_ratio({ ...inputs, bandwidth_gb_per_sec: Number(rate) * 1.01 });
      assert.ok(there.communication_us <= there.compute_us * 1.001);
    },
  );
  assert.equal(could || cannot, sends, "what can be hidden");
  // What a ratio allows is not what the drawn layer does: the sentence says so.
  const hides = checkLayer(layer, claim);
  assert.equal(hides, sends && ofTensor.includes(inputs.scheme) && layer.communication_us > 0, "what the layer hides");
  checkField(engine, inputs, context, claim);
  const unsent = claim("nothing to send", "With (TP|DP|PP) 1, [a-z ]+\\.", ([name]) => {
    const degree = { TP: "tensor_parallel", DP: "data_parallel", PP: "pipeline_parallel" }[name];
    assert.equal(inputs[degree], 1);
  });
  assert.equal(unsent, !sends);
  if (unsent) checkStep(engine.training_step(values("training_step")), claim);
}
