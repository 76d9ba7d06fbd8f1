// What views say of results that drawn scenarios seldom have: one GPU, one of a thing, nothing, a tie, a limit that is met. The claims
// (claims.test.mjs) check what is said of ordinary ones. No browser is needed.
import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { loadEngine } from "../../build/engine/commcost.js";
import { loadAll } from "./support/source.mjs";
import { plainText as said } from "./support/text.mjs";

const engine = await loadEngine();
const {
  scenarios,
  step,
  benchmark,
  percentiles,
  loads,
  network,
  ring,
  words,
  rank,
  answer,
  names,
  projection,
  why,
  plain,
  plans,
  rounds,
} = await loadAll({
  scenarios: "state/page-scenario.ts",
  step: "views/step/sentences.ts",
  plans: "views/plan/sentences.ts",
  rounds: "figures/sentence.ts",
  benchmark: "views/serve/benchmark-sentences.ts",
  percentiles: "views/serve/percentiles-sentences.ts",
  loads: "views/serve/load-sentences.ts",
  network: "views/network/sentences.ts",
  ring: "views/ring/sentences.ts",
  words: "figures/collective-words.ts",
  rank: "figures/rank-words.ts",
  answer: "views/serve/answer.ts",
  names: "figures/deployment-name.ts",
  projection: "views/projection/sentences.ts",
  why: "elements/prediction.ts",
  plain: "state/sizes.ts",
});
const scenario = scenarios.pageScenario(engine);
/** Calls a function once for each row: what it says, then what it is given. */
const each = (call, rows) => {
  for (const [says, ...given] of rows) {
    const told = call(...given);
    assert.equal(told === undefined ? told : said(told), says, JSON.stringify(given));
  }
};

test("a step of one GPU, with all hidden, and its summaries", () => {
  const is = { cluster_gpus: 8, step_time_ms: 1000, none_hidden_ms: 1200 };
  const traffic = (...exposed) => exposed.map((exposed_ms) => ({ exposed_ms }));
  each(
    (more) => step.timeSummary({ ...is, ...more }),
    [
      ["One GPU communicates with no other.", { cluster_gpus: 1, traffic: traffic(0) }],
      ["All communication is hidden.", { traffic: traffic(0.2, 0.2) }],
      [
        "Exposed communication takes 100 ms, 10 % of the step. If nothing overlapped, the step would take 1.2 s.",
        { traffic: traffic(60, 40) },
      ],
    ],
  );
  each(step.elasticitySummary, [
    [
      "1 % more b shortens the step most, by 0.5 %.",
      [
        { name: "a", value: 0.02 },
        { name: "b", value: 0.5 },
      ],
    ],
    [
      "1 % more b shortens the step most, by 0.005 %. No effect: a, c.",
      [
        { name: "a", value: 0.004 },
        { name: "b", value: 0.005 },
        { name: "c", value: -0.004 },
      ],
    ],
    ["1 % more of any of these shortens the step by less than 0.01 %. No effect: a.", [{ name: "a", value: 0 }]],
  ]);
  each(
    (link, other) => step.halfBandwidthSummary({ link, network: other }),
    [
      ["Half of either bandwidth would make no difference.", 0.04, 0.01],
      ["With half the bandwidth of the network, the step takes 3 % longer.", 2, 3],
      ["With half the bandwidth of the links in the node, the step takes 3 % longer.", 3, 2],
      ["With half the bandwidth of the links in the node, the step takes 0.05 % longer.", 0.05, 0.05],
    ],
  );
  const sizes = new plain.Sizes();
  each(
    (...message_sizes) => step.sizesSummary(sizes, { message_sizes }),
    [
      ["No messages."],
      ["The most common size is 1 MiB to 2 MiB, with 1 call.", { at_least_bytes: 2 ** 20, calls: 1 }],
      [
        "The most common size is 2 MiB to 4 MiB, with 1,000 calls.",
        { at_least_bytes: 2 ** 20, calls: 1 },
        { at_least_bytes: 2 ** 21, calls: 1000 },
      ],
    ],
  );
  each(
    (ratios, more) =>
      step.missedAlike(ratios, { step_time_ms: 100, step_time_low_ms: 80, step_time_high_ms: 120, ...more }),
    [["If this prediction misses as those did, 3 of 5 would take 80 ms to 120 ms.", [0.79, 0.8, 1, 1.2, 1.21]]],
  );
  const sent = { stage: "only", sent_bytes_per_gpu: 200, network_bytes_per_gpu: 50 };
  each(
    (more) => step.bytesSummary(scenario, { ...sent, ...more }),
    [
      ["Sent by each GPU; 25 % of it leaves the node.", {}],
      ["Sent by each GPU; 0 % of it leaves the node.", { sent_bytes_per_gpu: 0, network_bytes_per_gpu: 0 }],
    ],
  );
  each(step.growthSummary, [
    [
      "Each replica keeps its batch: from 8 to 64 GPUs, each GPU keeps 80 % of its speed.",
      { cluster_gpus: 8, step_time_ms: 80 },
      { cluster_gpus: 64, step_time_ms: 100 },
    ],
  ]);
});

test("how many families are within noise of the fastest, and whether memory is what others lack", () => {
  const of = (times, ties, more) => ({
    layouts: times.map((step_time_ms, at) => ({ step_time_ms, tie: ties[at], settings: [] })),
    fastest: [],
    noise_floor_percent: 5,
    ...more,
  });
  const first = (...given) => plans.tieWords(of(...given)).split(/, which|: /)[0];
  each(first, [
    ["The search found only one family of layouts.", [100], [true]],
    ["No other family is within 5 % of the fastest layout", [100, 106], [true, false]],
    [
      "No other family that leaves enough memory free is within 5 % of the fastest that does",
      [100, 104],
      [true, false],
    ],
    [
      "No other family is within 5 % of the fastest layout",
      [100, 104],
      [true, false],
      { fastest: [{ step_time_ms: 90 }] },
    ],
    ["The first 2 are within noise of the fastest", [100, 101, 120], [true, true, false]],
    ["All 2 are within noise of the fastest", [100, 101], [true, true]],
  ]);
});

test("what each GPU holds before the first round, of one chunk and of several", () => {
  const at = (more) =>
    rounds.roundSentence(
      { ranks: 2, rows: 4, adds: true, rounds: [[{}]], schedule: { chunks_at_start: [[0], [1]] }, ...more },
      0,
      0,
    );
  each(at, [
    ["Each GPU holds its own part of all 4 chunks.", {}],
    ["Each GPU holds its own part of the sum.", { rows: 1 }],
    ["Each GPU holds what is its own.", { adds: false }],
    ["GPU 0 holds everything.", { adds: false, schedule: { chunks_at_start: [[0, 1], []] } }],
    ["One GPU keeps what it has.", { rounds: [] }],
  ]);
});

test("a layout's rank in words", () => {
  const row = (step_time_ms) => ({
    ...{ tensor_parallel: 4, pipeline_parallel: 2, data_parallel: 8, context_parallel: 1, expert_parallel: 1 },
    ...{ expert_tensor_parallel: 4, step_time_ms },
  });
  const is = {
    place: 3,
    families: 8,
    step_time_ms: 120,
    fastest: row(100),
    less_percent: 16.7,
    tie: false,
    deficit_gib: 0,
    stack_rule: "",
  };
  const tell = (more) => said(rank.rankWords({ ...is, ...more }, "torchtitan", (gib) => `${gib} GiB`));
  const short = tell({}).match(/the fastest, (.+), takes/)[1];
  assert.match(short, /TP 4.*PP 2.*DP 8/);
  each(tell, [
    [`3rd of 8 families: the fastest, ${short}, takes 17 % less.`, {}],
    [
      `1st of 8 families: the fastest, ${short}, takes 17 % less. Another layout of its own family takes 110 ms.`,
      { place: 1, variant: row(110) },
    ],
    [`8th of 8 families: the fastest, ${short}, takes 17 % less.`, { place: 8 }],
    [`Slower than all 8 families listed: the fastest, ${short}, takes 17 % less.`, { place: 9 }],
    [`Slower than the only family listed: the fastest, ${short}, takes 17 % less.`, { place: 2, families: 1 }],
    [`Of the only family: the fastest, ${short}, takes 17 % less.`, { place: 1, families: 1 }],
    [`Within noise of the fastest of 8 families, ${short}.`, { tie: true }],
    [
      `Faster than the fastest of 8 families that leaves the headroom, ${short}, which takes 100 ms.`,
      { less_percent: -5 },
    ],
    ["", { fastest: undefined }],
    [`Doesn’t fit: each GPU needs 7 GiB more. Of the layouts that fit, ${short} takes 100 ms.`, { deficit_gib: 7 }],
    ["Doesn’t fit: each GPU needs 7 GiB more.", { deficit_gib: 7, fastest: undefined }],
    [
      `Not in torchtitan, which splits no heads. Of the layouts that are, ${short} takes 100 ms.`,
      { stack_rule: "splits no heads" },
    ],
  ]);
});

test("what a benchmark comes to, of one load and of several", () => {
  const of = (measured, predicted) => ({
    load: { token: { p50_ms: measured, mean_ms: 0 } },
    predicted: predicted && { token: { p50_ms: predicted } },
  });
  each(
    (...compared) => benchmark.benchmarkLead(compared, "TP 2"),
    [
      ["Its loads say no TPOT to compare, or cannot run on this deployment.", of(0, 10), of(10, undefined)],
      ["You measured a median TPOT of 10 ms; we predict 12 ms for TP 2.", of(10, 12)],
      ["You measured a median TPOT of 10 ms; we predict 12 ms for TP 2.", of(0, 9), of(10, 12), of(10, undefined)],
      [
        "On your 2 loads, median TPOT predicted for TP 2 is off by 15 % in the median, every one too short.",
        of(10, 8),
        of(10, 9),
      ],
      [
        "On your 3 loads, median TPOT predicted for TP 2 is off by 20 % in the median, some too long, some too short.",
        ...[of(10, 8), of(10, 11), of(10, 14)],
      ],
    ],
  );
  each(benchmark.loadInWords, [
    ["4 requests/s, at most 64 in flight", { requests_per_sec: 4, max_concurrency: 64 }],
    ["16 in flight", { requests_per_sec: 0, max_concurrency: 16 }],
    ["all at once", { requests_per_sec: 0, max_concurrency: 0 }],
  ]);
  const fit = { moved: true, recipe_error_percent: 20, fitted_error_percent: 3, left_out_error_percent: 5 };
  each(
    (more) => benchmark.fitLead({ ...fit, ...more }),
    [
      ["Calibrated on them, median TPOT is off by 3 %, down from 20 %; on loads left out of the fit by 5 %.", {}],
      [
        "Calibrated on it, median TPOT is off by 3 %, down from 20 %. A second load would show how well that holds.",
        { left_out_error_percent: null },
      ],
      [
        "Moving host time and kernels does not bring the prediction nearer: it stays off by 20 %.",
        { moved: false, left_out_error_percent: null },
      ],
      [
        "Moving host time and kernels does not help on loads that the fit has not seen: 5 % off, 20 % as it is. Nothing is moved.",
        { moved: false },
      ],
    ],
  );
});

const spread = (p50_ms, p99_ms) => ({
  ...{ p50_ms, p50_low_ms: 0.8 * p50_ms, p50_high_ms: 1.2 * p50_ms },
  ...{ p99_ms, p99_low_ms: 0.8 * p99_ms, p99_high_ms: 1.2 * p99_ms },
});
const played = {
  ...{ keeps_up: true, surely_keeps_up: true, left_waiting_percent: 0.5, preemptions: 0 },
  ...{ mean_sequences: 4, mean_waiting: 0.2, first_token: spread(100, 300), token: spread(10, 20) },
};

test("a server under load, at its limits", () => {
  const rated = { requests_per_sec: 4, rate_follows_steps: false };
  const free = { most_first_token_ms: 0, most_token_ms: 0 };
  const told =
    "TTFT 100 ms (80–120 ms) at P50, 300 ms (240–360 ms) at P99; TPOT 10 ms (8–12 ms) at P50, 20 ms (16–24 ms) at P99.";
  each(
    (more, limits, load) =>
      percentiles.percentilesInWords({ ...rated, ...load }, { ...played, ...more }, { ...free, ...limits }),
    [
      [`At your 4 requests/s: ${told}`, {}],
      [`At 4 requests/s, 80 % of what it serves: ${told}`, {}, {}, { rate_follows_steps: true }],
      [
        `At your 4 requests/s: ${told} 1 % of the requests still wait when the last one arrives.`,
        { left_waiting_percent: 1 },
      ],
      [`At your 4 requests/s: ${told.split(";")[0]}.`, { token: spread(0, 0) }],
      [
        `At your 4 requests/s: ${told.split(";")[0]}; TPOT 500 µs (400–600 µs) at P50, 1 ms (800 µs–1.2 ms) at P99.`,
        { token: spread(0.5, 1) },
      ],
      [`At your 4 requests/s: ${told}`, {}, { most_first_token_ms: 300, most_token_ms: 20 }],
      [
        `At your 4 requests/s: ${told} More than one request in a hundred misses your limit for TTFT and TPOT.`,
        {},
        { most_first_token_ms: 299, most_token_ms: 19 },
      ],
      [
        "At your 4 requests/s: TTFT 100 ms (80 ms or more) at P50, 300 ms (240 ms or more) at P99; TPOT 10 ms (8–12 ms) at P50, 20 ms (16–24 ms) at P99. If every step took as long as its range allows, at least one request in twenty would still wait when the last one arrives.",
        { surely_keeps_up: false },
      ],
      [
        "It can’t keep up with your 4 requests/s: 30 % of the requests still wait when the last one arrives.",
        { keeps_up: false, left_waiting_percent: 30 },
      ],
      [
        "It can’t keep up with 4 requests/s, 80 % of what it serves: 30 % of the requests still wait when the last one arrives.",
        ...[{ keeps_up: false, left_waiting_percent: 30 }, {}, { rate_follows_steps: true }],
      ],
    ],
  );
  assert.deepEqual(percentiles.answerLoad({ requests_per_sec: 10 }, 0), {
    requests_per_sec: 8,
    max_concurrency: 0,
    rate_follows_steps: true,
  });
  assert.deepEqual(percentiles.answerLoad({ requests_per_sec: 10 }, 3), {
    requests_per_sec: 3,
    max_concurrency: 0,
    rate_follows_steps: false,
  });
  const at = (rate, more = {}) => ({ rate, results: { ...played, ...more } });
  const behind = { keeps_up: false, surely_keeps_up: false };
  const goes = "P99 TTFT goes from 300 ms at 1 requests/s to 300 ms at 3.";
  const none = "At each of these rates, fewer than one request in twenty are still waiting when the last one arrives.";
  each(
    (...rates) => loads.firstTokenOverRates(rates),
    [
      [`${goes} ${none}`, at(1), at(2), at(3)],
      [
        `${goes} From 3 requests/s on, at least one request in twenty is still waiting when the last one arrives.`,
        ...[at(1), at(2), at(3, behind)],
      ],
      [
        `${goes} From 3 requests/s on, at least one request in twenty is still waiting when the last one arrives. With every step as long as its range allows, one in twenty would still be waiting from 2 requests/s on.`,
        ...[at(1), at(2, { surely_keeps_up: false }), at(3, behind)],
      ],
      [
        `${goes} ${none} With every step as long as its range allows, one in twenty would still be waiting from 2 requests/s on.`,
        ...[at(1), at(2, { surely_keeps_up: false }), at(3, { surely_keeps_up: false })],
      ],
    ],
  );
  each(
    (preemptions) => loads.evictedAtRate(at(2, { preemptions })),
    [
      ["", 0],
      [
        "At 2 requests/s the KV cache fills up: once, a sequence goes back to the queue and its tokens are computed again.",
        1,
      ],
      [
        "At 2 requests/s the KV cache fills up: 12 times, a sequence goes back to the queue and its tokens are computed again.",
        12,
      ],
    ],
  );
});

const row = {
  ...{ tensor_parallel: 4, pipeline_parallel: 1, data_parallel: 1, expert_parallel: 1, replicas: 2, idle_gpus: 0 },
  ...{ needed_replicas: 1, needed_gpus: 4, needed_gpus_high: 4, requests_per_sec: 10, verdict: "best" },
};

test("deployments by name, what a rate needs of them, and what stands in their way", () => {
  each(
    (more) => names.deploymentName({ ...row, ...more }),
    [
      ["TP 4", {}],
      ["TP 4 × PP 2", { pipeline_parallel: 2 }],
      ["TP 4 × DP 2 + EP 8", { data_parallel: 2, expert_parallel: 8 }],
      ["TP 4 + EP 4", { expert_parallel: 4 }],
    ],
  );
  each(
    (batch_size, more) => names.atOnce({ ...row, batch_size, ...more }),
    [
      ["one sequence at once each", 1],
      ["17 sequences at once per DP group", 17, { data_parallel: 2 }],
      ["17 sequences at once", 17, { replicas: 1 }],
    ],
  );
  each(
    (more, rate = 4) => answer.neededInWords({ deployments: [{ ...row, ...more }] }, rate, "need"),
    [
      ["Your 4 requests/s need 4 GPUs, as TP 4.", {}],
      ["Your 4 requests/s need one GPU, as TP 1.", { tensor_parallel: 1, needed_gpus: 1, needed_gpus_high: 1 }],
      [
        "Your 4 requests/s need 8 GPUs, as 2 × TP 4 (12 GPUs if every step takes as long as its range allows).",
        { needed_replicas: 2, needed_gpus: 8, needed_gpus_high: 12 },
      ],
      ["", { needed_gpus: 0 }],
      ["", {}, 0],
    ],
  );
  each(
    (more, rate = 4) => answer.startedInWords({ ...row, ...more }, rate),
    [
      ["Your 4 requests/s need one server: this starts it, and leaves 4 GPUs free.", {}],
      ["Your 4 requests/s need 2 servers: this starts them.", { needed_replicas: 2, needed_gpus: 8 }],
      [
        "Your 4 requests/s need 2 servers: this starts them, and leaves one GPU free.",
        { needed_replicas: 2, needed_gpus: 8, idle_gpus: 1 },
      ],
      [
        "Your 4 requests/s need 3 servers; your GPUs hold 2, which this starts.",
        { needed_replicas: 3, needed_gpus: 12 },
      ],
      ["", { needed_replicas: 0 }],
      ["", {}, 0],
    ],
  );
  each(
    (more) => String(answer.startedServers({ ...row, ...more })),
    [
      ["1", {}],
      ["2", { needed_replicas: 0 }],
      ["2", { needed_replicas: 5 }],
    ],
  );
  const limits = { most_token_ms: 50, most_first_token_ms: 1000 };
  each(answer.targetsInWords, [
    ["TPOT within 50 ms and TTFT within 1 s", limits],
    ["P99 TPOT within 50 ms", { most_token_ms: 50, most_first_token_ms: 0 }, "P99 "],
    ["TTFT within 1 s", { most_token_ms: 0, most_first_token_ms: 1000 }],
    ["", { most_token_ms: 0, most_first_token_ms: 0 }],
  ]);
  each(
    (verdict) =>
      answer.wayOut(
        { deployments: verdict ? [{ ...row, verdict, token_ms: 60, first_token_ms: 2000, memory_gib: 90 }] : [] },
        limits,
      ),
    [
      ["The model's shape allows none.", undefined],
      ["TP 4 comes closest: 60 ms per token with one sequence, 50 ms allowed.", "token_too_slow"],
      ["TP 4 comes closest: TTFT 2 s, 1 s allowed.", "first_token_too_slow"],
      ["TP 4 needs least memory: 90 GiB on each GPU. Use more GPUs, or fewer bytes per weight.", "does_not_fit"],
    ],
  );
  each(
    (verdict, requests_per_sec) => answer.whyNot({ ...row, verdict, requests_per_sec }, row, limits),
    [
      ["the answer", "best", 10],
      ["within error: as many requests", "tie", 9.96],
      ["within error: 2 % fewer requests", "tie", 9.8],
      ["25 % fewer requests", "less_throughput", 7.5],
      ["TPOT over 50 ms even with one sequence", "token_too_slow", 5],
      ["TTFT over 1 s", "first_token_too_slow", 5],
      ["doesn’t fit", "does_not_fit", 0],
    ],
  );
  each(
    (price, output_tokens_per_sec_per_gpu) => String(answer.priceOfMillion({ output_tokens_per_sec_per_gpu }, price)),
    [
      ["1", 3.6, 1000],
      ["undefined", 0, 1000],
      ["undefined", 3.6, 0],
    ],
  );
});

test("collectives on one node, in one pod, and against the textbook", () => {
  const place = { nodes: 4, topology: "fat_tree", ranks_in_pod: 16, ranks_in_superpod: 0, spine_share_percent: 50 };
  const leaves = "While every group of this kind sends,";
  each(
    (more, gpus = 32) => network.placeSummary({ ...place, ...more }, gpus),
    [
      ["All 32 GPUs are in one node: the collective doesn’t leave it.", { nodes: 1 }],
      ["All 32 GPUs are in one slice of a torus: the collective doesn’t leave it.", { nodes: 1, topology: "torus" }],
      [
        "The 32 GPUs are in 4 nodes. No pods are given, so they reach each other at their cards’ full rate.",
        { ranks_in_pod: 0 },
      ],
      ["All 16 GPUs are in one pod: the collective doesn’t cross the spine.", {}, 16],
      [
        "All 32 GPUs are in one superpod: the collective doesn’t cross the core.",
        { ranks_in_pod: 0, ranks_in_superpod: 64 },
      ],
      [
        `The 32 GPUs are in 2 pods, 16 in each, so the collective crosses the spine. ${leaves} it leaves each network card 50 % of its rate.`,
        {},
      ],
      [
        `The 128 GPUs are in 8 pods, 16 in each, and in 2 superpods, so the collective crosses spine and core. ${leaves} they leave each network card 50 % of its rate.`,
        { ranks_in_superpod: 64 },
        128,
      ],
      [
        `The 128 GPUs are in 2 superpods, so the collective crosses the core. ${leaves} it leaves each network card 50 % of its rate.`,
        { ranks_in_pod: 0, ranks_in_superpod: 64 },
        128,
      ],
    ],
  );
  const late = { ready_us: [0, 0], last_arrival_us: 5, first_leave_us: 9, last_leave_us: 10 };
  each(
    (collective, more) => ring.clockSummary(collective, { ...late, ...more }),
    [
      ["With one GPU there is nothing to wait for.", "all_reduce", { ready_us: [0] }],
      ["The last GPU arrives at 5 µs; the first leaves at 9 µs, after it.", "barrier"],
      [
        "No GPU is done before the last has arrived at 5 µs: the first is done at 9 µs, the last at 10 µs.",
        "all_reduce",
      ],
      [
        "No GPU is done before the last has arrived at 5 µs: the first is done at 5 µs, the last at 10 µs.",
        "all_reduce",
        { first_leave_us: 5 },
      ],
      [
        "The first GPU is done at 4 µs, before the last arrives at 5 µs; the last is done at 10 µs.",
        "broadcast",
        { first_leave_us: 4 },
      ],
    ],
  );
  const spelled = { algorithm: (name) => name, size: (bytes) => `${bytes} B` };
  const crossing = (quicker_below, quicker_above, message_size_bytes) => ({
    quicker_below,
    quicker_above,
    message_size_bytes,
  });
  each(
    (...crossovers) => words.crossoverSentence("ring", "tree", { crossovers }, spelled),
    [
      [
        "Tree is faster than ring below 8 B.",
        crossing("tree", "ring", 8),
        crossing("direct", "ring", 4),
        crossing("tree", "direct", 4),
      ],
      [undefined, crossing("direct", "ring", 4)],
    ],
  );
  each(
    (...quickest) => words.quickestSentence({ quickest }, spelled),
    [
      ["Ring is fastest at every size.", { algorithm: "ring" }],
      [
        "Fastest: tree up to 8 B, direct up to 64 B, ring above.",
        { algorithm: "tree", to_bytes: 8 },
        { algorithm: "direct", to_bytes: 64 },
        { algorithm: "ring" },
      ],
    ],
  );
  each(words.timeText, [
    ["0", 0],
    ["5 µs", 5],
  ]);
  const took = {
    algorithm: "ring",
    time_us: 100,
    textbook_us: 50,
    plateau_bus_bandwidth_gb_per_sec: 200,
    ramp_part_us: 5,
    nodes: 1,
    bottleneck: "plateau",
  };
  each(
    (more) => why.why(scenario, { ...took, ...more }),
    [
      ["A ring reaches 200 GB/s of the link’s 300 GB/s", {}],
      [
        "A ring reaches 200 GB/s of the link’s 300 GB/s, and getting up to speed costs 5.1 µs per call",
        { ramp_part_us: 5.1 },
      ],
      ["A ring reaches 300 GB/s of the link’s 300 GB/s", { plateau_bus_bandwidth_gb_per_sec: 300 }],
      [
        "Reduction in the switches reaches 300 GB/s of the link’s 300 GB/s",
        { algorithm: "in_network", plateau_bus_bandwidth_gb_per_sec: 300 },
      ],
      [
        "Reduction in the switches reaches a bus bandwidth of 400 GB/s, more than the link’s 300 GB/s: the switches add, so each GPU sends its message about once",
        { algorithm: "in_network", plateau_bus_bandwidth_gb_per_sec: 400 },
      ],
      ["The group spans 2 nodes: over NICs of 25 GB/s a GPU a ring reaches 200 GB/s", { nodes: 2 }],
      ["A ring sends less across the nodes than the textbook’s ring", { time_us: 49 }],
      ["Latency alone takes 7 µs, even with nothing to send", { bottleneck: "latency", latency_part_us: 7 }],
      ["Beyond the bytes, getting up to speed costs 5 µs per call", { bottleneck: "ramp" }],
      ["One GPU sends nothing", { bottleneck: "nothing", time_us: 0, textbook_us: 0 }],
    ],
  );
  const similar = "Fewer than three curves of this GPU are public, so the range is that of similar links, widened.";
  const off =
    "On sites held out from fitting, predictions of this kind are off by 5 % in the median; 80 % of measurements fall in the range.";
  each(
    (basis, bottleneck) => why.trust({ basis, bottleneck, measured_error_percent: 5 }),
    [
      [off, "measured"],
      [`${similar} ${off}`, "similar"],
      ["No measurement of this kind is public, so the range is wide.", "estimated"],
      ["", "measured", "nothing"],
    ],
  );
});

test("a projection that gains, loses and keeps, and which of TP and DP sends less", () => {
  const is = { communication_time_ratio: 2, speedup: 0.8, throughput_loss_percent: 20, throughput_ratio: 2.5 };
  each(
    (more) => projection.scalingHeadline({ ...is, ...more }),
    [
      [
        "Communication takes 2× as long: each GPU keeps 80 % of its throughput and loses 20 %; all GPUs together do 2.5 times as much.",
        {},
      ],
      [
        "Communication takes 2× as long: each GPU keeps 80 % of its throughput and loses 20 %; all GPUs together do as much.",
        { throughput_ratio: 1 },
      ],
      [
        "Communication takes 2× as long: each GPU keeps 110 % of its throughput and gains 10 %.",
        { speedup: 1.1, throughput_loss_percent: -10, throughput_ratio: 0 },
      ],
      [
        "Communication takes 2× as long: each GPU keeps 100 % of its throughput and loses 0 %.",
        { speedup: 1, throughput_loss_percent: 0, throughput_ratio: 0 },
      ],
    ],
  );
  const rest = "The rule’s short form, T/(3h), gives 2: it counts layers of 12h² parameters and no recomputation.";
  each(
    (ratio) => projection.dataOrTensorWords({ ratio, printed_ratio: 2, step_tokens: 4096, even_tokens: 2048.4 }, 8),
    [
      [
        `Over 8 GPUs, DP sends less: for each layer TP moves 2 times as much. A step of 4,096 tokens is above the 2,048 at which both send the same. ${rest}`,
        2,
      ],
      [
        `Over 8 GPUs, TP sends less: for each layer DP moves 4 times as much. A step of 4,096 tokens is below the 2,048 at which both send the same. ${rest}`,
        0.25,
      ],
      [
        `Over 8 GPUs, TP and DP send the same for each layer. A step of 4,096 tokens is exactly the 2,048 at which both send the same. ${rest}`,
        1,
      ],
    ],
  );
});
