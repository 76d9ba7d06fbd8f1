// What Serve may say of deployments, of their load and of one step, by the engine's tables alone.
import assert from "node:assert/strict";
import { bytesOf, digits, ms, nameOf, near, number, rangeOf, restsOn, serversOf, timeOf } from "../claims.mjs";
import { checkRanges, kernelNames } from "./roofline.mjs";
import { measuredLoads, ratesOf, served } from "../told.mjs";

/** Parts of a server's step as sentences call them. */
const servedParts = {
  "reading weights": "weights_ms",
  "reading the cache": "cache_ms",
  compute: "compute_ms",
  "kernel starts": "kernels_ms",
  "all-reduces": "exposed_tensor_ms",
  "tokens to experts": "exposed_expert_ms",
  "PP send/recv": "exposed_pipeline_ms",
  host: "launch_ms",
};

const meets = ({ verdict }) => ["best", "tie", "less_throughput"].includes(verdict);
const band = (text, low, high, what) => {
  const [from, to] = rangeOf(text);
  near(from / 1000, low, digits[3], `${what}, low`);
  near(to / 1000, high, digits[3], `${what}, high`);
};

/** The best of a plan is what no other row beats, and meets what was asked. */
function checkBest(plan, most, first) {
  const [best] = plan.deployments;
  for (const row of plan.deployments) {
    const intime = (most <= 0 || row.token_ms <= most) && (first <= 0 || row.first_token_ms <= first);
    if (meets(row)) assert.ok(intime, `${nameOf(row)} is not in time`);
    if (meets(row)) assert.ok(row.requests_per_sec <= best.requests_per_sec * (1 + 1e-9), nameOf(row));
  }
}

/** Fewer tokens of a step serve less, more serve no more. */
function checkStepTokens({ engine, scenario, values, claim }, best) {
  const said = claim("tokens per step", "At most {n} tokens per step\\.", ([tokens]) => {
    assert.equal(number(tokens), best.step_tokens);
    if (scenario.text("step_tokens") !== "") return assert.equal(best.step_tokens, scenario.number("step_tokens"));
    const served = (step_tokens) =>
      engine
        .plan_serving({ ...values("plan_serving"), step_tokens })
        .deployments.find((row) => nameOf(row) === nameOf(best));
    if (best.step_tokens > 512) {
      const fewer = served(best.step_tokens / 2);
      assert.ok(!meets(fewer) || fewer.requests_per_sec < best.requests_per_sec, "half as many serve as much");
    }
    assert.ok(served(16384).requests_per_sec <= best.requests_per_sec * (1 + 1e-9), "more serve more");
  });
  assert.ok(said, "tokens per step");
}

function checkAnswer({ engine, scenario, values, claim }, plan) {
  const most = scenario.number("most_token_ms");
  const first = scenario.number("most_first_token_ms");
  const [best] = plan.deployments;
  const limits = ([token, ttft]) => {
    if (token !== undefined) near(ms(token), most, digits[3], "limit of TPOT");
    if (ttft !== undefined) near(ms(ttft), first, digits[3], "limit of TTFT");
  };
  const none = claim("no deployment", "No deployment on (?:one GPU|{n} GPUs) (fits|has)", ([gpus, verb]) => {
    assert.equal(gpus === undefined ? 1 : number(gpus), scenario.number("serving_gpus"));
    const memory = plan.deployments.every(({ verdict }) => verdict === "does_not_fit");
    if (memory) assert.equal(verb, "fits");
    else assert.ok(verb === "has", "some fit");
  });
  assert.equal(none, !plan.found);
  const fits = plan.deployments.some(({ verdict }) => verdict !== "does_not_fit");
  claim("nothing in time", "No deployment meets your limit for TTFT", () =>
    assert.ok(fits && plan.frontier.length === 0),
  );
  claim("nothing fits", "No deployment fits\\.", () => assert.ok(!fits));
  claim("on the line", "Without a queue, no batch tried beats this line", () => {
    const late = ["does_not_fit", "first_token_too_slow"];
    for (const one of plan.deployments.filter(({ verdict }) => !late.includes(verdict)))
      assert.ok(
        plan.frontier.some(
          (point) =>
            point.tokens_per_sec_per_user >= one.tokens_per_sec_per_user * (1 - 1e-9) &&
            point.output_tokens_per_sec_per_gpu >= one.output_tokens_per_sec_per_gpu * (1 - 1e-9),
        ),
        `TP ${one.tensor_parallel} × PP ${one.pipeline_parallel} lies beyond the line`,
      );
  });
  claim(
    "comes closest",
    "(TP [^ ]+(?: [×+] [DEP]P \\d+)*) comes closest: {time} per token with one sequence, {time} allowed",
    ([name, at, allowed]) => {
      const late = plan.deployments.filter(({ verdict }) => verdict === "token_too_slow");
      near(ms(at), Math.min(...late.map(({ token_ms }) => token_ms)), digits[3], "closest");
      near(ms(allowed), most, digits[3], "allowed");
      assert.ok(late.some((row) => nameOf(row) === name));
    },
  );
  claim(
    "needs least memory",
    "(TP [^ ]+(?: [×+] [DEP]P \\d+)*) needs least memory: {x} GiB on each GPU",
    ([name, gib]) => {
      near(Number(gib), Math.min(...plan.deployments.map(({ memory_gib }) => memory_gib)), digits[3], "memory");
      assert.ok(
        plan.deployments.every(({ verdict }) => !meets({ verdict })),
        name,
      );
    },
  );
  if (!plan.found) return;
  checkBest(plan, most, first);
  const led = claim(
    "serve it as",
    "Serve it as (.+?), (one sequence|{n} sequences) at once( each| per DP group)?:\\s+{x} requests/s,\\s+{x} tokens/s/GPU(?:, with (?:TPOT within {time})?(?: and )?(?:TTFT within {time})?)?\\.",
    ([name, , batch, each, rate, tokens, token, ttft]) => {
      assert.equal(name, serversOf(best));
      assert.equal(batch === undefined ? 1 : number(batch), best.batch_size);
      const ranks = best.data_parallel > 1;
      assert.equal(each, ranks ? " per DP group" : best.replicas > 1 ? " each" : undefined);
      near(number(rate), best.requests_per_sec, digits[3], "requests/s");
      near(number(tokens), best.output_tokens_per_sec_per_gpu, digits[3], "tokens/s/GPU");
      limits([token, ttft]);
    },
  );
  assert.ok(led, "an answer");
  const timed = claim(
    "latency of the answer",
    "TPOT {time} \\({range}, ([a-z ]+)\\), TTFT {time} for a prompt alone \\({range}\\)",
    ([token, tokens, rests, ttft, ttfts]) => {
      near(ms(token), best.token_ms, digits[3], "TPOT");
      band(tokens, best.token_low_ms, best.token_high_ms, "TPOT");
      assert.equal(rests, restsOn[best.basis]);
      near(ms(ttft), best.first_token_ms, digits[3], "TTFT");
      band(ttfts, best.first_token_low_ms, best.first_token_high_ms, "TTFT");
    },
  );
  assert.ok(timed, "its latency");
  checkStepTokens({ engine, scenario, values, claim }, best);
  const own = scenario.number("requests_per_sec");
  const gpusOf = ({ tensor_parallel: tp, pipeline_parallel: pp, data_parallel: dp }) => tp * pp * dp;
  // In a steady state, capacity is proportional to the number of servers.
  const serversFor = (row, longer = 1) =>
    Math.max(1, Math.ceil(((own * row.replicas) / row.requests_per_sec) * longer - 1e-9));
  const needed = claim(
    "GPUs for a rate",
    "Your {x} requests/s need at least (?:one GPU|{n} GPUs), as (?:{n} × )?(TP .+?)(?: \\({n} GPUs if every step takes as long as its range allows\\))?\\.",
    ([asked, gpus, replicas, name, high]) => {
      near(number(asked), own, digits[3], "rate");
      const row = plan.deployments.find((one) => nameOf(one) === name);
      const servers = replicas === undefined ? 1 : number(replicas);
      assert.equal(servers, serversFor(row));
      const said = gpus === undefined ? 1 : number(gpus);
      assert.equal(said, servers * gpusOf(row));
      const longer = Math.max(servers, serversFor(row, row.token_high_ms / row.token_ms)) * gpusOf(row);
      assert.equal(high === undefined ? said : number(high), longer, "with longer steps");
      for (const other of plan.deployments.filter(meets))
        assert.ok(serversFor(other) * gpusOf(other) >= said, `${nameOf(other)} takes fewer`);
    },
  );
  assert.equal(needed, own > 0, "GPUs for a rate");
  const cluster = best.replicas * gpusOf(best) + best.idle_gpus;
  const started = claim(
    "servers of a launch",
    "Your {x} requests/s need (?:one server|{n} servers)(?:; your GPUs hold {n}, which this starts|: this starts (?:it|them)(?:, and leaves (?:(one) GPU|{n} GPUs) free)?)\\.",
    ([asked, servers, held, oneFree, free]) => {
      near(number(asked), own, digits[3], "rate");
      const needs = servers === undefined ? 1 : number(servers);
      assert.equal(needs, serversFor(best));
      assert.equal(held === undefined ? needs <= best.replicas : number(held), held === undefined || best.replicas);
      const left = oneFree ? 1 : free === undefined ? 0 : number(free);
      if (held === undefined) assert.equal(left, cluster - needs * gpusOf(best), "free");
    },
  );
  assert.equal(started, own > 0, "servers of a launch");
  const price = claim("price", "{x} per million output tokens at your price", ([said]) =>
    near(
      number(said),
      (scenario.number("price_per_gpu_hour") * 1e6) / (best.output_tokens_per_sec_per_gpu * 3600),
      digits[3],
      "price",
    ),
  );
  assert.equal(price, scenario.number("price_per_gpu_hour") > 0);
  assert.equal(claim("rules not checked", "\\(whose rules weren’t checked\\)"), !plan.stack_checked);
  claim("assumed lengths", "{n} tokens in and {n} out", ([input, output]) => {
    assert.equal(number(input), scenario.number("prompt_tokens"));
    assert.equal(number(output), scenario.number("output_tokens"));
  });
  const ties = plan.deployments.filter(({ verdict }) => verdict === "tie");
  const named = claim("ties", "Within error: ([^.]+?)(?: and {n} more)?\\.", ([names, more]) => {
    for (const name of names.split("; "))
      assert.ok(
        ties.some((row) => serversOf(row) === name),
        name,
      );
    assert.equal(names.split("; ").length + (more === undefined ? 0 : number(more)), ties.length);
  });
  assert.equal(named, ties.length > 0);
  for (const [index, row] of plan.deployments.entries()) {
    const behind = 100 * (1 - row.requests_per_sec / best.requests_per_sec);
    const less = claim(`row ${index}: behind`, `row ${index}: {x} % fewer requests`, ([said]) => {
      near(Number(said), behind, digits[2], "behind");
    });
    assert.equal(less, row.verdict === "less_throughput");
    const tie = claim(
      `row ${index}: tie`,
      `row ${index}: within error: (?:{x} % fewer requests|as many requests)`,
      ([said]) => {
        if (said === undefined) assert.ok(behind < 0.5, `${behind} % behind`);
        else near(Number(said), behind, digits[1], "behind");
      },
    );
    assert.equal(tie, row.verdict === "tie");
    const late = claim(`row ${index}: late`, `row ${index}: TPOT over {time} even with one sequence`, () =>
      assert.ok(row.token_ms > most && row.batch_size <= row.pipeline_parallel),
    );
    assert.equal(late, row.verdict === "token_too_slow");
    const slow = claim(`row ${index}: first`, `row ${index}: TTFT over {time}`, () =>
      assert.ok(row.first_token_ms > first),
    );
    assert.equal(slow, row.verdict === "first_token_too_slow");
    const unfit = claim(`row ${index}: memory`, `row ${index}: doesn’t fit`);
    assert.equal(unfit, row.verdict === "does_not_fit");
  }
}

/**
 * The step of the answer, for the sequences on one stage half way through their output; and what its TPOT includes
 * besides.
 */
function checkStepOfAnswer({ engine, scenario, values, claim }, [best]) {
  const { tensor_parallel, pipeline_parallel: stages, data_parallel, expert_parallel, batch_size: all } = best;
  const { expert_tensor_parallel, step_tokens } = best;
  const groups = { data_parallel, expert_parallel, expert_tensor_parallel };
  const step = engine.serving_step({
    ...values("serving_step"),
    ...{ tensor_parallel, pipeline_parallel: stages, batch_size: all / stages, step_tokens },
    ...(scenario.number("num_experts") > 1 ? groups : {}),
    sequence_length: scenario.number("prompt_tokens") + Math.floor(scenario.number("output_tokens") / 2),
  });
  const prompts = best.token_ms - step.step_time_ms;
  assert.ok(prompts > -1e-6 * best.token_ms, "a token of the answer takes its step");
  assert.ok(step.fits && step.memory_gib <= best.memory_gib, "and its memory");
  const named = claim(
    "step of the answer",
    "This is the step of the answer, (TP [^,]+), (?:one sequence|(?:{n} of its )?{n} sequences(?: on each stage)?)\\.",
    ([name, part, whole]) => {
      assert.equal(name, nameOf(best));
      assert.equal(whole === undefined ? 1 : number(whole), all);
      assert.equal(part === undefined ? all : number(part), all / stages);
    },
  );
  assert.ok(named, "the step of the answer");
  const split = claim("prompts between tokens", "Of its TPOT of {time}, {time} goes into prompts", ([token, rest]) => {
    near(ms(token), best.token_ms, digits[3], "TPOT");
    near(ms(rest), prompts, digits[3], "prompts");
  });
  assert.equal(split, prompts >= 0.01 * best.token_ms);
}

/** The step that is shown: its typed inputs; for the rest the answer's, or degrees of 1 next to a typed one. */
function shownInputs({ scenario, values }, plan) {
  const typed = values("serving_step");
  const experts = scenario.number("num_experts") > 1;
  const degrees = [
    "tensor_parallel",
    "pipeline_parallel",
    "data_parallel",
    "expert_parallel",
    "expert_tensor_parallel",
  ];
  const said = degrees.some((name) => typed[name] !== undefined && (experts || !/data|expert/.test(name)));
  const heads = scenario.number("num_heads");
  const half = scenario.number("prompt_tokens") + Math.floor(scenario.number("output_tokens") / 2);
  const best = plan.found ? plan.deployments[0] : undefined;
  const stages = best?.pipeline_parallel ?? 1;
  const tensor_parallel = best?.tensor_parallel ?? [8, 4, 2].find((degree) => heads % degree === 0) ?? 1;
  // Experts over more GPUs than the tensor ranks are over groups of these; each is shared by what is left.
  const [tensor, spread] = [typed.tensor_parallel ?? tensor_parallel, typed.expert_parallel ?? 1];
  const data_parallel = Math.max(1, Math.floor(spread / tensor));
  const usual = best ?? { data_parallel: 1, expert_parallel: 1, expert_tensor_parallel: tensor_parallel };
  return {
    tensor_parallel,
    batch_size: best ? best.batch_size / stages : 8,
    sequence_length: half,
    ...(best && { step_tokens: best.step_tokens }),
    ...(said
      ? experts && { data_parallel, expert_tensor_parallel: Math.floor((tensor * data_parallel) / spread) }
      : {
          pipeline_parallel: stages,
          ...(experts && {
            data_parallel: usual.data_parallel,
            expert_parallel: usual.expert_parallel,
            expert_tensor_parallel: usual.expert_tensor_parallel,
          }),
        }),
    ...typed,
  };
}

/** Of inputs those that a calculation takes. */
const withFieldsOf = (engine, calculation, inputs) =>
  Object.fromEntries(
    engine.describe()[calculation].inputs.flatMap(({ name }) => (name in inputs ? [[name, inputs[name]]] : [])),
  );

/** A layer in decode: its time, and what limits which kernel. */
function checkRoofline(roofline, claim) {
  const layer = claim("layer in decode", "One layer of a decode step takes {time} without its messages", ([time]) =>
    near(timeOf(time), roofline.forward_us, digits[3], "layer"),
  );
  assert.ok(layer, "a layer in decode");
  const words = { memory: "[Mm]emory limits", compute: "[Tt]he matrix units limit", start: "[Ss]tart-up limits" };
  for (const [limit, said] of Object.entries(words)) {
    const limited = roofline.kernels.filter((one) => one.flops > 0 && one.limit === limit);
    const told = claim(`limit ${limit}`, `${said} ([^;.]+)[;.]`, ([names]) =>
      assert.deepEqual(
        names.split(", "),
        limited.map(({ kernel }) => kernelNames[kernel]),
      ),
    );
    assert.equal(told, limited.length > 0, limit);
  }
  checkRanges(roofline, claim);
}

function checkStep({ engine, scenario, values, claim }, plan) {
  const inputs = shownInputs({ scenario, values }, plan);
  const step = engine.serving_step(inputs);
  const led = claim(
    "a token",
    "A token takes about\\s+{time}\\s+\\({range}, ([a-z ]+ runs)\\) for (?:one sequence|each of {n} sequences) at TP {n}:\\s+{x} tokens/s for a user,\\s+{x} tokens/s/GPU",
    ([token, tokens, rests, batch, ranks, user, gpu]) => {
      near(ms(token), step.step_time_ms, digits[3], "a token");
      assert.equal(rests, restsOn[step.basis]);
      band(tokens, step.step_time_low_ms, step.step_time_high_ms, "a token");
      assert.equal(batch === undefined ? 1 : number(batch), inputs.batch_size);
      assert.equal(number(ranks), inputs.tensor_parallel);
      near(number(user), step.tokens_per_sec_per_user, digits[3], "for a user");
      near(number(gpu), step.tokens_per_sec_per_gpu, digits[3], "of a GPU");
    },
  );
  assert.ok(led, "a step");
  checkRoofline(
    engine.serving_roofline(withFieldsOf(engine, "serving_roofline", { ...values("serving_roofline"), ...inputs })),
    claim,
  );
  const unfit = claim("step does not fit", "tokens/s/GPU\\. It does not fit", () => assert.equal(step.fits, false));
  assert.equal(unfit, !step.fits);
  assert.equal(claim("step against the rules", "tokens/s/GPU\\..*? Not in .+?\\."), step.stack_rule !== "");
  const first = claim("first token", "comes after about\\s+{time} \\({range}\\)", ([first, firsts]) => {
    near(ms(first), step.first_token_ms, digits[3], "first token");
    band(firsts, step.first_token_low_ms, step.first_token_high_ms, "first token");
  });
  assert.ok(first, "its first token");
  const trusted = claim(
    "trust",
    "(No run of .+? was measured\\. )?Against measured runs \\((?:{n} of [^,]+? on (?!other GPUs)[^,)]+)?(?:, )?(?:{n} of [^,]+? on other GPUs)?(?:, )?(?:{n} of other stacks)?\\), such predictions are off by {x} %",
    ([none, own, others, foreign, error]) => {
      const of = (count) => (count === undefined ? 0 : number(count));
      assert.equal(of(own), step.own_runs);
      assert.equal(of(own) + of(others), step.stack_runs);
      assert.equal(of(own) + of(others) + of(foreign), step.measured_runs);
      assert.equal(none !== undefined, step.own_runs === 0);
      near(Number(error), step.measured_error_percent, digits[2], "error");
    },
  );
  assert.equal(trusted, step.measured_runs > 0, "how well that is known");
  const kernels = { NCCL: "nccl", "one-shot": "one_shot", "two-shot": "two_shot", NVLS: "nvls" };
  const time = ({ start_us, transfer_us }) => start_us + transfer_us;
  claim(
    "why this kernel",
    "A layer’s all-reduce is {bytes} and runs by ([\\w-]+): .*? {x} % of its time are barriers",
    ([size, kernel, share]) => {
      near(bytesOf(size), step.allreduce_bytes, digits[3], "size");
      assert.equal(kernels[kernel], step.allreduce_kernel);
      const own = step.allreduce_kernels.find((row) => row.kernel === step.allreduce_kernel);
      near(Number(share), (100 * own.start_us) / time(own), digits[2], "barriers");
    },
  );
  claim("quickest would be", "Fastest would be ([\\w-]+): {time}", ([kernel, at]) => {
    const quickest = Math.min(...step.allreduce_kernels.map(time));
    assert.notEqual(kernels[kernel], step.allreduce_kernel);
    near(timeOf(at), quickest, digits[3], "quickest");
  });
  claim("the stack takes", "The stack takes ([\\w-]+): {time}", ([kernel, at]) => {
    assert.equal(kernels[kernel], step.allreduce_kernel);
    near(timeOf(at), step.allreduce_us, digits[3], "all-reduce");
  });
  checkApart({ engine, inputs, claim, kernels }, step, plan);
  checkDegrees({ engine, inputs, claim });
}

/**
 * A token on these degrees, compared with as many GPUs without stages if the model allows that, otherwise with half the
 * tensor ranks.
 */
function checkApart({ engine, inputs, claim, kernels }, step, plan) {
  const { tensor_parallel: ranks, pipeline_parallel: stages = 1 } = inputs;
  const tried = [
    ...(stages > 1 ? [{ ...inputs, tensor_parallel: ranks * stages, pipeline_parallel: 1 }] : []),
    ...(ranks > 1 ? [{ ...inputs, tensor_parallel: ranks / 2 }] : []),
  ];
  const step_of = (one) => {
    try {
      return engine.serving_step(one);
    } catch {
      return undefined;
    }
  };
  const half = tried.find(step_of) ?? inputs;
  const other = half === inputs ? undefined : step_of(half);
  const names = [inputs, half].map((one) =>
    nameOf({ pipeline_parallel: 1, data_parallel: 1, expert_parallel: 1, ...one }),
  );
  const by = other ? step.step_time_ms - other.step_time_ms : 0;
  claim(
    "apart",
    "A token takes {time} (longer|less) at (TP \\S+(?: [×+] [DEP]P \\d+)*) than at (TP \\d+(?: [×+] [DEP]P \\d+)*)",
    ([at, way, one, two]) => {
      near(ms(at), Math.abs(by), digits[3], "apart");
      assert.equal(way === "longer", by > 0);
      assert.deepEqual([one, two], names);
    },
  );
  for (const [name, key] of Object.entries(servedParts))
    claim(`apart: ${name}`, `than at TP [^.:]*(?::|:.*?,) ${name} {time} (more|less)`, ([at, way]) => {
      const part = step.parts[key] - other.parts[key];
      near(ms(at), Math.abs(part), digits[3], name);
      assert.equal(way === "more", part > 0);
    });
  for (const [index, found] of [step, other].entries())
    claim(
      `summing ${index}`,
      `${names[index]}: {n} all-reduces of {bytes} by ([\\w-]+), {time} each`,
      ([calls, size, kernel, at]) => {
        assert.equal(number(calls), found.allreduce_calls);
        near(bytesOf(size), found.allreduce_bytes, digits[3], "size");
        assert.equal(kernels[kernel], found.allreduce_kernel);
        const rows = found.messages.filter(
          (row) => row.phase === "decode" && row.dimension === "tensor" && row.collective === "all_reduce",
        );
        const [time, times] = ["time_us", "calls"].map((name) => rows.reduce((all, row) => all + row[name], 0));
        near(timeOf(at), time / times, digits[3], "each");
      },
    );
  const rowOf = (name) => plan.deployments.find((row) => nameOf(row) === name);
  claim(
    "on all GPUs",
    "On all GPUs, (.+?) serves {x} requests/s; (.+?) serves {x} requests/s",
    ([one, rate, two, rate2]) => {
      near(Number(rate.replaceAll(",", "")), rowOf(one).requests_per_sec, digits[3], one);
      near(Number(rate2.replaceAll(",", "")), rowOf(two).requests_per_sec, digits[3], two);
      assert.deepEqual([one, two], names);
    },
  );
}

/** Time per output token, by TP. */
function checkDegrees({ engine, inputs, claim }) {
  const at = (tensor_parallel) => {
    try {
      return engine.serving_step({ ...inputs, tensor_parallel });
    } catch {
      return undefined;
    }
  };
  const times = (ranks) => at(ranks)?.step_time_ms;
  const more = (ranks) => [1, 2, 4, 8, 16].filter((other) => other > ranks && times(other));
  const all = more(0);
  const share = (ranks, key) => at(ranks).parts[key] / at(ranks).step_time_ms;
  const ends = "From TP {n} to TP {n} ";
  claim("reads fewer weights", `${ends}each GPU reads {x} times fewer bytes of weights`, ([one, other, less]) => {
    assert.deepEqual([one, other].map(number), [all[0], all.at(-1)]);
    near(Number(less), at(all[0]).weight_bytes_read / at(all.at(-1)).weight_bytes_read, digits[2], "fewer");
  });
  claim(
    "grows most",
    `${ends}(?:each .+?, and )?the share of ([\\w /-]+) grows from {n} % to {n} %`,
    ([one, other, name, from, to]) => {
      const [first, last] = [one, other].map(number);
      const grown = (key) => share(last, key) - share(first, key);
      const key = servedParts[name];
      assert.ok(Math.abs(number(from) - 100 * share(first, key)) <= 0.51, name);
      assert.ok(Math.abs(number(to) - 100 * share(last, key)) <= 0.51, name);
      for (const part of Object.values(servedParts)) assert.ok(grown(part) <= grown(key) + 1e-12, part);
    },
  );
  const half = claim("a third", "; beyond TP {n}, doubling the GPUs brings less than a third", ([last]) => {
    const next = more(number(last))[0];
    const doublings = Math.log2(next / number(last));
    assert.ok(times(number(last)) / times(next) < (4 / 3) ** doublings * (1 + 1e-9), `TP ${last}`);
  });
  assert.ok(!half || all.length > 1);
  const gain = "(?:{x} times as fast as|{x} % sooner than) at TP {n}";
  const gained = (best, as, percent, from) => {
    const faster = times(number(from)) / times(best);
    if (as !== undefined) near(Number(as), faster, digits[2], "times");
    if (percent !== undefined) near(Number(percent), 100 * (1 - 1 / faster), digits[2], "% sooner");
  };
  claim("quickest degree", `At TP {n} a token comes fastest(?:, ${gain})?`, ([words, as, percent, from]) => {
    const best = number(words);
    for (const ranks of more(best)) assert.ok(times(best) <= times(ranks) * (1 + 1e-9), `TP ${ranks}`);
    if (from === undefined) return;
    gained(best, as, percent, from);
    for (const ranks of more(number(from) - 1).filter((other) => other < best))
      assert.ok(times(ranks) > times(best) * 1.01, `TP ${ranks}`);
  });
  const nearly = (best, quickest) => {
    assert.ok(times(quickest) < times(best) && times(quickest) * 1.01 >= times(best) * (1 - 1e-9), `TP ${best}`);
    for (const ranks of more(best)) assert.ok(times(quickest) <= times(ranks), `TP ${ranks}`);
  };
  claim(
    "a degree nearly as quick",
    `At TP {n} a token comes ${gain}; TP {n} brings less than 1 % more`,
    ([best, as, percent, from, quickest]) => {
      gained(number(best), as, percent, from);
      nearly(number(best), number(quickest));
    },
  );
  claim("more ranks for nothing", "TP {n} brings less than 1 % over TP {n}", ([quickest, best]) =>
    nearly(number(best), number(quickest)),
  );
}

function checkLoad({ engine, scenario, values, claim, text }, plan) {
  const [best] = plan.deployments;
  const { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size } = best;
  const deployment = { tensor_parallel, pipeline_parallel, expert_parallel, replicas, batch_size };
  const { step_tokens } = best;
  const inputs = { ...values("serving_load"), ...deployment, step_tokens, requests: served.requests };
  const own = scenario.number("requests_per_sec");
  // Where no rate is asked for, most of what the answer serves.
  const rate = own > 0 ? own : Number((0.8 * best.requests_per_sec).toPrecision(3));
  const found = engine.serving_load({
    ...inputs,
    requests_per_sec: rate,
    max_concurrency: 0,
    rate_follows_steps: !(own > 0),
  });
  const times = "{time} \\((?:{range}|{time} or more)\\) at P50, {time} \\((?:{range}|{time} or more)\\) at P99";
  const check = (name, of, [middle, middles, least, far, fars, leastFar], surely) => {
    near(ms(middle), of.p50_ms, digits[3], `${name} at P50`);
    ranged([middles, least], of.p50_low_ms, of.p50_high_ms, surely, `${name} at P50`);
    near(ms(far), of.p99_ms, digits[3], `${name} at P99`);
    ranged([fars, leastFar], of.p99_low_ms, of.p99_high_ms, surely, `${name} at P99`);
  };
  const grows = claim(
    "cannot keep up",
    "percentiles: It can’t keep up with (?:your {x} requests/s|{x} requests/s, 80 % of what it serves): ",
    ([asked, most]) => {
      near(number(asked ?? most), rate, digits[3], "rate");
      assert.equal(asked !== undefined, own > 0);
      assert.equal(found.keeps_up, false);
    },
  );
  const told = claim(
    "percentiles of TTFT",
    `percentiles: At (?:your {x} requests/s|{x} requests/s, 80 % of what it serves): TTFT ${times}`,
    ([asked, most, ...ttft]) => {
      near(number(asked ?? most), rate, digits[3], "rate");
      assert.equal(asked !== undefined, own > 0);
      check("TTFT", found.first_token, ttft, found.surely_keeps_up);
    },
  );
  assert.ok(grows !== told, "percentiles, or that the queue grows");
  claim("percentiles of TPOT", `percentiles: [^\\n]*; TPOT ${times}`, (tpot) => check("TPOT", found.token, tpot, true));
  const left = claim(
    "still waiting",
    "percentiles: [^\\n]*?(?:: |\\. ){x} % of the requests still wait when the last one arrives\\.",
    ([share]) => {
      near(Number(share), found.left_waiting_percent, digits[2], "still waiting");
      assert.equal(found.keeps_up, found.left_waiting_percent < 5);
    },
  );
  assert.equal(left, found.left_waiting_percent >= 1, "that requests still wait");
  const may = claim(
    "may fall behind",
    "percentiles: [^\\n]* If every step took as long as its range allows, at least",
    () => {
      // A demand that stays: played with steps as much longer as those of an idle server may be.
      assert.ok(own > 0, "a rate of the servers' own follows them");
      assert.ok(found.keeps_up && !found.surely_keeps_up);
      const { p50_ms, p50_high_ms } = engine.serving_load({ ...inputs, requests_per_sec: 1e-3 }).token;
      const slower = engine.serving_load({
        ...inputs,
        requests_per_sec: (rate * p50_high_ms) / p50_ms,
        max_concurrency: 0,
      });
      assert.equal(slower.keeps_up, false, "with all steps as long as they may be");
    },
  );
  assert.equal(Boolean(may), found.keeps_up && !found.surely_keeps_up, "may fall behind");
  const limits = { token: scenario.number("most_token_ms"), first: scenario.number("most_first_token_ms") };
  const missed = [
    ...(limits.first > 0 && found.first_token.p99_ms > limits.first ? ["TTFT"] : []),
    ...(limits.token > 0 && found.token.p99_ms > limits.token ? ["TPOT"] : []),
  ];
  const said = claim(
    "limits missed at P99",
    "percentiles: [^\\n]* More than one request in a hundred misses your limit for (.+?)\\.",
    ([names]) => assert.deepEqual(names.split(" and "), missed),
  );
  assert.equal(Boolean(said), found.keeps_up && missed.length > 0, "limits missed at P99");
  const rates = ratesOf(best, own);
  const plays = rates.map((requests_per_sec) =>
    engine.serving_load({ ...inputs, requests_per_sec, max_concurrency: 0 }),
  );
  checkRates({ claim, text, own, limits, name: serversOf(best) }, rates, plays);
  checkBenchmark({ engine, inputs, claim, text }, best);
}

/** The range of a TTFT, or its lower end alone where the server may fall behind. */
function ranged([range, least], low, high, surely, what) {
  assert.equal(range !== undefined, surely, `${what}: a range where a server surely keeps up`);
  if (surely) band(range, low, high, what);
  else near(ms(least), low, digits[3], `${what}, at least`);
}

/** The sentences about the server over rates of requests, and at each rate. */
function checkRates({ claim, text, own, limits, name }, rates, plays) {
  const holds = ({ keeps_up, token, first_token }) =>
    keeps_up &&
    (limits.token <= 0 || token.p99_ms <= limits.token) &&
    (limits.first <= 0 || first_token.p99_ms <= limits.first);
  const broken = plays.findIndex((one) => !holds(one));
  const knee = broken < 0 ? plays.length - 1 : broken - 1;
  const slowest = "P99 TTFT {time} \\((?:{range}|{time} or more)\\), P99 TPOT (?:0 ms|{time}) \\({range}\\)";
  const check = (of, [ttft, ttfts, least, tpot, tpots]) => {
    near(ms(ttft), of.first_token.p99_ms, digits[3], "P99 TTFT");
    ranged([ttfts, least], of.first_token.p99_low_ms, of.first_token.p99_high_ms, of.surely_keeps_up, "P99 TTFT");
    near(tpot === undefined ? 0 : ms(tpot), of.token.p99_ms, digits[3], "P99 TPOT");
    band(tpots, of.token.p99_low_ms, of.token.p99_high_ms, "P99 TPOT");
  };
  const takes = claim(
    "knee",
    `load:\\n(.+?) takes about {x} requests/s with 99 of 100 requests in time: ${slowest}`,
    ([said, rate, ...times]) => {
      assert.equal(said, name);
      near(number(rate), rates[knee], digits[3], "knee");
      check(plays[knee], times);
    },
  );
  const even = claim(
    "even at",
    `Even at {x} requests/s, one request in a hundred waits too long: ${slowest}`,
    ([rate, ...times]) => {
      near(number(rate), rates[0], digits[3], "lowest rate");
      check(plays[0], times);
    },
  );
  assert.deepEqual([Boolean(takes), Boolean(even)], [knee >= 0, knee < 0], "a knee, or none");
  const asked = plays[rates.indexOf(own)];
  const atOwn = claim(
    "at your rate",
    `At your {x} requests/s: (?:${slowest}|[\\d.]+ % of the requests still wait when the last one arrives)\\.\\n`,
    ([rate, ...times]) => {
      near(number(rate), own, digits[3], "your rate");
      assert.equal(times[0] !== undefined, asked.keeps_up);
      if (times[0] !== undefined) check(asked, times);
    },
  );
  assert.equal(Boolean(atOwn), own > 0, "at your rate");
  const ends = (at) => [plays[0], plays.at(-1)][at];
  const first = claim(
    "TTFT over rates",
    "P99 TTFT goes from {time} at {x} requests/s to {time} at {x}\\.(?: From {x} requests/s on, at least one request in twenty is still waiting| At each of these rates, fewer than one request in twenty are still waiting) when the last one arrives\\.(?: With every step as long as its range allows, one in twenty would still be waiting from {x} requests/s on\\.)?",
    ([low, from, high, to, grows, may]) => {
      near(ms(low), ends(0).first_token.p99_ms, digits[3], "at the lowest");
      near(number(from), rates[0], digits[3], "lowest rate");
      near(ms(high), ends(1).first_token.p99_ms, digits[3], "at the highest");
      near(number(to), rates.at(-1), digits[3], "highest rate");
      for (const [at, { keeps_up }] of plays.entries())
        if (grows === undefined) assert.ok(keeps_up || at < plays.length - 1, `${rates[at]} requests/s`);
        else if (rates[at] >= number(grows) * 0.995) assert.equal(keeps_up, false, `${rates[at]} requests/s`);
      if (grows !== undefined) {
        const below = rates.filter((rate) => rate < number(grows) * 0.995).length;
        assert.ok(below === 0 || plays[below - 1].keeps_up, "from there on, not before");
      }
      const unsure = plays.findLastIndex(({ surely_keeps_up }) => surely_keeps_up) + 1;
      const kept = plays.findLastIndex(({ keeps_up }) => keeps_up) + 1;
      assert.equal(may !== undefined, unsure < kept, "where it might grow already");
      if (may !== undefined) near(number(may), rates[unsure], digits[3], "from where on it might grow");
    },
  );
  const token = claim(
    "TPOT over rates",
    "Median TPOT goes from {time} at {x} requests/s, with {x} sequences sharing a step on average, to {time} at {x}, with {x}\\.",
    ([low, from, few, high, to, many]) => {
      near(ms(low), ends(0).token.p50_ms, digits[3], "at the lowest");
      near(ms(high), ends(1).token.p50_ms, digits[3], "at the highest");
      assert.deepEqual(
        [from, to].map(number).map((rate) => rates.findIndex((one) => Math.abs(rate / one - 1) < 0.006)),
        [0, rates.length - 1],
      );
      near(number(few), ends(0).mean_sequences, digits[3], "sequences at the lowest");
      near(number(many), ends(1).mean_sequences, digits[3], "sequences at the highest");
    },
  );
  assert.ok(first && token, "both over rates");
  for (const [at, play] of plays.entries()) {
    const queue = claim(
      `queue at ${at}`,
      `rate ${at}: At {x} requests/s, {x} sequences run at once on average, and {x} requests wait\\. At {x} requests/s, the median request has TTFT {time} and TPOT {time}`,
      ([rate, running, waiting, rate2, ttft, tpot]) => {
        for (const said of [rate, rate2]) near(number(said), rates[at], digits[3], "rate");
        near(number(running), play.mean_sequences, digits[3], "running");
        near(number(waiting), play.mean_waiting, digits[2], "waiting");
        near(ms(ttft), play.first_token.p50_ms, digits[3], "median TTFT");
        near(ms(tpot), play.token.p50_ms, digits[3], "median TPOT");
      },
    );
    assert.ok(queue, `rate ${at}`);
    const evicts = claim(
      `eviction at ${at}`,
      `rate ${at} again: At {x} requests/s the KV cache fills up: (once|{n} times), a sequence goes back`,
      ([rate, , times]) => {
        near(number(rate), rates[at], digits[3], "rate");
        assert.equal(times === undefined ? 1 : number(times), play.preemptions);
      },
    );
    assert.equal(Boolean(evicts), play.preemptions > 0, `eviction at ${at}`);
  }
  // Where nothing waits, a token is as much faster or slower as every step.
  claim("wide ranges", "every step {x} % faster to {x} % slower, or more", ([faster, slower]) => {
    for (const { keeps_up, mean_waiting, token: of } of plays) {
      if (!keeps_up || mean_waiting > 0.01 || of.p50_ms === 0) continue;
      // The text describes the steps; a median token shares them with other sequences once they are faster.
      assert.ok(of.p50_low_ms <= (1 - number(faster) / 100) * of.p50_ms * 1.05, `${of.p50_low_ms} of ${of.p50_ms}`);
      assert.ok(of.p50_high_ms >= (1 + number(slower) / 100) * of.p50_ms * 0.95, `${of.p50_high_ms} of ${of.p50_ms}`);
    }
  });
  assert.match(text, /No stack publishes percentiles/);
}

function checkBenchmark({ engine, inputs, claim }, best) {
  const predicted = served.inFlight.map((max_concurrency) =>
    engine.serving_load({ ...inputs, requests_per_sec: 0, max_concurrency }),
  );
  const loads = measuredLoads(predicted);
  for (const [at, load] of loads.entries())
    claim(`load ${at}`, `load ${at}: {n} in flight`, ([flight]) => assert.equal(number(flight), load.max_concurrency));
  claim(
    "benchmark",
    "On your {n} loads, median TPOT predicted for (.+?) is off by {x} % in the median, (every one|some) too (long|short)",
    ([count, name, off, each, way]) => {
      assert.equal(number(count), loads.length);
      assert.equal(name, serversOf(best));
      near(Number(off), 100 * (1 - 1 / served.slower), digits[2], "off");
      assert.deepEqual([each, way], ["every one", "short"]);
    },
  );
  const fit = engine.fit_serving({
    ...inputs,
    loads: loads.map(({ max_concurrency, token }) => ({ max_concurrency, measured_token_ms: token.p50_ms })),
  });
  claim(
    "calibrated",
    "Calibrated on them, median TPOT is off by {x} %, down from {x} %; on loads left out of the fit by {x} %",
    ([after, before, out]) => {
      near(Number(after), fit.fitted_error_percent, digits[2], "after");
      near(Number(before), fit.recipe_error_percent, digits[2], "before");
      near(Number(out), fit.left_out_error_percent, digits[2], "left out");
      assert.ok(fit.moved && Number(after) <= Number(before));
    },
  );
  claim("not calibrated", "Nothing is moved", () => assert.equal(fit.moved, false));
}

/** The answer, its load, and one step in depth. */
export function serve(given) {
  const plan = given.engine.plan_serving(given.values("plan_serving"));
  checkAnswer(given, plan);
  checkStep(given, plan);
  if (plan.found) checkStepOfAnswer(given, plan.deployments);
  if (plan.found) checkLoad(given, plan);
}
