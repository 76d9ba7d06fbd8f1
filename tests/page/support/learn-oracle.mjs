// What the article may say of a scenario, by the engine's tables alone: nothing of web/views/learn is used here.
import assert from "node:assert/strict";
import { bytesOf, claimsIn, digits, near, number, timeOf } from "./claims.mjs";
import { alikeTo } from "./claims/collectives.mjs";

/** Asserts every claim that is found in the article's text; returns the names of those that were. */
export function checkClaims(engine, scenario, text) {
  const { claim, found } = claimsIn(text);
  const values = (name) => scenario.inputs(name).values;
  const ask = (name, over = {}) => engine[name]({ ...values(name), ...over });
  const group = scenario.number("tensor_parallel");
  const example = group === 1 ? 8 : group;
  const exercise = ask("tensor_parallel_allreduce_cost");
  const message = exercise.message_size_bytes;
  const predict = (gpus, size, over = {}) =>
    ask("predict_collective", { collective: "all_reduce", num_gpus: gpus, message_size_bytes: size, ...over });
  const ring = (gpus) =>
    engine.collective_cost({
      collective: "all_reduce",
      algorithm: "ring",
      ranks: gpus,
      message_size_bytes: message,
      bandwidth_gb_per_sec: 1,
      latency_us: 0,
    });
  const accelerator = engine.hardware_catalog().accelerators.find(({ id }) => id === scenario.text("accelerator"));
  const sizes = engine.model_sizes({
    ...values("model_sizes"),
    tensor_parallel: 1,
    data_parallel: 1,
    pipeline_parallel: 1,
    context_parallel: 1,
    expert_parallel: 1,
    cluster_gpus: 1,
  });
  const parameters = sizes.parameters.total;
  const weights = parameters * scenario.number("bytes_per_element");
  const layers = scenario.number("num_layers");
  const calls = layers * scenario.number("allreduces_per_layer");
  const memory = accelerator.memory_gb * 1e9;

  // The lead.
  const sharesHeads = (gpus) => {
    try {
      ask("layer_timeline", { tensor_parallel: gpus });
    } catch ({ problems }) {
      return !problems.some(({ field, allowed }) => field === "tensor_parallel" && /heads/.test(allowed));
    }
    return true;
  };
  const divides = sharesHeads(group);
  claim("a pass takes", "On .+? that takes about {time} \\({range}\\)\\. Where does", ([pass]) => {
    assert.ok(divides);
    near(timeOf(pass), calls * predict(group, message).time_us, digits[2], "a pass");
  });
  const withoutTime = claim(
    "uneven",
    "Its {n} attention heads(?: and {n} key-value heads?)? can’t be split evenly over that many\\. Try {n}(?: or {n})?\\.",
    ([heads, kvHeads, ...offered]) => {
      assert.equal(number(heads), scenario.number("num_heads"));
      if (kvHeads) assert.equal(number(kvHeads), scenario.number("num_kv_heads"));
      const [less, more = `${group}`] = offered.filter(Boolean);
      for (const one of [less, more]) assert.equal(sharesHeads(number(one)), number(one) !== group, one);
      for (let one = number(less) + 1; one < number(more); one++) assert.equal(sharesHeads(one), false);
    },
  );
  assert.equal(withoutTime, !divides);
  // 1: does it fit?
  claim(
    "weights",
    "has ([\\d.]+) billion of them, {bytes} in all\\. One .+? has {bytes}\\.",
    ([billions, all, one]) => {
      near(Number(billions), parameters / 1e9, digits[3], "parameters");
      near(bytesOf(all), weights, digits[3], "weights");
      near(bytesOf(one), memory, digits[3], "memory");
    },
  );
  const overflow = claim("overflow", "{n} layers? of {n} fill it", ([most, all]) => {
    assert.equal(number(all), layers);
    assert.ok((number(most) * weights) / layers <= memory && ((number(most) + 1) * weights) / layers > memory);
  });
  const none = claim("not one", "Not even one layer fits", () => assert.ok(weights / layers > memory));
  claim("all fit", "All {n} layers? fit, and {bytes} is left", ([, left]) => {
    assert.ok(weights <= memory);
    near(bytesOf(left), memory - weights, digits[3], "left");
  });
  assert.equal(/It doesn’t fit/.test(text), overflow || none);
  claim("training", "each parameter takes ([\\d.]+) bytes", ([each]) =>
    near(Number(each), sizes.zero_stages[0].bytes_per_parameter, digits[3], "bytes a parameter"),
  );
  // 2 to 7: what is sent.
  const share = (2 * (example - 1)) / example;
  claim("a pass sends", "each of them sends {bytes} in a forward pass, ([\\d.e]+) times", ([sent, times]) => {
    near(bytesOf(sent), ring(example).sent_bytes_per_rank * calls, digits[3], "sent");
    near(Number(times), (ring(example).sent_bytes_per_rank * calls) / message, digits[2], "against a hand-over");
  });
  claim("heads", "with {n} heads over {n} GPUs, each GPU has {n}", ([heads, over, each]) =>
    assert.equal(number(over) * number(each), number(heads)),
  );
  claim("message", "= {n} bytes: ", ([all]) => assert.equal(number(all), message));
  claim("calls", "{n} layers?, {n} all-reduces? in a forward pass", ([, all]) => assert.equal(number(all), calls));
  claim(
    "twice as many",
    "Through one GPU: the time of {n} sheets? instead of {n}, ([\\d.]+) times as long\\. In chunks: ([\\d.]+) instead of ([\\d.]+)",
    ([more, now, times, chunks, share]) => {
      assert.equal(number(more), 2 * (2 * example - 1));
      assert.equal(number(now), 2 * (example - 1));
      near(Number(times), number(more) / number(now), digits[2], "times");
      near(Number(chunks), ring(2 * example).sent_bytes_per_rank / message, digits[3], "chunks");
      near(Number(share), ring(example).sent_bytes_per_rank / message, digits[3], "share");
    },
  );
  claim(
    "the sheet",
    "Twice the batch: {bytes}\\. Twice the GPUs only means more of them: {n} sheets, each still {bytes}",
    ([twice, sheets, each]) => {
      near(bytesOf(twice), 2 * message, digits[3], "twice the batch");
      assert.equal(number(sheets), 2 * example);
      near(bytesOf(each), message, digits[3], "a sheet");
    },
  );
  claim(
    "a thousand",
    "([\\d.]+) times the message: {bytes}, ([\\d.e]+) % more than each of {n}",
    ([times, sent, more, n]) => {
      assert.equal(number(n), example);
      near(Number(times), ring(1000).sent_bytes_per_rank / message, digits[3], "times");
      near(bytesOf(sent), ring(1000).sent_bytes_per_rank, digits[3], "sent");
      near(
        Number(more),
        100 * (ring(1000).sent_bytes_per_rank / ring(example).sent_bytes_per_rank - 1),
        digits[2],
        "more",
      );
    },
  );
  claim(
    "twice the GPUs",
    "Twice the GPUs make it ([\\d.]+) % longer: 2\\(n − 1\\)/n grows from ([\\d.]+) to ([\\d.]+)\\.",
    ([longer, now, then]) => {
      const [sent, before] = [ring(2 * example), ring(example)].map((ran) => ran.sent_bytes_per_rank);
      near(Number(then), sent / message, digits[3], "then");
      near(Number(now), before / message, digits[3], "now");
      near(Number(longer), 100 * (sent / before - 1), digits[2], "longer");
    },
  );
  claim("all to one", "through one link and takes the time of {n} sheets?", ([all]) =>
    assert.equal(number(all), 2 * (example - 1)),
  );
  claim("tree", "down the same way, in the time of {n} sheets", ([all]) => {
    const rounds = (collective) =>
      engine.collective_cost({
        collective,
        algorithm: "binomial_tree",
        ranks: example,
        message_size_bytes: message,
        bandwidth_gb_per_sec: 1,
        latency_us: 0,
      }).rounds;
    assert.equal(number(all), rounds("reduce") + rounds("broadcast"));
    assert.ok(number(all) < 2 * (example - 1));
  });
  claim("rounds", "2 · \\({n} − 1\\) = {n} rounds?", ([gpus, rounds]) => {
    assert.equal(number(gpus), example);
    assert.equal(number(rounds), ring(example).rounds);
  });
  for (const [lap, words] of [
    ["first", "After {n} rounds? the chunk has been at every GPU"],
    ["second", "hands the totals out: another {n} rounds?\\."],
  ])
    claim(`${lap} lap`, words, ([rounds]) => assert.equal(2 * number(rounds), ring(example).rounds));
  claim("messages of a layer", "the messages of the layer’s (two|{n}) all-reduces don’t", ([said]) =>
    assert.equal(said === "two" ? 2 : number(said), scenario.number("allreduces_per_layer")),
  );
  claim("ring sends", "Every GPU sends ([\\d.]+) times the message: {bytes}", ([times, sent]) => {
    near(Number(times), share, digits[3], "share");
    near(bytesOf(sent), ring(example).sent_bytes_per_rank, digits[3], "sent");
  });
  for (const [times, gpus] of [
    [1, 2],
    [1.5, 4],
    [1.75, 8],
    [1.97, 64],
  ])
    near(times, ring(gpus).sent_bytes_per_rank / message, 0.001, `share of ${gpus}`);
  claim("gelu", "is 2\\.95, but GELU\\(3 − 2\\) is 0\\.84", () => undefined);
  // 8: real links.
  const small = predict(example, 1e6);
  const call = predict(example, message);
  claim("small", "Expect {time}, ([\\d.e]+) times the formula", ([said, times]) => {
    near(timeOf(said), small.time_us, digits[2], "1 MB");
    near(Number(times), small.time_us / small.textbook_us, digits[2], "times");
  });
  claim("small as promised", "Expect {time}, close to the formula", () => {
    assert.ok(small.time_us < 1.2 * small.textbook_us);
    assert.ok(small.latency_part_us < small.time_us / 2);
  });
  claim(
    "ours",
    "Our .+? should take {time} \\((80 % of measurements fall|an estimate; perhaps) between {time} and {time}\\)",
    ([at, range, low, high]) => {
      assert.equal(range.startsWith("an estimate"), call.basis === "estimated");
      near(timeOf(at), call.time_us, digits[2], "call");
      near(timeOf(low), call.low_us, digits[2], "low");
      near(timeOf(high), call.high_us, digits[2], "high");
    },
  );
  claim("slower", "\\), ([\\d.e]+) times the formula’s {time}", ([times, formula]) => {
    near(Number(times), call.time_us / call.textbook_us, digits[2], "against the formula");
    near(timeOf(formula), call.textbook_us, digits[2], "formula");
    assert.ok(call.time_us > call.textbook_us);
  });
  // A GPU's own link is a rating of one node; between nodes, its share of the network is.
  const rating = call.nodes > 1 ? Infinity : accelerator.fills.bandwidth_gb_per_sec;
  claim("links below their rating", "don’t reach their rated speed|[Nn]o link reaches its rate", () =>
    assert.ok(call.plateau_bus_bandwidth_gb_per_sec < rating, `${call.plateau_bus_bandwidth_gb_per_sec} of ${rating}`),
  );
  claim("start-up alone", "that is start-up, which larger messages hide", () =>
    assert.ok(call.plateau_bus_bandwidth_gb_per_sec >= rating && call.latency_part_us > 0 && call.ramp_part_us === 0),
  );
  claim("start-up and filling", "start-up and the filling of the links, which larger messages hide", () =>
    assert.ok(call.plateau_bus_bandwidth_gb_per_sec >= rating && call.ramp_part_us > 0),
  );
  claim("faster", "less than the formula’s {time}", ([formula]) =>
    near(timeOf(formula), call.textbook_us, digits[2], "formula"),
  );
  claim("next chapter", "How a call can be faster", () => assert.equal(call.algorithm, "in_network"));
  claim("within a node", "those that stay within a node are faster", () => {
    assert.ok(call.nodes > 1);
    assert.ok(accelerator.fills.bandwidth_gb_per_sec > scenario.number("nic_gb_per_sec"));
  });
  const alike = alikeTo(engine, scenario, "all_reduce", example, call).filter(
    ({ healthy, launch, reduced }) => healthy && launch === call.launch && reduced,
  ).length;
  claim("dots", "The dots are (a|{n}) published measurement series", ([said]) =>
    assert.equal(said === "a" ? 1 : number(said), alike),
  );
  claim("no dots", "We know of no published measurement", () => assert.equal(alike, 0));
  // 9: the switch.
  const machine = scenario.text("system");
  const can = (() => {
    try {
      predict(8, message, { in_network_reduction: "on", allreduce_kernel: "nccl" });
      return true;
    } catch {
      return false;
    }
  })();
  const cannot = claim("no switch", "its links have no switch that adds", () => assert.equal(can, false, machine));
  claim("in other groups", "with {n} GPUs, NCCL lets the switches add\\. \\(With", ([gpus]) => {
    assert.equal(
      predict(number(gpus), message, { allreduce_kernel: "nccl", in_network_reduction: "usual" }).algorithm,
      "in_network",
    );
    if (group > 1)
      assert.notEqual(
        predict(group, message, { allreduce_kernel: "nccl", in_network_reduction: "usual" }).algorithm,
        "in_network",
      );
  });
  claim(
    "saved",
    "Expect {time} instead of {time} for .+? over {n} GPUs: ([\\d.]+) times as fast",
    ([on, off, gpus, times]) => {
      const both = ["usual", "off"].map((in_network_reduction) =>
        cannot
          ? engine.predict_collective({
              collective: "all_reduce",
              num_gpus: 8,
              message_size_bytes: message,
              system: "dgx-h100",
              in_network_reduction,
            })
          : predict(number(gpus), message, { in_network_reduction, allreduce_kernel: "nccl" }),
      );
      near(timeOf(on), both[0].time_us, digits[2], "with the switch");
      near(timeOf(off), both[1].time_us, digits[2], "without");
      near(Number(times), both[1].time_us / both[0].time_us, digits[3], "saved");
      assert.ok(both[1].time_us > both[0].time_us);
    },
  );
  // As core/network/link_use.cpp counts NVLS: the message, and the share that a GPU passes on.
  claim("sent", "each GPU has sent the message {x} times instead of {x}", ([sent, ring]) => {
    const ranks = 2 / (2 - Number(ring));
    near(Number(sent), 1 + 1 / ranks, 0.01, "with the switch");
    claim("by bytes", "Bytes alone would promise {x};", ([promised]) =>
      near(Number(promised), Number(ring) / Number(sent), digits[2], "by bytes"),
    );
  });
  claim("above the link", "report ([\\d.]+) GB/s on links of ([\\d.]+)\\.", ([bus, link]) =>
    assert.ok(Number(bus) >= Number(link)),
  );
  // 10: a layer.
  const reached = accelerator.achievable_tflops;
  /** Nothing where the scenario’s own degrees make no layer: its experts or heads may not be split like that. */
  const timelineOf = (gpus) => {
    try {
      return ask("layer_timeline", {
        tensor_parallel: gpus,
        latency_us: 0,
        ...(gpus > 1 ? { bandwidth_gb_per_sec: predict(gpus, message).bus_bandwidth_gb_per_sec } : {}),
        ...(reached ? { peak_tflops: reached } : {}),
      });
    } catch (error) {
      if (error.name !== "InvalidInputError") throw error;
      return undefined;
    }
  };
  const layer = (gpus) => {
    const { bars, forward_us } = timelineOf(gpus);
    const waits = bars
      .filter(({ pass, lane }) => pass === "forward" && lane === "communication")
      .reduce((sum, { exposed_us }) => sum + exposed_us, 0);
    return { us: forward_us, waits: (100 * waits) / forward_us };
  };
  claim(
    "days",
    "(No|Here it does)\\. Each GPU.+?With {n} GPUs a layer’s forward pass takes {time}, and for ([\\d.]+) % of that time the GPUs just wait\\. With {n} GPUs it takes {time}, and they wait for ([\\d.]+) %",
    ([answer, few, fewUs, fewWaits, many, manyUs, manyWaits]) => {
      const [one, other] = [layer(number(few)), layer(number(many))];
      near(timeOf(fewUs), one.us, digits[2], "few");
      near(timeOf(manyUs), other.us, digits[2], "many");
      near(Number(fewWaits), one.waits, digits[2], "few wait");
      near(Number(manyWaits), other.waits, digits[2], "many wait");
      assert.equal(answer === "No", other.us * number(many) > one.us * number(few));
    },
  );
  const crossed = (over, across, inside, within) => {
    const [far, close] = [predict(number(across), message), predict(number(within), message)];
    assert.deepEqual([far.nodes, close.nodes], [2, 1]);
    near(timeOf(over), far.time_us, digits[2], "two nodes");
    near(timeOf(inside), close.time_us, digits[2], "one node");
    return far.time_us / close.time_us;
  };
  claim(
    "border",
    "take {time} over {n} GPUs in two nodes, against {time} over {n} in one: ([\\d.]+) times as long",
    ([over, across, inside, within, times]) =>
      near(Number(times), crossed(over, across, inside, within), digits[2], "the node’s border"),
  );
  claim(
    "no cliff",
    "one card, about.+?take {time} over {n} GPUs in two nodes, against {time} over {n} in one",
    (said) =>
      assert.ok(crossed(...said) < 0.8 * (accelerator.fills.bandwidth_gb_per_sec / scenario.number("nic_gb_per_sec"))),
  );
  claim("no border", "take about as long: {time} over {n} GPUs in two nodes, against {time} over {n} in one", (said) =>
    assert.ok(crossed(...said) < 1.05),
  );
  claim(
    "network",
    "GPU’s links carry ([\\d.]+) GB/s; its share of the network carries ([\\d.]+), ([\\d.]+) times less",
    ([link, nic, times]) => {
      near(Number(nic), scenario.number("nic_gb_per_sec"), digits[3], "network");
      near(Number(times), Number(link) / Number(nic), digits[2], "times less");
    },
  );
  claim("fast network", "no less than the links inside, ([\\d.]+) GB/s", ([link]) =>
    assert.ok(scenario.number("nic_gb_per_sec") * 1.1 >= Number(link) * 0.995),
  );
  // 11: what is hidden.
  const nothing = { communication_us: 0, exposed_us: 0 };
  const timeline = (divides && timelineOf(group)) || nothing;
  const hidden = timeline.communication_us - timeline.exposed_us;
  claim(
    "hidden",
    "communication should take {time}\\. With the chosen software, {time} of that is hidden behind compute; for {time} the GPUs wait",
    ([all, some, rest]) => {
      near(timeOf(all), timeline.communication_us, digits[2], "communication");
      near(timeOf(some), hidden, digits[2], "hidden");
      near(timeOf(rest), timeline.exposed_us, digits[2], "exposed");
    },
  );
  claim("none hidden", "none of that is hidden", () => assert.ok(hidden <= 1e-5 * timeline.communication_us));
  claim("all hidden", "all of that is hidden", () =>
    assert.ok(timeline.exposed_us <= 1e-5 * timeline.communication_us),
  );
  if (timeline === nothing) assert.doesNotMatch(text, /of that is hidden/);
  const sides = ask("data_or_tensor", { num_gpus: example });
  claim(
    "T/(3h)",
    "sends T/\\(3h\\) times what DP does, where h is the hidden size: here ([\\d.e−-]+)\\. .+?a training step of {n} tokens? over {n} GPUs is (above|below) the {n} at which both are equal",
    ([printed, tokens, gpus, side, even]) => {
      near(
        Number(printed.replace("−", "-")),
        number(tokens) / (3 * scenario.number("hidden_size")),
        digits[3],
        "T/(3h)",
      );
      assert.equal(number(tokens), sides.step_tokens);
      assert.equal(number(gpus), example);
      assert.ok(Math.abs(number(even) - sides.even_tokens) <= 0.5);
      assert.equal(side === "above", sides.tensor_sent_bytes >= sides.data_sent_bytes);
    },
  );
  const [ofTensor, ofData] = [sides.tensor_sent_bytes, sides.data_sent_bytes];
  claim("TP sends more", "are equal: TP sends ([\\d.e,]+) times what DP does", ([times]) =>
    near(Number(times.replaceAll(",", "")), ofTensor / ofData, digits[3], "TP over DP"),
  );
  claim("DP sends more", "are equal: DP sends ([\\d.e,]+) times what TP does", ([times]) =>
    near(Number(times.replaceAll(",", "")), ofData / ofTensor, digits[3], "DP over TP"),
  );
  claim("both send alike", "are equal: TP and DP send about the same", () =>
    near(ofTensor / ofData, 1, digits[3], "alike"),
  );
  // 13: the card.
  claim("card", "by the textbook; expect", () => assert.ok(group > 1 && divides));
  claim("from here on", "From TP {n} on, GPUs wait more than they compute", ([from]) => {
    assert.ok(layer(number(from)).waits > 50);
    if (number(from) % 2 === 0 && number(from) > 2 && scenario.number("num_heads") % (number(from) / 2) === 0)
      assert.ok(layer(number(from) / 2).waits <= 50 || number(from) === group);
  });
  claim("up to here", "Up to TP {n}, GPUs compute for longer", ([upTo]) => assert.ok(layer(number(upTo)).waits <= 50));
  claim("start-up", "Up to {n} tokens? at a time, at least half", ([tokens]) => {
    const token = message / (scenario.number("batch_size") * scenario.number("sequence_length"));
    const half = (each) => {
      const one = predict(example, each * token);
      return one.latency_part_us >= one.time_us / 2;
    };
    assert.ok(half(number(tokens)) && !half(2 * number(tokens)));
  });
  return found;
}
