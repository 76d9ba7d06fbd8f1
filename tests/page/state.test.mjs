// What web/state answers by itself, at the edges where an answer turns: numbers as people read and type them, layouts, links of
// before, a layout's rank, and every sentence that is made of results there. No browser is needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { loadAll } from "./support/source.mjs";

const engine = await loadEngine();
const {
  format,
  sizes,
  units,
  layout,
  rank,
  held,
  words,
  benchmark,
  before,
  link,
  machine,
  presets,
  serving,
  scenarios,
  steps,
  pins,
  trained,
  problems,
  overs,
  help,
  sized,
  undone,
  entry,
  calibrations,
  names,
  runs,
} = await loadAll({
  format: "state/format.ts",
  sizes: "state/sizes.ts",
  units: "state/units.ts",
  layout: "state/layout.ts",
  rank: "state/rank.ts",
  held: "state/held-memory.ts",
  words: "state/diagnosis/words.ts",
  benchmark: "state/own-benchmark.ts",
  before: "state/old-links.ts",
  link: "state/link.ts",
  machine: "state/machine.ts",
  presets: "state/presets.ts",
  serving: "state/serving.ts",
  scenarios: "state/page-scenario.ts",
  steps: "state/step.ts",
  pins: "state/pins.ts",
  trained: "state/trained.ts",
  problems: "elements/problem-words.ts",
  overs: "state/over.ts",
  help: "elements/help-words.ts",
  sized: "state/model-size.ts",
  undone: "state/undo.ts",
  entry: "state/entry.ts",
  calibrations: "state/calibration.ts",
  names: "state/short-names.ts",
  runs: "state/own-runs.ts",
});

/** What a field was, times what it is now. */
const inverse = (name) => engine.describe().training_step.inputs.find((field) => field.name === name).former_product;

const saying = (texts = {}) => {
  const scenario = scenarios.pageScenario(engine);
  scenario.set(texts);
  return scenario;
};
/** Calls a function once for each row: what it answers, then what it is given. */
const each = (call, rows) => {
  for (const [answer, ...given] of rows) assert.deepEqual(call(...given), answer, JSON.stringify(given));
};

test("a problem is said by the form's labels, and that of a row by the row's number", () => {
  each(
    (message) => problems.saidProblem(saying(), message),
    [
      ["Hidden size: enter 1 or more, not 0", "hidden_size must be a whole number from 1 to 9007199254740992; got 0"],
      [
        "Run 1: global batch must be a multiple of Micro-batch × DP (256), not 128; try 256",
        "rows[0]: global_batch_size must be a multiple of batch_size * data_parallel (256); got 128; try 256",
      ],
      [
        "Max TPOT: enter 0, or 0.000001 or more, not -3",
        "most_token_ms must be 0 or a number from 0.000001 to 1000000000; got -3",
      ],
      [
        "Max TPOT: enter at most 1,000,000,000, not 1e10",
        "most_token_ms must be a number from 0 to 1000000000; got 1e10",
      ],
      [
        "Load 3: hidden size: enter a whole number, not x",
        "loads[2]: hidden_size must be a whole number from 1 to 8; got x",
      ],
    ],
  );
});

test("a control is described in sentences: what its field is, and what to enter, by limits that tell something", () => {
  const scenario = saying();
  each(
    (name) => help.descriptionOf(scenario, scenario.fields.get(name)).replace(/^.*\. (?=Enter)/, ""),
    [
      ["Enter a whole number from 1 to 4,096.", "pipeline_parallel"],
      ["Enter a whole number, 1 or more.", "hidden_size"],
      ["Enter a number above 0.", "bandwidth_gb_per_sec"],
      ["Enter a number, 0 or more.", "latency_us"],
      ["Enter a number from 0 to 99.", "memory_headroom_percent"],
      ["Enter numbers, separated by commas.", "delays_us"],
    ],
  );
  // A control that offers its choices says no more than what it is; another input goes by its label.
  assert.doesNotMatch(help.descriptionOf(scenario, scenario.fields.get("zero_stage")), /Enter/);
  assert.match(help.descriptionOf(scenario, scenario.fields.get("kv_bytes_per_element")), /0: bytes per element\./i);
  for (const field of scenario.fields.values()) {
    const said = help.descriptionOf(scenario, field);
    assert.match(said, /^[A-Z0-9αβγ1].*\.$/s, field.name);
    assert.doesNotMatch(said, /\d{5}|\d,\d{3},\d{3},|_|finite/, field.name);
  }
});

test("numbers are written with as few digits as say them, in the unit that they fill", () => {
  each(format.exact, [
    ["15,032,385,536", 15032385536],
    ["1.2346", 1.23456],
    ["–", NaN],
    ["–", Infinity],
  ]);
  each(format.plain, [
    ["3", 3],
    ["0.5", 0.5],
    ["-7", -7],
  ]);
  each(format.significant, [
    ["9999", 9999],
    ["123500", 123456],
    ["1e6", 1e6],
    ["-1.235e6", -1234567],
    ["0.0001", 1e-4],
    ["9.999e-5", 0.00009999],
    ["0", 0],
    ["–", NaN],
    ["12.3", 12.345, 3],
  ]);
  each(
    (value, digits) => format.scaled(value, format.decimalByteUnits, digits),
    [
      ["999.4 B", 999.4, 4],
      ["1 kB", 999.5, 3],
      ["0.9996 MB", 999600, 4],
      ["-2 kB", -2000, 4],
      ["0 B", 0, 4],
    ],
  );
  each(format.exactSize, [
    ["1 GiB", 2 ** 30],
    ["128 MiB", 2 ** 27],
    ["3 KiB", 3072],
    ["1536", 1536],
  ]);
  each(format.milliseconds, [
    ["0 ms", 0],
    ["500 ns", 0.0005],
    ["1 µs", 0.001],
    ["999 µs", 0.999],
    ["1 ms", 1],
    ["999 ms", 999],
    ["1 s", 1000],
    ["7199 s", 7199e3],
    ["2 h", 7200e3],
    ["47 h", 47 * 3600e3],
    ["2 d", 48 * 3600e3],
  ]);
  each(format.us, [["1.5 ms", 1500]]);
  each(format.days, [
    ["36 h", 1.5],
    ["3 d", 3],
  ]);
  each(format.change, [
    ["+4.1 %", 4.12],
    ["−0.3 %", -0.3],
    ["+0 %", 0],
  ]);
  each(format.understood, [
    ["= 134,217,728 bytes", 134217728, "bytes"],
    ["= 3", 3, ""],
  ]);
  each(steps.between, [
    ["65–83 ms", 65, 83],
    ["900 ms–1.2 s", 900, 1200],
  ]);
});

test("sizes are written as the reader chose", () => {
  const [usual, decimal, binary] = ["usual", "decimal", "binary"].map((one) => new sizes.Sizes(one));
  for (const [of, volume, message, every, memory, ticks, volumes, memories] of [
    [usual, "15.03 GB", "128 MiB", "1.074 GB · 1 GiB", "38.8 GiB", 8, "kB", { name: "GiB", size: 1 }],
    [decimal, "15.03 GB", "134.2 MB", "1.074 GB", "41.7 GB", 10, "kB", { name: "GB", size: 1e9 / 2 ** 30 }],
    [binary, "14 GiB", "128 MiB", "1 GiB", "38.8 GiB", 8, "KiB", { name: "GiB", size: 1 }],
  ]) {
    assert.equal(of.bytes(15032385536), volume);
    assert.equal(of.binaryBytes(2 ** 27), message);
    assert.equal(of.everyWay(2 ** 30), every);
    assert.equal(of.memory(38.8), memory);
    assert.equal(of.sizeTicks([1, 8])[1], ticks);
    assert.equal(of.volumeUnits[1].name, volumes);
    assert.deepEqual(of.memoryUnits, [memories]);
  }
  assert.equal(decimal.sizeTicks([]).at(-1), 1e18);
  each(usual.quantity.bind(usual), [
    ["1.5 kB", 1500, "bytes"],
    ["1.5 s", 1500, "ms"],
    ["1.5 ms", 1500, "us"],
    ["300 GB/s", 300, "GB/s"],
    ["1,500", 1500, ""],
    ["1,500 tokens", 1500, "tokens"],
  ]);
});

test("a quantity is read in any unit of its kind, and in no other", () => {
  for (const [value, text, unit, plain = false] of [
    [300, "300", "GB/s", true],
    [4000, "4k", ""],
    [4096, "4Ki", ""],
    [128 * 2 ** 20, "128 MiB", "bytes"],
    [1000, "1 kB", "bytes"],
    [5000, "5 k", "bytes"],
    [1, "8 bits", "bytes"],
    [1, "8 b", "bytes"],
    [2, "2 B", "bytes"],
    [17.179869184, "16 GiB/s", "GB/s"],
    [112.5, "900 Gb/s", "GB/s"],
    [112.5, "900 Gbps", "GB/s"],
    [5, "5 us", "us"],
    [200, "0.2 ms", "us"],
    [100, "0.1 s", "ms"],
    [1, `1${" ".repeat(399)}`, "", true],
  ])
    assert.deepEqual(units.readQuantity(text, unit), { ok: true, value, plain }, text);
  for (const [text, unit, kind] of [
    ["5 GB", "GB/s", "a bandwidth"],
    ["5 us", "GB/s", "a bandwidth"],
    ["5 GB", "us", "a time"],
    ["5 us", "bytes", "a size"],
    ["5 MiB", "", "a number"],
    ["1e400", "", "a number"],
    ["1e300 PiB", "bytes", "a size"],
    ["four", "", "a number"],
    [`1${" ".repeat(400)}`, "", "a number"],
  ]) {
    const { ok, message } = units.readQuantity(text, unit);
    assert.ok(!ok && message.startsWith(`must be ${kind} such as `), `${text}: ${message}`);
  }
});

test("inputs go by the trade's short names, in a measured row as on the command line", () => {
  const tables = Object.values(engine.describe());
  const inputsOfStep = engine.describe().training_step.inputs;
  const has = (inputs, name) => inputs.some((field) => field.name === name);
  for (const [short, name] of Object.entries(names.short)) {
    assert.ok(
      tables.some(({ inputs }) => has(inputs, name)),
      `${short} stands for ${name}`,
    );
    // What no step asks for is none of its inputs, however it is written.
    const { says } = runs.readRows(saying(), `${short}=2 5200 ms`);
    assert.equal(
      says,
      has(inputsOfStep, name) ? "" : `“${short}=2” is no input of a step; write tp=4, or an input’s own name.`,
    );
  }
  const [run] = runs.readRows(saying(), "VPP=2 tp=4 5200 ms").runs;
  assert.deepEqual([run.texts.virtual_stages, run.texts.tensor_parallel, run.measured_step_ms], ["2", "4", 5200]);
  const [cluster] = runs.readRows(saying(), "gpus=32 gbs=64 6 s").runs;
  assert.deepEqual([cluster.texts.cluster_gpus, cluster.texts.global_batch_size], ["32", "64"]);
});

test("degrees that a model's heads allow", () => {
  each(layout.evenDegree, [
    [8, 8, 32],
    [4, 8, 12],
    [3, 8, 9],
    [7, 8, 7],
    [1, 8, 1],
    [8, 8, 0],
    [8, 8, NaN],
    [8, 8, 12.5],
  ]);
  each(layout.sharesHeads, [
    [true, 4, 32, 8],
    [true, 16, 32, 8],
    [true, 4, 32, 4],
    [false, 3, 32, 8],
    [false, 8, 32, 6],
    [false, 2, 6, 3],
  ]);
  each(layout.evenNeighbours, [
    [[2, 4], 3, 32, 8],
    [[4, 16], 8, 32, 8],
    [[2], 1, 32, 8],
    [[16], 32, 32, 8],
  ]);
});

test("of cluster and degrees one gives way, whichever is typed", () => {
  const scenario = saying();
  const now = () =>
    Object.fromEntries(
      ["cluster_gpus", ...layout.degreeNames].map((name) => [name.split("_")[0], scenario.number(name)]),
    );
  const after = (texts, is) => {
    scenario.set(texts);
    assert.deepEqual(now(), { ...now(), ...is }, JSON.stringify(texts));
  };
  after({ cluster_gpus: "64", tensor_parallel: "4" }, { cluster: 64, data: 16 });
  after({ data_parallel: "2" }, { cluster: 8, tensor: 4, data: 2 });
  // What is no whole number of GPUs counts as one.
  assert.equal(
    layout.gpusInUse({ number: (name) => (name === "tensor_parallel" ? 2.5 : 2) }),
    2 ** (layout.degreeNames.length - 1),
  );
  after({ gives_way: "pipeline_parallel", cluster_gpus: "32" }, { pipeline: 4, data: 2 });
  after({ tensor_parallel: "2" }, { pipeline: 8, data: 2, cluster: 32 });
  after({ pipeline_parallel: "3" }, { pipeline: 3, cluster: 12 });
  after({ gives_way: "cluster_gpus" }, { pipeline: 3, cluster: 12 });
  after({ tensor_parallel: "4" }, { cluster: 24 });
  after({ cluster_gpus: "10", pipeline_parallel: "1" }, { cluster: 10, data: 2 });
  assert.equal(scenario.text("gives_way"), "data_parallel");
  assert.equal(layout.gpusInUse(scenario), 8);
  after({ tensor_parallel: "none" }, { data: 10 });
});

test("what a search decides is pinned, and nothing else", () => {
  const { plan, training_step } = engine.describe();
  assert.deepEqual(pins.pinFields(training_step.inputs), []);
  const names = pins.searchedInputs(plan.inputs).map(({ name }) => name);
  assert.ok(["tensor_parallel", "zero_stage", "recompute"].every((name) => names.includes(name)));
  assert.ok(!["model", "system", "cluster_gpus", "recipe"].some((name) => names.includes(name)));
  const scenario = saying({ cluster_gpus: "64" });
  const [best] = engine.plan(scenario.inputs("plan").values).layouts;
  const pinned = trained.pinsFor(best, scenario);
  assert.equal(pinned.plan_tensor_parallel, String(best.tensor_parallel));
  for (const name of Object.keys(pinned))
    assert.ok(names.includes(pins.pinnedInput(name)) || name.startsWith("searched_"), `${name} is pinned`);
  assert.ok(!("plan_data_parallel" in pinned), "replicas follow from the cluster");
  scenario.set(pinned);
  assert.ok(trained.pinnedLayout(scenario), "nothing is open");
  scenario.set({ plan_tensor_parallel: "" });
  assert.equal(trained.pinnedLayout(scenario), undefined);
});

test("where a layout that runs stands among those that a search finds", () => {
  const divided = (tensor_parallel, data_parallel, step_time_ms, expert_tensor_parallel = 0) => ({
    ...{ tensor_parallel, data_parallel, step_time_ms, expert_tensor_parallel },
    ...{ pipeline_parallel: 1, context_parallel: 1, expert_parallel: 1 },
  });
  const [first, second, third] = [divided(8, 8, 100), divided(4, 16, 110, 4), divided(2, 32, 150)];
  const found = { layouts: [first, second, third], fastest: [first], noise_floor_percent: 3, memory_limit_gib: 70 };
  const of = (own, step_time_ms, memory_gib = 60) =>
    rank.rankOf(own, { step_time_ms, memory_gib, stack_rule: "" }, found);
  const behind = of(third, 150, 80);
  assert.deepEqual(
    [behind.place, behind.families, behind.tie, behind.variant, behind.deficit_gib],
    [3, 3, false, undefined, 10],
  );
  assert.ok(Math.abs(behind.less_percent - 100 / 3) < 1e-9);
  const near = of(second, 102);
  assert.deepEqual([near.place, near.tie, near.deficit_gib], [1, true, 0]);
  const own = of({ ...second, expert_tensor_parallel: 4 }, 120);
  assert.deepEqual([own.place, own.variant, own.tie], [2, second, false]);
  const quicker = of(divided(1, 64, 90), 90);
  assert.deepEqual([quicker.place, quicker.tie, Math.round(quicker.less_percent)], [1, false, -11]);
  assert.equal(of(divided(1, 64, 98), 98).tie, true);
  const none = rank.rankOf(
    first,
    { step_time_ms: 90, memory_gib: 60, stack_rule: "" },
    { ...found, layouts: [], fastest: [] },
  );
  assert.deepEqual([none.place, none.less_percent, none.fastest], [1, 0, undefined]);
});

test("what a GPU held, next to what a step is predicted to need", () => {
  const gib = 2 ** 30;
  const of = (device, peak, reserved, at_peak) => ({
    device,
    memory: { peak_bytes: peak * gib, reserved_bytes: reserved * gib, at_peak },
  });
  each(held.gpusOf, [
    ["GPU 0", [{ device: 0 }]],
    ["GPU 0 and 2 and 3", [{ device: 0 }, { device: 2 }, { device: 3 }]],
    ["4 GPUs", Array.from({ length: 4 }, (_, device) => ({ device }))],
  ]);
  const step = { memory_gib: 10, memory: { weights_gib: 5 } };
  const parts = (told_by) => ({
    told_by,
    parts: [
      { name: "inputs", bytes: gib },
      { name: "weights", bytes: 6 * gib },
    ],
  });
  each(held.memorySummary, [
    ["PyTorch allocated up to 11 GiB.", [of(0, 11, 11)], undefined],
    [
      "PyTorch allocated up to 11 GiB on GPU 3, of 12 GiB that its allocator reserved.",
      [of(0, 10, 20), of(3, 11, 12)],
      undefined,
    ],
    [
      "PyTorch allocated up to 11 GiB. A step is predicted to need 10 GiB: the run held 10 % more.",
      [of(0, 11, 11)],
      step,
    ],
    ["PyTorch allocated up to 9 GiB. A step is predicted to need 10 GiB: the run held 10 % less.", [of(0, 9, 9)], step],
    [
      "PyTorch allocated up to 10 GiB. A step is predicted to need 10 GiB: the run held as much.",
      [of(0, 10.04, 10)],
      step,
    ],
    [
      "PyTorch allocated up to 10 GiB. A step is predicted to need 10 GiB: the run held as much. The peak by PyTorch’s categories: weights 6 GiB (predicted 5 GiB), inputs 1 GiB.",
      [of(0, 10, 10, parts("category"))],
      step,
    ],
    [
      "PyTorch allocated up to 10 GiB. The peak by the code that allocated it: weights 6 GiB, inputs 1 GiB.",
      [of(0, 10, 10, parts("frames"))],
      undefined,
    ],
  ]);
});

test("a diagnosis says each verdict, and what shows each loss", () => {
  const series = { steps: 20, stalled_steps: 2, stall_every: 5, drift_percent: 6.5 };
  const found = {
    ...{ verdict: "slower", measured_ms: 150, expected_ms: 100, expected_low_ms: 80, expected_high_ms: 120 },
    ...{ losses: [], networks: [], series, measured_by: "training_log", consistent_with: [], unexplained_ms: 0 },
  };
  const loss = (cause, more) => ({
    cause,
    where: "rank 3",
    measured: 12,
    expected: 4,
    ratio: 3,
    loss_ms: 8,
    rival: "",
    ...more,
  });
  each(
    (more) => words.headlineOf({ ...found, ...more }),
    [
      [
        "A step takes 150 ms; 100 ms is expected. That is within its range: nothing to find.",
        { verdict: "as_expected" },
      ],
      [
        "A step takes 150 ms; 100 ms is expected. It is faster than our range: is the job below the one that ran?",
        { verdict: "faster" },
      ],
      ["A step takes 150 ms, 50 % slower than the expected 100 ms, and these files don’t say why.", {}],
      ["A step takes 80 ms, 20 % faster than the expected 100 ms, and these files don’t say why.", { measured_ms: 80 }],
      [
        "A step takes 150 ms instead of the expected 100 ms. Cause: a straggler (50 ms).",
        { losses: [loss("straggler", { loss_ms: 50 })] },
      ],
      [
        "A step takes 150 ms instead of the expected 100 ms. Main cause: slow links in the node or a straggler (30 ms of 50 ms).",
        { losses: [loss("slow_links", { loss_ms: 30, rival: "straggler" }), loss("drift")] },
      ],
      [
        "A step takes 100 ms; 100 ms is expected. Yet it loses 30 ms to a straggler.",
        { measured_ms: 100, losses: [loss("straggler", { loss_ms: 30 })] },
      ],
      [
        "A step takes 110 ms; 100 ms is expected. Yet it loses most, 30 ms, to slow links in the node or a straggler.",
        { measured_ms: 110, losses: [loss("slow_links", { loss_ms: 30, rival: "straggler" }), loss("drift")] },
      ],
      ["Why is it slower than it should be? Drop what you have of the run.", { verdict: "nothing_measured" }],
    ],
  );
  each(
    (more) => words.underOf({ ...found, ...more }),
    [
      ["Measured: the mean of 20 steps in your log, without its first. 80 % of such runs take 80 ms to 120 ms.", {}],
      [
        "Measured: the mean of 1 step in your log, without its first. 80 % of such runs take 80 ms to 120 ms.",
        { series: { steps: 1 } },
      ],
      ["Measured: your profile. 80 % of such runs take 80 ms to 120 ms.", { measured_by: "profile" }],
      ["", { verdict: "nothing_measured" }],
    ],
  );
  each(
    (cause, more, ran) => words.evidenceOf(loss(cause, more), { ...found, series: { ...series, ...ran } }),
    [
      [
        "rank 3 runs at 1,200 MHz of at most 1,980 MHz.",
        "throttled_clocks",
        { evidence: "clocks", measured: 1199.6, expected: 1980 },
      ],
      ["Rank 3 computes 12 ms a step, the usual one 4 ms (3x).", "straggler", { evidence: "ranks" }],
      ["Rank 3 computes 12 ms a step, the usual one 4 ms.", "straggler", { evidence: "ranks", ratio: 0 }],
      ["Rank 3 computes 12 ms a step, the usual one 4 ms (0.5x).", "straggler", { evidence: "ranks", ratio: 0.5 }],
      ["The longest pause, in which nothing runs, is 12 ms.", "input", { evidence: "pauses" }],
      ["Pauses shorter than 1 ms add up to 12 ms a step.", "host", { evidence: "pauses" }],
      [
        "The profiled GPU waits 12 ms a step for other stages; 4 ms is expected.",
        "pipeline_bubble",
        { evidence: "pauses" },
      ],
      ["rank 3: the step waits 12 ms for it; 4 ms is expected (3x).", "not_overlapped", { evidence: "messages" }],
      ["rank 3: messages take 12 ms a step; 4 ms is expected (3x).", "slow_links", { evidence: "messages" }],
      ["With the rank 3 log’s bandwidth a step takes 12 ms.", "slow_network", { evidence: "what_if" }],
      [
        "Kernels of this kind take 12 ms a step; 4 ms is expected (3x). Most in rank 3.",
        "slow_matmuls",
        { evidence: "kernels" },
      ],
      [
        "2 of 20 steps stall, every 5 steps; the longest, rank 3, takes 12 ms instead of 4 ms.",
        "stalls",
        { evidence: "steps" },
      ],
      [
        "2 of 20 steps stall; the longest, rank 3, takes 12 ms instead of 4 ms.",
        "stalls",
        { evidence: "steps" },
        { stall_every: 1 },
      ],
      ["The last third of the log is 6.5 % slower than the first.", "drift", { evidence: "steps" }],
      ["Rank 3 take 12 ms each; 4 ms is usual after them.", "warm_up", { evidence: "steps" }],
    ],
  );
  each(
    (more) => words.unexplainedOf({ ...found, ...more }),
    [
      ["", { verdict: "nothing_measured", unexplained_ms: 30 }],
      ["Nothing is left unexplained.", { unexplained_ms: -2.9 }],
      ["3 ms (2 % of the step) is unexplained.", { unexplained_ms: 3 }],
      [
        "500 µs (5 % of the step) is unexplained. It would fit a straggler.",
        { unexplained_ms: 0.5, measured_ms: 10, consistent_with: ["straggler"] },
      ],
      [
        "30 ms (20 % of the step) is unexplained. It would fit a straggler.",
        { unexplained_ms: 30, consistent_with: ["straggler"] },
      ],
      [
        "30 ms (20 % of the step) is unexplained. It would fit a straggler, steps that stall or slow first steps.",
        { unexplained_ms: 30, consistent_with: ["straggler", "stalls", "warm_up"] },
      ],
      [
        "30 ms (20 % of the step) less than these add up to: the rest of the step is faster than expected.",
        { unexplained_ms: -30, consistent_with: ["straggler"] },
      ],
    ],
  );
});

test("a diagnosis says what each log and each factor shows", () => {
  const network = {
    ...{ collective: "all_reduce", num_gpus: 16, verdict: "slower", basis: "measured", in_band_percent: 83.4 },
    ...{ large_ratio: 2, small_ratio: 3, suspect: "none", other_suspect: "none" },
  };
  const like = "predicted from published runs of such machines";
  each(
    (more) => words.networkOf({ ...network, ...more }),
    [
      [`All-reduce on 16 GPUs is as ${like} (83 % of the sizes in range).`, { verdict: "as_expected" }],
      [
        "All-reduce on 16 GPUs is as predicted for such machines (83 % of the sizes in range).",
        { verdict: "as_expected", basis: "estimated" },
      ],
      [
        `All-reduce on 16 GPUs: large messages are as ${like}, but only 11 % of all sizes are in range.`,
        { verdict: "as_expected", in_band_percent: 11.1 },
      ],
      [`All-reduce on 16 GPUs: large messages take 2x as long as ${like}. The log does not say why.`, {}],
      [
        `All-reduce on 16 GPUs: large messages take 2x as long as ${like}. Suspect: no GPUDirect RDMA or a forced NCCL protocol.`,
        { suspect: "no_gpudirect", other_suspect: "protocol" },
      ],
      [
        "All-reduce on 16 GPUs: large messages are as expected, small ones take 3x as long. Suspect: a forced NCCL protocol.",
        { verdict: "small_slower", suspect: "protocol" },
      ],
      [`All-reduce on 16 GPUs is 2x faster than ${like}.`, { verdict: "faster", large_ratio: 0.5 }],
      [
        `All-reduce on 16 GPUs is 2x faster than ${like}. Suspect: a forced NCCL protocol.`,
        { verdict: "faster", large_ratio: 0.5, suspect: "protocol" },
      ],
    ],
  );
  const worst = words.headlineOf({
    verdict: "nothing_measured",
    networks: [{ ...network, verdict: "as_expected" }, network],
  });
  assert.equal(worst, words.networkOf(network));
  const part = { unused: 3, log: 0, verdict: "offered", error_before_percent: 20, error_after_percent: 4 };
  each(
    (more) => words.partOf({ ...part, ...more }),
    [
      ["On 3 products that it was not taken from, predictions are off by 4 % instead of 20 %.", {}],
      ["On 1 product that it was not taken from, predictions are off by 4 % instead of 20 %.", { unused: 1 }],
      ["On 1 size that it was not taken from, predictions are off by 4 % instead of 20 %.", { unused: 1, log: 1 }],
      ["On 2 sizes that it was not taken from, predictions are off by 4 % instead of 20 %.", { unused: 2, log: 1 }],
    ],
  );
  const conclusion = {
    printed_average_gb_per_sec: 100,
    rows_average_gb_per_sec: 100.4,
    checked: true,
    wrong_values: 0,
  };
  each(
    (more) => words.conclusionOf({ ...conclusion, ...more }),
    [
      ["Its rows come to the average of its last line, 100 GB/s, without a wrong value.", {}],
      ["Its rows come to the average of its last line, 100 GB/s.", { checked: false }],
      [
        "Its last line says 100 GB/s on average, its rows come to 101 GB/s: rows are missing or were changed.",
        { rows_average_gb_per_sec: 101 },
      ],
      ["It counts 1 wrong value: find out why before you trust its times.", { wrong_values: 1 }],
      ["It counts 2 wrong values: find out why before you trust its times.", { wrong_values: 2 }],
      ["", { printed_average_gb_per_sec: 0 }],
    ],
  );
});

test("a benchmark's load as the engine is asked for it", () => {
  const load = { requests_per_sec: 0, max_concurrency: 0, completed: 1000, prompt_tokens: 512.4, output_tokens: 0.5 };
  const ask = (more, data_parallel = 1, replicas = 1) =>
    benchmark.loadInputs({ ...load, ...more }, { data_parallel, replicas });
  assert.deepEqual(ask({}, 2, 2), { requests_per_sec: 0, max_concurrency: 0, requests: 250, prompt_tokens: 512 });
  assert.equal(ask({ output_tokens: 1 }).output_tokens, 1);
  each(
    (...given) => ask(...given).requests,
    [
      [1000, {}],
      [1, { completed: 3 }, 4, 1],
      [100_000, { completed: 200_000 }],
      [2000, { completed: 200_000, requests_per_sec: 4 }],
      [2000, { completed: 200_000, max_concurrency: 4 }],
      [2000, { completed: 0 }],
      [334, { completed: 1000 }, 3],
    ],
  );
  each(benchmark.middleOf, [
    [5, { p50_ms: 5, mean_ms: 6 }],
    [6, { p50_ms: 0, mean_ms: 6 }],
  ]);
  const by = (tool, model, count) => Array.from({ length: count }, () => ({ tool, model }));
  each(benchmark.benchmarkInWords, [
    ["a benchmark by GuideLLM: 3 loads of meta-llama/Llama-3.1-8B", by("guidellm", "meta-llama/Llama-3.1-8B", 3)],
    ["a benchmark by vllm bench serve: one load", by("vllm", "", 1)],
  ]);
});

test("links of before, in the words of today", () => {
  const scenario = saying();
  const group = (texts, view) => before.modernizedLink(scenario, texts, view).texts.tensor_parallel;
  each(group, [
    ["4", { cluster_gpus: "12" }, "plan"],
    [undefined, { cluster_gpus: "16" }, "plan"],
    [undefined, { cluster_gpus: "0" }, "plan"],
    [undefined, {}, "plan"],
    ["1", { cluster_gpus: "1" }, "plan"],
    ["16", { num_gpus: "16" }, "cost"],
    ["2", { num_gpus: "16", tensor_parallel: "2" }, "step"],
    ["16", { num_gpus: "16", tensor_parallel: "2" }, "network"],
    ["4", { num_gpus: "12" }, "plan"],
  ]);
  const unknown = (texts) => before.modernized(scenario, texts, "step").unknown;
  each(unknown, [
    [["matmul_precision"], { system: "dgx-a100", matmul_precision: "fp8" }],
    [[], { system: "dgx-h100", matmul_precision: "fp8" }],
    [[], { system: "dgx-a100", matmul_precision: "stored" }],
    [[], { system: "dgx-a100", matmul_precision: "" }],
    [["model"], { model: "nobody's" }],
    [["link"], { link: "string" }],
  ]);
  assert.deepEqual(before.servedBefore(scenario, {}, 1), {});
  assert.deepEqual(before.servedBefore(scenario, { model: "qwen3-8b" }, 3), { model: "qwen3-8b" });
  const said = before.servedBefore(scenario, { tensor_parallel: "4" }, 2);
  assert.deepEqual([said.serving_tensor_parallel, said.serving_batch_size, said.most_token_ms], ["4", "", undefined]);
  const whole = before.servedBefore(scenario, { tensor_parallel: "4" }, 1);
  assert.deepEqual([whole.serving_tensor_parallel, whole.serving_batch_size, whole.most_token_ms], ["4", "8", "0"]);
  // Percent of a peak became factors of time; what says no number, or nothing that divides, is left to what is usual.
  const factor = (texts) => before.modernizedLink(scenario, texts, "step").texts.gemm_time_scale;
  each(factor, [
    ["1", { compute_efficiency_percent: String(inverse("gemm_time_scale")) }],
    ["2", { compute_efficiency_percent: String(inverse("gemm_time_scale") / 2) }],
    [String(inverse("gemm_time_scale")), { compute_efficiency_percent: "1" }],
    [undefined, { compute_efficiency_percent: "0" }],
    [undefined, { compute_efficiency_percent: "much" }],
    ["3", { compute_efficiency_percent: "1", gemm_time_scale: "3" }],
  ]);
  // Of the degrees of a whole layout the one that yields is left to the others, where it can be read.
  const yielding = (texts) => before.modernizedLink(scenario, texts, "step").texts.data_parallel;
  each(yielding, [
    [undefined, { tensor_parallel: "2", data_parallel: "4" }],
    ["four", { tensor_parallel: "2", data_parallel: "four" }],
    ["4", { tensor_parallel: "2", data_parallel: "4", gives_way: "pipeline_parallel" }],
  ]);
  each(before.formerView, [
    ["serve", "step", { mode: "decode" }, 1],
    ["serve", "training", { mode: "prefill" }, 1],
    ["step", "step", { mode: "decode" }, 2],
    ["step", "step", { mode: "training" }, 1],
    ["cost", "cost", { mode: "decode" }, 1],
  ]);
});

test("what no field takes is refused, nothing where nothing need be said", () => {
  const { fields } = saying();
  each(
    (name, text) => entry.isAcceptable(fields.get(name), text),
    [
      [true, "tensor_parallel", "8"],
      [false, "tensor_parallel", "0"],
      [false, "tensor_parallel", "eight"],
      [true, "peak_tflops", ""],
      [false, "peak_tflops", "much"],
      [false, "hidden_size", ""],
      [false, "matmul_precision", "fp7"],
    ],
  );
  each(
    (search, hash) => link.saysNothing({ search, hash }),
    [
      [true, "", ""],
      [true, "", "#"],
      [true, "?compact=yes", "#chapter=3"],
      [false, "?=dark", ""],
      [false, "", "#view=cost"],
    ],
  );
});

test("a calibration that somebody else wrote is read whole or not at all", () => {
  const whole = {
    ...{ name: "log", collective: "all_reduce", accelerator: "h100-sxm", network: "", launch: "" },
    ...{ num_gpus: 8, gpus_per_node: 8, nic_gb_per_sec: 50, scaled_error_percent: 2 },
    ...{ message_size_bytes: [1024], time_us: [20], scales: { latency_scale: 1.1 } },
  };
  const read = (more) => calibrations.imported(calibrations.exported({ ...whole, ...more })) !== undefined;
  each(read, [
    [true, {}],
    [true, { nic_gb_per_sec: 0 }],
    [false, { num_gpus: -1 }],
    [false, { num_gpus: "8" }],
    [false, { time_us: [-1] }],
    [false, { time_us: [20, 30] }],
    [false, { scales: { latency_scale: -2 } }],
    [false, { scales: { "latency scale": 1 } }],
    [false, { name: 3 }],
  ]);
});

test("a link is read to its limit, and to the end of a pair", () => {
  const { fields } = saying();
  const end = "&num_layers=5";
  const of = (length) => `model=${"m".repeat(length - "model=".length - end.length)}${end}`;
  const read = (length) => link.readLink({ search: "", hash: `#${of(length)}` }, fields);
  assert.deepEqual([read(100_000).texts.num_layers, read(100_000).unknown], ["5", []]);
  assert.deepEqual([read(100_001).texts.num_layers, read(100_001).unknown], [undefined, [link.beyondLongest]]);
  // Of the scenario that is compared with, a link says no setting of the page.
  const { pinned, unknown, settings } = link.readLink(
    { search: "", hash: "#pin.model=qwen3-8b&pin.view=cost&pin.num_layers=x&view=step&units=binary&units=metric" },
    fields,
  );
  assert.deepEqual(pinned, { model: "qwen3-8b" });
  assert.deepEqual(settings, { view: "step", units: "binary" });
  assert.deepEqual(unknown, ["pin.view", "pin.num_layers=x", "units=metric"]);
});

test("machines, presets and a server's fields by their names", () => {
  const scenario = saying({ system: "dgx-h100" });
  const { name } = presets.chosenPreset(scenario, "accelerator");
  each(
    (device) => machine.otherAccelerator(scenario, device),
    [
      [name, "NVIDIA A100-SXM4-80GB"],
      [undefined, "NVIDIA H100 80GB HBM3"],
      [undefined, "a device without a name of ours"],
    ],
  );
  each(
    (nodes) => machine.nodesInWords(scenario, nodes),
    [
      ["one DGX H100 node", 1],
      ["2 DGX H100 nodes", 2],
    ],
  );
  assert.equal(machine.nodesInWords(saying({ system: "tpu-v5p-pod" }), 1), "one TPU v5p pod");
  each(
    (kind, id) => presets.presetNamed(scenario, kind, id)?.id,
    [
      ["llama-2-7b", "model", "META-LLAMA/llama-2-7b-hf"],
      ["dgx-h100", "system", "dgx-h100"],
      [undefined, "model", ""],
      [undefined, "system", "nobody's"],
    ],
  );
  each(
    (field) => presets.filledText(scenario, field),
    [
      ["32", "num_layers"],
      [undefined, "batch_size"],
    ],
  );
  assert.deepEqual(
    Object.entries(serving.stepOf((field) => field.slice(0, 2))).map(([field, text]) => `${field} ${text}`)[0],
    "serving_tensor_parallel te",
  );
  each(serving.servingName, [
    ["serving_recipe", "recipe"],
    ["serving_gpus", "cluster_gpus"],
    [undefined, "mode"],
    ["serving_flash_attention", "flash_attention"],
    ["serving_batch_size", "batch_size"],
    ["hidden_size", "hidden_size"],
  ]);
  each(serving.withoutSign, [
    ["flash_attention", "serving_flash_attention"],
    ["batch_size", "serving_batch_size"],
    ["serving_gpus", "serving_gpus"],
    ["batch_size", "batch_size"],
  ]);
  each(serving.servedName, [
    ["serving_tensor_parallel", "num_gpus"],
    ["serving_batch_size", "batch_size"],
    ["hidden_size", "hidden_size"],
  ]);
  const fills = engine
    .describe()
    .serving_step.inputs.filter((field) => field.filled_by === "recipe")
    .map((field) => field.name);
  assert.deepEqual(serving.servingStackFields(engine.describe().serving_step.inputs).map(serving.withoutSign), fills);
});

test("a stack fills what follows from its recipe, and a search what a plan leaves open", () => {
  const { inputs } = engine.describe().training_step;
  const filled = new Set(inputs.filter(({ filled_by }) => filled_by === "recipe").map(({ name }) => name));
  for (const { id, texts } of presets.recipePresets(saying())) {
    assert.ok(Object.keys(texts).length > 5, id);
    for (const name of Object.keys(texts)) assert.ok(filled.has(name), `${id}: ${name}`);
  }
  const searched = (name) => pins.searchedInputs(engine.describe()[name].inputs).map((input) => input.name);
  for (const name of ["plan", "plan_scaling"]) assert.ok(searched(name).includes("tensor_parallel"), name);
  for (const name of ["training_step", "model_sizes", "plan_serving"]) assert.deepEqual(searched(name), [], name);
});

test("a model's parameters are its row's, and counted where something is typed over it", () => {
  const { parameters } = engine.model_catalog().models.find(({ id }) => id === "llama-3.1-8b");
  assert.equal(sized.modelParameters(saying({ model: "llama-3.1-8b" })), parameters);
  const typed = sized.modelParameters(saying({ model: "llama-3.1-8b", num_layers: "16" }));
  assert.ok(typed < 0.6 * parameters, `${typed}`);
});

test("two hundred changes can be taken back, and brought again", () => {
  const scenario = saying();
  const history = new undone.Undo(scenario);
  const [one, other] = ["hidden_size", "num_layers"];
  for (let change = 1; change <= 203; ++change) scenario.set({ [change % 2 ? one : other]: String(change) });
  let back = 0;
  while (history.undo()) back += 1;
  assert.deepEqual([back, history.canUndo, history.canRedo], [200, false, true]);
  assert.deepEqual([scenario.text(one), scenario.text(other)], ["3", "2"]);
  while (history.redo()) back -= 1;
  assert.deepEqual([back, scenario.text(one)], [0, "203"]);
});

test("each change is put over the inputs alone, whatever was changed or refused before", () => {
  const inputs = { model: "llama-2-7b", system: "dgx-a100", sequence_length: 4096, batch_size: 1, tensor_parallel: 8 };
  const changes = [
    { tensor_parallel: 4 },
    { tensor_parallel: 3 },
    { data_parallel: 2, global_batch_size: 8 },
    { model: "llama-3.1-8b", tensor_parallel: undefined },
    {},
  ];
  const called = (change) => {
    const given = Object.entries({ ...inputs, ...change }).filter(([, value]) => value !== undefined);
    return engine.training_step(Object.fromEntries(given));
  };
  const found = overs.overPossible(engine, "training_step", inputs, changes);
  assert.equal(found[1], undefined);
  assert.throws(() => called(changes[1]), { name: "InvalidInputError" });
  for (const at of [0, 2, 3, 4]) assert.deepEqual({ ...found[at] }, called(changes[at]), JSON.stringify(changes[at]));
  assert.throws(() => overs.over(engine, "training_step", inputs, changes, () => 0), { name: "InvalidInputError" });
});
