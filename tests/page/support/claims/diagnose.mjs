// What Diagnose may say of a run, by what was measured and by the engine's tables alone.
import assert from "node:assert/strict";
import { digits, ms, near, number } from "../claims.mjs";
import { drawnRequest } from "./measured.mjs";

const causes = {
  slow_matmuls: "slow matrix products",
  slow_attention: "slow attention",
  slow_elementwise: "slow or unfused small kernels",
  throttled_clocks: "clocks that are held down",
  more_work: "work that the job does not ask for",
  slow_links: "slow links in the node",
  slow_network: "a slow network",
  not_overlapped: "communication that is not hidden",
  host: "a host that launches too late",
  input: "long pauses in which nothing runs",
  pipeline_bubble: "pipeline stages that wait",
  stage_imbalance: "a pipeline stage with more to do",
  straggler: "a straggler",
  stalls: "steps that stall",
  drift: "steps that get slower",
  warm_up: "slow first steps",
};
const suspects = {
  unit: "bits and bytes mistaken in the machine’s network bandwidth",
  no_nvls: "NVLink SHARP (NVLS) is off",
  launch_mode: "another launch mode (one process for several GPUs)",
  protocol: "a forced NCCL protocol",
  one_slow_node: "one slow node, rail or cable",
  no_gpudirect: "no GPUDirect RDMA",
};
/** Files that answer what is missing, by what they are called where they are asked for. */
const asked = [
  [/^A training log shows/, "step_times_ms"],
  [/^A PyTorch profile of one GPU/, "profiles"],
  [/^An nccl-tests log of the same nodes/, "network_logs"],
  [/clocks_event_reasons.active --format=csv -l 1 shows/, "sampled_gpus"],
];
const written = (said, is, what) => near(ms(said), is, digits[3], what);
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

function checkHeadline(is, text, claim) {
  const [head] = text.split("\n");
  const { verdict, losses, measured_ms, expected_ms } = is;
  const [first] = losses;
  claim("as expected", "A step takes {time}; {time} is expected\\. That is within its range", ([took, should]) => {
    written(took, measured_ms, "measured");
    written(should, expected_ms, "expected");
    assert.equal(losses.length, 0);
    assert.ok(measured_ms <= Math.max(is.expected_high_ms, 1.05 * expected_ms));
    assert.ok(measured_ms >= Math.min(is.expected_low_ms, 0.95 * expected_ms));
  });
  claim("faster", "It is faster than our range", () => assert.ok(measured_ms < is.expected_low_ms && !first));
  claim(
    "no cause",
    "A step takes {time}, {x} % (faster|slower) than the expected {time}, and",
    ([took, share, way, should]) => {
      written(took, measured_ms, "measured");
      written(should, expected_ms, "expected");
      near(Number(share), 100 * Math.abs(measured_ms / expected_ms - 1), digits[2], "share");
      assert.equal(way, measured_ms > expected_ms ? "slower" : "faster");
      assert.equal(first, undefined);
    },
  );
  claim(
    "cause",
    "A step takes {time} instead of the expected {time}\\. (Main cause|Cause): (.+) \\({time}(?: of {time})?\\)\\.",
    (parts) => {
      const [took, should, which, cause, lost, ofAll] = parts;
      written(took, measured_ms, "measured");
      written(should, expected_ms, "expected");
      assert.equal(which === "Main cause", losses.length > 1);
      assert.ok(
        losses.every(({ loss_ms }) => loss_ms <= first.loss_ms),
        "the largest is first",
      );
      assert.equal(cause, causes[first.cause] + (first.rival ? ` or ${causes[first.rival]}` : ""));
      written(lost, first.loss_ms, "loss");
      if (ofAll) written(ofAll, measured_ms - expected_ms, "all that is lost");
    },
  );
  claim(
    "cause though it is in time",
    "A step takes {time}; {time} is expected\\. Yet it loses (most, )?{time},? to (.+)\\.",
    ([took, should, most, lost, cause]) => {
      written(took, measured_ms, "measured");
      written(should, expected_ms, "expected");
      assert.equal(most !== undefined, losses.length > 1);
      assert.equal(cause, causes[first.cause] + (first.rival ? ` or ${causes[first.rival]}` : ""));
      written(lost, first.loss_ms, "loss");
      assert.ok(measured_ms - expected_ms < first.loss_ms, "the step is late by less");
    },
  );
  assert.equal(/nothing to find/.test(head), verdict === "as_expected");
}

function checkMeasured(is, request, claim) {
  claim("measured by", "Measured: the mean of {n} steps? in your log, without its first\\.", ([count]) => {
    assert.equal(number(count), request.step_times_ms.length - 1);
    near(is.measured_ms, mean(request.step_times_ms.slice(1)), 1e-9, "mean");
  });
  claim("by profile", "Measured: your profile\\.", () =>
    assert.ok((request.step_times_ms ?? []).length < 2 && request.profiles.length > 0),
  );
  claim("band", "80 % of such runs take {time} to {time}\\.", ([low, high]) => {
    written(low, is.expected_low_ms, "low");
    written(high, is.expected_high_ms, "high");
  });
  claim(
    "stalls",
    "{n} of {n} steps stall(?:, every {n} steps)?; the longest, step {n}, takes {time} instead of {time}",
    (parts) => {
      const [stalled, all, every, longest, took, usual] = parts;
      const times = request.step_times_ms;
      assert.equal(number(all), times.length - 1);
      written(took, times[number(longest) - 1], "the longest");
      written(usual, is.series.usual_ms, "usual");
      const slow = times.filter((time, at) => at > is.series.warm_up_steps && time > 1.4 * is.series.usual_ms);
      assert.ok(number(stalled) <= slow.length && number(stalled) > 0, `${stalled} of ${slow.length}`);
      if (every) assert.ok(number(every) > 1 && number(every) * (number(stalled) - 1) < times.length);
    },
  );
  claim("drift", "The last third of the log is {x} % slower than the first\\.", ([share]) => {
    near(Number(share), is.series.drift_percent, digits[2], "drift");
    assert.ok(Number(share) >= 5);
  });
}

function checkLosses(is, text, claim) {
  const lines = text.split("\n");
  for (const [at, loss] of is.losses.entries()) {
    const line = lines.find((one) => one.startsWith(`cause ${at}: `));
    const [, said, evidence] = /^cause \d+: (sure|likely|possible); (.*)$/.exec(line);
    assert.equal(said, { high: "sure", medium: "likely", low: "possible" }[loss.confidence]);
    const multiple = /\((over )?([\d.,]+)x\)/.exec(evidence);
    if (multiple) {
      near(number(multiple[2]), loss.measured / loss.expected, digits[3], "multiple");
      assert.ok(number(multiple[2]) <= 100);
    }
    if (loss.evidence === "kernels" || loss.evidence === "messages" || loss.evidence === "ranks") {
      const times = [...evidence.matchAll(/([\d.e-]+ (?:ns|µs|ms|s|h|d))\b/g)].map(([time]) => time);
      written(times[0], loss.measured, "measured");
      written(times[1], loss.expected, "expected");
    }
    if (loss.evidence === "messages")
      assert.equal(/: the step waits .* for it;/.test(evidence), loss.cause === "not_overlapped");
    if (loss.evidence === "clocks") assert.match(evidence, /MHz of at most 1,980 MHz/);
  }
  const rest = is.unexplained_ms / is.measured_ms;
  const unexplained = claim(
    "unexplained",
    "unexplained: {time} \\({x} % of the step\\) (is unexplained|less than these)",
    ([time, share, way]) => {
      const rest = is.measured_ms - is.expected_ms - is.losses.reduce((sum, { loss_ms }) => sum + loss_ms, 0);
      written(time, Math.abs(rest), "rest");
      near(Number(share), (100 * Math.abs(rest)) / is.measured_ms, digits[2], "share");
      assert.equal(way === "is unexplained", rest > 0);
    },
  );
  if (is.verdict === "nothing_measured") return;
  assert.equal(unexplained, Math.abs(rest) >= 0.02);
  assert.equal(claim("explained", "Nothing is left unexplained"), Math.abs(rest) < 0.02);
  const fits = claim("would fit", "It would fit (.+)\\.", ([named]) =>
    assert.deepEqual(
      named.split(/, | or /),
      is.consistent_with.map((cause) => causes[cause]),
    ),
  );
  assert.equal(fits, rest >= 0.02 && is.consistent_with.length > 0, "what it would fit");
}

function checkNetworks(engine, request, scenario, text, claim) {
  for (const [at, log] of (request.network_logs ?? []).entries()) {
    const line = text.split("\n").find((one) => one.startsWith(`network ${at}: `));
    const { values } = scenario.inputs("predict_collective");
    const of = (message_size_bytes) =>
      engine.predict_collective({
        ...values,
        collective: log.collective,
        num_gpus: log.num_gpus,
        message_size_bytes,
        allreduce_kernel: "nccl",
      });
    const [collective, gpus] = /(All-reduce|All-gather) on ([\d,]+) GPUs/.exec(line).slice(1);
    assert.equal(collective.toLowerCase().replace("-", "_"), log.collective);
    assert.equal(number(gpus), log.num_gpus);
    const large = log.message_sizes_bytes
      .map((size, index) => [size, log.times_us[index] / of(size).time_us])
      .filter(([size]) => size >= 2 ** 26);
    const middle = large.map(([, ratio]) => ratio).sort((a, b) => a - b);
    const ratio = (middle[Math.floor((middle.length - 1) / 2)] + middle[Math.floor(middle.length / 2)]) / 2;
    const measured = of(2 ** 26).basis === "measured";
    assert.equal(/published runs/.test(line), measured, "published runs of such machines");
    const within = log.message_sizes_bytes.filter((size, index) => {
      const { low_us, high_us } = of(size);
      return log.times_us[index] >= low_us && log.times_us[index] <= high_us;
    }).length;
    const share =
      /is as .* \(([\d.]+) % of the sizes in range\)|large messages are as predicted .* only ([\d.]+) % of all/.exec(
        line,
      );
    if (share) {
      assert.equal(share[1] === undefined, 2 * within < log.times_us.length, "few are in range");
      near(Number(share[1] ?? share[2]), (100 * within) / log.times_us.length, digits[2], "in range");
      assert.ok(ratio > 0.4 && ratio < 2.5, `as expected at ${ratio}`);
    }
    const slow = /large messages take ([\d.]+)x as long/.exec(line);
    if (slow) {
      near(Number(slow[1]), ratio, digits[2], "ratio");
      assert.ok(ratio > 1.1);
    }
    const fast = /is ([\d.]+)x faster/.exec(line);
    if (fast) near(Number(fast[1]), 1 / ratio, digits[2], "faster");
    const suspected = Object.values(suspects).filter((words) => line.includes(words));
    if (suspected.length > 0) assert.ok(!share, "what is as expected has no suspect");
    // The network card is no suspect within a node.
    if (of(2 ** 26).nodes === 1)
      for (const words of [suspects.unit, suspects.one_slow_node, suspects.no_gpudirect])
        assert.ok(!line.includes(words), line);
  }
  claim("a network", "network 0: ");
}

function checkParts(is, text) {
  for (const [at, part] of is.parts.entries()) {
    const line = text.split("\n").find((one) => one.startsWith(`part ${at}: `));
    const shares = [...line.matchAll(/([\d.e-]+) %/g)].map(([, share]) => Number(share));
    const { error_before_percent: before, error_after_percent: after } = part;
    assert.equal(
      /Not offered/.test(line),
      !(after < before && after <= 20) && Math.abs(part.verdict === "as_expected") === 0,
    );
    if (/instead of/.test(line)) {
      near(shares[0], after, digits[2], "after");
      near(shares[1], before, digits[2], "before");
      if (!/Not offered/.test(line)) assert.ok(after < before && after <= 20);
      else assert.ok(after >= before);
    }
    if (/still be off/.test(line)) assert.ok(after < before && after > 20);
    assert.match(line, new RegExp(`[oO]n ${part.unused} (sizes?|products?) that it was not taken from`));
  }
}

/** A run of a drawn job. */
export function diagnose({ engine, scenario, claim, text }) {
  const request = drawnRequest(engine, scenario);
  const is = engine.diagnose(request);
  checkHeadline(is, text, claim);
  checkMeasured(is, request, claim);
  checkLosses(is, text, claim);
  checkNetworks(engine, request, scenario, text, claim);
  checkParts(is, text);
  for (const line of text.split("\n").filter((one) => one.startsWith("missing: ")))
    for (const [words, input] of asked)
      if (words.test(line.slice(9))) assert.ok((request[input] ?? []).length === 0, `${line} was given`);
}
