// What a browser keeps for its reader, and files that readers pass on: taken whole or not at all, however damaged. No
// browser is needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const storage = new Map();
globalThis.localStorage = {
  getItem: (key) => storage.get(key) ?? null,
  setItem: (key, text) => storage.set(key, text),
};
test.beforeEach(() => storage.clear());
const visit = () =>
  loadAll({
    runs: "state/own-runs.ts",
    own: "state/own.ts",
    calibration: "state/calibration.ts",
    scenarios: "state/page-scenario.ts",
  });

const times = { mean_ms: 10, p50_ms: 9, p99_ms: 12 };
const timeline = {
  at_us: [0, 1],
  allocated_bytes: [1, 2],
  reserved_at_bytes: [3, 3],
  peak_bytes: 2,
  reserved_bytes: 3,
};
const peak = { told_by: "frames", parts: [{ name: "forward pass", bytes: 2 }] };
const breakdown = {
  ...{
    compute_only_us: 1,
    overlapped_us: 1,
    communication_only_us: 1,
    idle_us: 1,
    kernels: 1,
    compute_only_share: 0.25,
  },
  streams: [],
};
/** Of each kind what a visit leaves. */
const files = {
  log: { name: "a.log", text: "# nThread 1" },
  config: { name: "config.json", model_type: "llama" },
  launch: {
    ...{ name: "run.sh", stack: "Megatron-LM", serves: false, says: { tensor_parallel: "4" }, found: 1 },
    ...{ not_understood: ["--x"], not_said: ["model"] },
  },
  job: { name: "job", page: { model: "qwen3-8b" }, laid: { model: "qwen3-8b" } },
  samples: { name: "smi.csv", gpus: [{ index: 0 }] },
  runs: {
    ...{ name: "runs", applied: ["gemm_time_scale"] },
    runs: [{ name: "tp=4", texts: { tensor_parallel: "4" }, measured_step_ms: 5200, says: { tensor_parallel: "4" } }],
  },
  benchmark: {
    ...{ name: "bench.json", deployment: "", applied: ["serving_host_us_per_kernel"] },
    loads: [
      {
        ...{ model: "m", requests_per_sec: 1, max_concurrency: 0, completed: 10, prompt_tokens: 5, output_tokens: 5 },
        ...{ answered_per_sec: 1, first_token: times, token: times },
      },
    ],
  },
  memory: { name: "snapshot.pickle", devices: [{ device: 0, memory: { ...timeline, at_peak: peak } }] },
  trace: {
    ...{ name: "trace.json", steps: 2, missing: "" },
    devices: [
      {
        ...{ device: 0, breakdown, memory: timeline },
        kernels: [{ name: "gemm", calls: 1, time_us: 1, communication: false }],
        operators: [{ name: "aten::mm", kernels: 1, time_us: 1, host_us: 1, pause_us: 0 }],
      },
    ],
  },
};
/** What may be missing: entries of lists that may be empty, texts by names that are anybody's, what an earlier version did not keep. */
const optional = [
  /^(?!(memory|trace)\.devices|benchmark\.loads).*\.\d+$/,
  /\.devices\.0\..*\.\d+$/,
  /\.(says|texts|page|laid)\.\w+$/,
  /^runs\.runs\.0\.says$|\.memory\.(reserved_at_bytes|at_peak)$|^trace\.devices\.0\.(memory|operators)$/,
];
/** What may be of any kind. */
const any =
  /^(samples\.gpus\.0\.index|trace\.missing|trace\.devices\.0\.kernels\.0\.communication|memory\.devices\.0\.memory\.at_peak\.told_by)$/;

/** Each place in a value, by its path. */
const placesOf = (value, path = []) =>
  typeof value === "object" && value !== null
    ? [
        ...(path.length > 0 ? [path] : []),
        ...Object.entries(value).flatMap(([key, one]) => placesOf(one, [...path, key])),
      ]
    : [path];
/** A copy with another value there, or none. */
function changed(value, path, to) {
  const copy = structuredClone(value);
  const last = path.at(-1);
  const holder = path.slice(0, -1).reduce((held, key) => held[key], copy);
  if (to !== undefined) holder[last] = to;
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else delete holder[last];
  return copy;
}
const at = (value, path) => path.reduce((held, key) => held[key], value);

test("a kept file is taken where all its members are there, each of its kind", async () => {
  const { own } = (await visit()).own;
  const taken = (kind, file) => {
    storage.set(`commcost:own-${kind}`, JSON.stringify(file));
    // As another visit reads it.
    own.held.clear();
    return own.get(kind);
  };
  for (const [kind, file] of Object.entries(files)) {
    assert.deepEqual(taken(kind, file), file, kind);
    for (const path of placesOf(file)) {
      const place = [kind, ...path].join(".");
      const without = taken(kind, changed(file, path));
      const mayMiss = any.test(place) || optional.some((one) => one.test(place));
      assert.equal(without !== undefined, mayMiss, `${place} is missing`);
      if (any.test(place)) continue;
      const other = typeof at(file, path) === "string" ? 1 : "x";
      assert.equal(taken(kind, changed(file, path, other)), undefined, `${place} is ${other}`);
    }
    for (const text of ["null", "[]", "1", "{", ""]) {
      storage.set(`commcost:own-${kind}`, text);
      own.held.clear();
      assert.equal(own.get(kind), undefined, `${kind}: ${text}`);
    }
  }
  for (const [kind, path, to] of [
    ["runs", ["runs", 0, "measured_step_ms"], 0],
    ["trace", ["steps"], 0],
    ["trace", ["devices"], []],
    ["memory", ["devices"], []],
    ["benchmark", ["loads"], []],
    ["runs", ["runs"], Array(257).fill(files.runs.runs[0])],
  ])
    assert.equal(taken(kind, changed(files[kind], path, to)), undefined, `${kind} ${path}`);
  assert.equal(taken("runs", changed(files.runs, ["runs"], Array(256).fill(files.runs.runs[0]))).runs.length, 256);
});

test("what is too long lasts for the visit, what is removed is gone", async () => {
  const { own } = (await visit()).own;
  let heard = 0;
  own.addEventListener("change", () => heard++);
  const length = (text) => JSON.stringify({ name: "a.log", text }).length;
  const text = "x".repeat(1_000_000 - length(""));
  for (const [given, kept] of [
    [text, true],
    [`${text}x`, false],
  ]) {
    own.set("log", { name: "a.log", text: given });
    assert.equal(own.get("log").text, given);
    own.held.clear();
    assert.equal(own.get("log") !== undefined, kept);
  }
  own.set("config", files.config);
  own.remove("config");
  assert.equal(own.get("config"), undefined);
  own.held.clear();
  assert.equal(own.get("config"), undefined);
  assert.equal(heard, 4);
});

const group = { collective: "all_reduce", num_gpus: 16, accelerator: "h100-sxm", gpus_per_node: 8, nic_gb_per_sec: 50 };
const log = { message_size_bytes: [2 ** 20, 2 ** 26, 2 ** 30], network: "infiniband", launch: "process_per_gpu" };
const predicted = log.message_size_bytes.map(
  (message_size_bytes) =>
    engine.predict_collective({ ...group, network: log.network, launch: log.launch, message_size_bytes }).time_us,
);
const made = {
  name: "mine",
  ...group,
  ...log,
  scales: { latency_scale: 1 },
  scaled_error_percent: 0,
  time_us: predicted,
};

test("a calibration is read where it is one, also of the first format", async () => {
  const { calibration } = await visit();
  const given = { format: "commcost-calibration-2", ...made };
  const read = (value) => calibration.imported(JSON.stringify(value));
  assert.deepEqual(read(given), made);
  assert.deepEqual(calibration.imported(calibration.exported(made)), made);
  const { scales: _, network: __, launch: ___, ...first } = made;
  assert.deepEqual(read({ ...first, format: "commcost-calibration-1", latency_scale: 2, bandwidth_scale: 3 }), {
    ...{ ...made, network: "", launch: "" },
    scales: { latency_scale: 2, bandwidth_scale: 3 },
  });
  for (const path of placesOf(made)) {
    if (["network", "launch"].includes(path[0])) continue;
    const place = path.join(".");
    const other = typeof at(made, path) === "string" ? 1 : "x";
    assert.equal(read(changed(given, path, other)), undefined, `${place} is ${other}`);
    if (typeof at(made, path) === "number") assert.equal(read(changed(given, path, -1)), undefined, `${place} is -1`);
    if (place !== "scales.latency_scale") assert.equal(read(changed(given, path)), undefined, `no ${place}`);
  }
  const many = (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${"a".repeat(index + 1)}`, 1]));
  const points = (count) => ({ message_size_bytes: Array(count).fill(1), time_us: Array(count).fill(1) });
  for (const [whole, more] of [
    [true, { scales: many(32) }],
    [false, { scales: many(33) }],
    [false, { scales: { "Latency Scale": 1 } }],
    [false, { scales: null }],
    [true, { name: "n".repeat(200) }],
    [false, { name: "n".repeat(201) }],
    [true, points(4096)],
    [false, points(4097)],
    [true, points(0)],
    [true, { scaled_error_percent: 0 }],
    [false, { format: "commcost-calibration-3" }],
  ])
    assert.equal(read({ ...given, ...more }) !== undefined, whole, JSON.stringify(more).slice(0, 80));
  for (const text of ["", "null", "{", "[{}]", "{}"]) assert.equal(calibration.imported(text), undefined, text);
});

test("a calibration is out of date where today's prediction is further from its log than it was", async () => {
  const { calibration } = await visit();
  const off = (...percents) => ({
    ...made,
    time_us: predicted.map((time, place) => time / (1 + percents[place] / 100)),
  });
  const even = (...percents) => ({
    ...off(...percents, 0),
    message_size_bytes: log.message_size_bytes.slice(0, 2),
    time_us: off(...percents, 0).time_us.slice(0, 2),
  });
  const near = (value, is) => assert.ok(Math.abs(value - is) < 1e-6, `${value} is not ${is}`);
  near(calibration.errorNow(off(30, -10, 20), engine), 20);
  near(calibration.errorNow(even(30, -10), engine), 20);
  near(calibration.errorNow({ ...made, message_size_bytes: [], time_us: [] }, engine), 0);
  // What a profile says of products has no part in it; a scale of collectives has.
  near(calibration.errorNow({ ...made, scales: { gemm_time_scale: 2 } }, engine), 0);
  assert.ok(calibration.errorNow({ ...made, scales: { latency_scale: 2, bandwidth_scale: 0.5 } }, engine) > 10);
  for (const [is, one] of [
    [false, off(3, 3, 3)],
    [true, { ...off(3, 3, 3), scaled_error_percent: 1 }],
    [true, { ...made, launch: "" }],
    [true, { ...made, accelerator: "none" }],
  ]) {
    const asked = { scaled_error_percent: 2.5, ...one, ...(is ? {} : { scaled_error_percent: 2.5 }) };
    assert.equal(calibration.outOfDate(asked, engine), is);
    assert.equal(calibration.outOfDate(asked, engine), is, "asked again");
  }
});

test("calibrations are kept by name, put in force with their machine, and taken back", async () => {
  storage.set("commcost:calibrations", JSON.stringify([made, { ...made, name: 1 }]));
  const { calibration, own, scenarios } = await visit();
  assert.deepEqual(calibration.kept(), [made]);
  const other = { ...made, name: "other", scales: { link_bandwidth_scale: 0.5 } };
  calibration.keep(other);
  calibration.keep({ ...made, scales: { latency_scale: 3 } });
  assert.deepEqual(
    calibration.kept().map(({ name, scales }) => [name, scales]),
    [
      ["other", { link_bandwidth_scale: 0.5 }],
      ["mine", { latency_scale: 3 }],
    ],
  );
  assert.deepEqual((await visit()).calibration.kept(), calibration.kept());
  const scenario = scenarios.pageScenario(engine);
  assert.equal(calibration.inForce(scenario), undefined);
  calibration.apply(scenario, other);
  const { name, scales, whole, elsewhere } = calibration.inForce(scenario);
  assert.deepEqual([name, scales, whole, elsewhere], ["other", { link_bandwidth_scale: 0.5 }, other, false]);
  assert.deepEqual([scenario.text("accelerator"), scenario.text("gpus_per_node")], ["h100-sxm", "8"]);
  scenario.set({ gpus_per_node: "4" });
  assert.equal(calibration.inForce(scenario).elsewhere, true);
  calibration.apply(scenario, calibration.kept()[1]);
  assert.deepEqual(calibration.inForce(scenario).scales, { latency_scale: 3 });
  calibration.applyParts(scenario, { gemm_time_scale: 1.5 });
  const parts = calibration.inForce(scenario);
  assert.deepEqual(
    [parts.name, parts.scales, parts.whole],
    ["", { latency_scale: 3, gemm_time_scale: 1.5 }, undefined],
  );
  // What a fit of steps has set is no calibration.
  storage.set("commcost:own-runs", JSON.stringify(files.runs));
  own.own.held.clear();
  assert.deepEqual(calibration.inForce(scenario).scales, { latency_scale: 3 });
  own.own.remove("runs");
  calibration.applyParts(scenario, { gemm_time_scale: 1.5 }, "of a profile");
  assert.equal(calibration.inForce(scenario).name, "of a profile");
  calibration.remove(scenario, ["gemm_time_scale"]);
  assert.deepEqual(calibration.inForce(scenario).scales, { latency_scale: 3 });
  calibration.remove(scenario);
  assert.equal(calibration.inForce(scenario), undefined);
  calibration.forget("mine");
  assert.deepEqual(
    (await visit()).calibration.kept().map((one) => one.name),
    ["other"],
  );
  storage.set("commcost:calibrations", "{");
  assert.deepEqual((await visit()).calibration.kept(), []);
});

test("of a long log the first and the last steps are kept, in order", async () => {
  const { runs } = await visit();
  const of = (count) => runs.timesOf({ steps: Array.from({ length: count }, (_, at) => ({ step_time_ms: at + 1 })) });
  assert.deepEqual(of(3), [1, 2, 3]);
  assert.equal(of(8192).length, 8192);
  const long = of(20000);
  assert.deepEqual([long.length, long[0], long[4095], long[4096], long.at(-1)], [8192, 1, 4096, 15905, 20000]);
});
