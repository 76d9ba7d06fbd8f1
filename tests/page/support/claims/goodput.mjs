// What Serve may say where limits hold at a percentile, by plan_serving and serving_load alone.
import assert from "node:assert/strict";
import { digits, ms, nameOf, near, number, rangeOf, serversOf } from "../claims.mjs";

/** Rates are tried down to this share of what a deployment serves without a queue. */
const step = 1 / 128;

/** A deployment as serving_load takes it. */
function servedBy({ values }, row) {
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens } = row;
  const deployment = { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size, step_tokens };
  return { ...values("serving_load"), ...deployment, max_concurrency: 0, rate_follows_steps: true };
}
/** What users see at a rate. */
const underLoad = (given, row) => (requests_per_sec) =>
  given.engine.serving_load({ ...servedBy(given, row), requests_per_sec });

/** "12 ms (10–16 ms) at P50, 40 ms (32–52 ms) at P99" is what was simulated. */
function checkTimes(text, times, percentile, what) {
  const said = [...text.matchAll(/([\d.]+ (?:µs|ms|s)|0) \(([^)]+)\) at P(\d+)/g)];
  assert.deepEqual(
    said.map(([, , , at]) => `p${at}`),
    [...new Set(["p50", percentile, "p99"])],
    what,
  );
  for (const [, time, range, at] of said) {
    near(ms(time), times[`p${at}_ms`], digits[3], `${what} at P${at}`);
    const [low, high] = rangeOf(range).map((us) => us / 1000);
    // As wide as every step's.
    near(low / times[`p${at}_ms`], times.p50_low_ms / times.p50_ms, 0.011, `${what} at P${at}, low`);
    near(high / times[`p${at}_ms`], times.p50_high_ms / times.p50_ms, 0.011, `${what} at P${at}, high`);
  }
}

export function goodput(given) {
  const { engine, scenario, values, claim, text } = given;
  const limits = { token: scenario.number("most_token_ms"), first_token: scenario.number("most_first_token_ms") };
  const percentile = scenario.text("latency_percentile");
  const at = percentile.toUpperCase();
  const inTime = (load) =>
    load.keeps_up &&
    ["token", "first_token"].every((of) => limits[of] <= 0 || load[of][`${percentile}_ms`] <= limits[of]);
  const asked = values("plan_serving");
  const prefix = scenario.number("prefix_hit_percent");
  assert.equal(prefix, 0, "capacity as plan_serving has it");
  // A row runs no more sequences at once than without a queue, as its cells say.
  const deployments = engine.plan_serving(asked).deployments.map((row) => {
    const index = new RegExp(`^row (\\d+), ${nameOf(row).replace("+", "\\+")}:`, "m").exec(text)[1];
    const [, batch, tokens] = new RegExp(`^cells ${index}: .*?batch ([\\d,]+); tokens/step ([\\d,]+);`, "m").exec(text);
    assert.ok(number(batch) <= row.batch_size && number(batch) % row.pipeline_parallel === 0, nameOf(row));
    return { ...row, batch_size: number(batch), step_tokens: number(tokens) };
  });
  const capacity = new Map(deployments.map((row) => [nameOf(row), row]));

  let most = 0;
  const led = claim(
    "served at a percentile",
    `Serve it as (.+?), (?:one sequence|{n} sequences) at once(?: each| per DP group)?:\\s+{x} requests/s,\\s+{x} tokens/s/GPU(?:, with (?:${at} TPOT within {time})?(?: and )?(?:${at} TTFT within {time})?)?\\.`,
    ([name, batch, rate, tokens, token, first]) => {
      const row = deployments.find((one) => serversOf(one) === name);
      assert.equal(batch === undefined ? 1 : number(batch), row.batch_size);
      if (limits.token > 0) near(ms(token), limits.token, digits[3], "limit of TPOT");
      if (limits.first_token > 0) near(ms(first), limits.first_token, digits[3], "limit of TTFT");
      const load = underLoad(given, row);
      const rateOf = (part) => part * step * row.requests_per_sec;
      // Displayed rates have three digits, the tried rate all of them: the highest in time among those it may be.
      const part = Array.from({ length: 128 }, (_, index) => 128 - index).find(
        (one) => rateOf(one).toPrecision(3) === number(rate).toPrecision(3) && inTime(load(rateOf(one))),
      );
      assert.ok(part, "a rate that is tried, and in time");
      most = rateOf(part);
      if (part < 128) assert.ok(!inTime(load(rateOf(part + 1))), "and no longer above it");
      near(
        number(tokens),
        (most * scenario.number("output_tokens")) / scenario.number("serving_gpus"),
        digits[3],
        "tokens",
      );
      claim("tokens per step", "At most {n} tokens per step\\.", ([tokens]) =>
        assert.equal(number(tokens), row.step_tokens),
      );
      // Its neighbours keep no higher rate.
      for (const step_tokens of [row.step_tokens / 2, row.step_tokens * 2])
        if (part < 128 && step_tokens >= 512 && step_tokens <= 16384)
          assert.ok(
            !inTime(underLoad(given, { ...row, step_tokens })(rateOf(part + 1))),
            `${step_tokens} tokens per step serve more`,
          );
      const told = load(most);
      claim("its TTFT", "At this rate: TTFT (.*?)(?:; TPOT|\\.\\s)", ([says]) =>
        checkTimes(says, told.first_token, percentile, "TTFT"),
      );
      claim("its TPOT", "At this rate: .*?; TPOT (.*?)\\.\\s", ([says]) =>
        checkTimes(says, told.token, percentile, "TPOT"),
      );
    },
  );
  const none = claim(
    "no deployment at a percentile",
    "No deployment on (?:one GPU|{n} GPUs) (fits|has)",
    ([, verb]) => {
      const memory = deployments.every(({ verdict }) => verdict === "does_not_fit");
      assert.equal(verb === "fits", memory);
    },
  );
  assert.ok(led !== none, "an answer, or none");
  claim(
    "closest at a percentile",
    `(TP [^.]+?) comes closest: ${at} (TPOT|TTFT) {time} at the lowest rate tried, {time} allowed`,
    ([name, of, time, allowed]) => {
      const row = capacity.get(name);
      const key = of === "TPOT" ? "token" : "first_token";
      near(ms(time), underLoad(given, row)(step * row.requests_per_sec)[key][`${percentile}_ms`], digits[3], of);
      near(ms(allowed), limits[key], digits[3], "allowed");
      assert.ok(ms(time) >= limits[key] * 0.995, "it is late");
    },
  );
  assert.equal(/simulated\. TPOT is the mean/.test(text), led, "how requests come");

  // So many servers keep the limits at the rate, each as its row, and no row's of fewer GPUs would.
  const own = scenario.number("requests_per_sec");
  const keeps = (row, replicas) =>
    inTime(engine.serving_load({ ...servedBy(given, row), replicas, requests_per_sec: own }));
  const gpusOf = ({ tensor_parallel: tp, pipeline_parallel: pp, data_parallel: dp }) => tp * pp * dp;
  const needed = claim(
    "GPUs for a rate, under load",
    "Your {x} requests/s need (one|{n}) GPUs?, as (?:{n} × )?(TP .+?)(?: \\((?:one|{n}) GPUs? if every step takes as long as its range allows\\))?\\.",
    ([asked, one, count, replicas, name, high]) => {
      near(number(asked), own, digits[3], "rate");
      const row = capacity.get(name);
      const servers = replicas === undefined ? 1 : number(replicas);
      assert.equal(one === "one" ? 1 : number(count), servers * gpusOf(row));
      assert.ok(keeps(row, servers), "they keep the limits");
      assert.ok(
        (servers * row.requests_per_sec) / row.replicas >= own * (1 - 1e-9),
        "without a queue they have the rate",
      );
      // Two hundred requests may arrive before a queue shows: no more than without one.
      const reach = (one, count) => (count * one.requests_per_sec) / one.replicas >= own;
      if (servers > 1 && servers <= 128 && reach(row, servers - 1))
        assert.ok(!keeps(row, servers - 1), "one fewer does not");
      const { p50_ms, p50_high_ms } = underLoad(given, row)(own).first_token;
      const slow = Math.ceil((servers * p50_high_ms) / p50_ms - 1e-9) * gpusOf(row);
      assert.equal(high === undefined ? servers * gpusOf(row) : number(high), slow, "with longer steps");
      for (const other of deployments.filter(({ verdict }) => ["best", "tie", "less_throughput"].includes(verdict))) {
        const fewer = Math.ceil((servers * gpusOf(row)) / gpusOf(other)) - 1;
        if (fewer > 0 && fewer <= 128 && reach(other, fewer))
          assert.ok(!keeps(other, fewer), `${fewer} × ${nameOf(other)} would do`);
      }
    },
  );
  assert.equal(Boolean(needed), Boolean(led) && own > 0, "GPUs for a rate");

  for (const [, index, name, why] of text.matchAll(/^row (\d+), (TP [^:]+): (.*)$/gm)) {
    const row = capacity.get(name);
    const load = underLoad(given, row);
    const named = `row ${index}: ${name}`;
    const [, cells] = new RegExp(`^cells ${index}: (.*)$`, "m").exec(text);
    const [, served] = / requests\/s ([\d.,]+)/.exec(cells) ?? [];
    if (served !== undefined) {
      assert.ok(number(served) <= most * 1.0051, `${named}: the best is first`);
      assert.ok(number(served) <= row.requests_per_sec * 1.0051, `${named}: no more than without a queue`);
    }
    const [, bound] = /not simulated: at most ([\d.,]+) requests\/s/.exec(why) ?? [];
    if (bound !== undefined) {
      near(number(bound), row.requests_per_sec, digits[3], named);
      assert.ok(1.09 * row.requests_per_sec < most, `${named} could tie`);
      assert.equal(served, undefined);
    }
    const [, behind] = /^([\d.e-]+) % fewer requests/.exec(why) ?? [];
    if (behind !== undefined) assert.ok(Math.abs(Number(behind) / 100 - 1 + number(served) / most) < 0.01, named);
    if (/^within error/.test(why)) assert.ok(1.09 * 1.01 * number(served) >= most, `${named} is no tie`);
    if (/even at the lowest rate tried/.test(why)) {
      const key = / TPOT /.test(why) ? "token" : "first_token";
      assert.ok(load(step * row.requests_per_sec)[key][`${percentile}_ms`] > limits[key], named);
    }
    if (why === "the answer") assert.equal(index, "0");
  }
}
