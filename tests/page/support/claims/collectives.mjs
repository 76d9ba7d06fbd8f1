// What Cost and Collectives may say of a collective on a machine, by the engine's tables alone.
import assert from "node:assert/strict";
import { bytesOf, digits, near, number, rangeOf, table, timeOf } from "../claims.mjs";

const linkOf = (engine, id) => {
  const { accelerators, links } = table(engine, "hardware_catalog");
  const link = accelerators.find((one) => one.id === id)?.link;
  return { link, rate: links.find((one) => one.id === link)?.bandwidth_gb_per_sec };
};

/** Public runs like a prediction: the same collective, GPUs, links and nodes. */
export function alikeTo(engine, scenario, collective, gpus, predicted) {
  const { link } = linkOf(engine, scenario.text("accelerator"));
  const large = {
    ...scenario.inputs("predict_collective").values,
    collective,
    num_gpus: gpus,
    message_size_bytes: 2 ** 30,
  };
  const timeWith = (switches) => engine.predict_collective({ ...large, ...switches }).time_us;
  const alike = table(engine, "measurements").series.filter(
    (one) =>
      one.collective === collective &&
      one.num_gpus === gpus &&
      linkOf(engine, one.accelerator).link === link &&
      (one.nodes === 1) === (predicted.nodes === 1) &&
      (one.nodes === 1 ||
        (one.gpus_per_node === scenario.number("gpus_per_node") &&
          Math.abs(one.nic_gb_per_sec / scenario.number("nic_gb_per_sec") - 1) < 0.1)),
  );
  // With the switches as in the run, the prediction is the same.
  return alike.map((one) => ({
    ...one,
    reduced: timeWith({ in_network_reduction: one.in_network_reduction }) === timeWith({}),
  }));
}

const launchedAlike = (one, predicted) =>
  one.healthy && one.reduced && predicted.allreduce_kernel === "nccl" && one.launch === predicted.launch;

export const timesAt = (series, predicted, size) =>
  series
    .filter((one) => launchedAlike(one, predicted))
    .flatMap((one) => {
      const at = [...one.message_size_bytes].indexOf(size);
      return at < 0 ? [] : [one.time_us[at]];
    });

/** Why a prediction is what it is, and how well it is known. */
export function checkReasons(engine, scenario, predicted, claim) {
  const { rate } = linkOf(engine, scenario.text("accelerator"));
  const parts = {
    latency: predicted.latency_part_us,
    ramp: predicted.ramp_part_us,
    // Beyond what bandwidth alone would take.
    plateau: predicted.transfer_part_us - predicted.textbook_us,
  };
  const most = (part) => assert.ok(parts[part] >= 0.99 * Math.max(...Object.values(parts)), JSON.stringify(parts));
  claim("the switches add", "The switches add, so each GPU sends its message about once", () => {
    assert.equal(predicted.algorithm, "in_network");
    assert.ok(predicted.time_us < predicted.textbook_us);
  });
  claim("less across nodes", "sends less across the nodes than the textbook’s ring", () => {
    assert.ok(predicted.time_us < predicted.textbook_us && predicted.nodes > 1);
  });
  claim("latency alone", "Latency alone takes {time}", ([said]) => {
    near(timeOf(said), predicted.latency_part_us, digits[3], "latency");
    most("latency");
  });
  claim("getting up to speed", "Beyond the bytes, getting up to speed costs {time} per call", ([said]) => {
    near(timeOf(said), predicted.ramp_part_us, digits[3], "ramp");
    most("ramp");
  });
  claim("one process", "One process launches .+? takes {time}", ([said]) =>
    near(timeOf(said), predicted.launch_floor_us, digits[3], "launch"),
  );
  claim(
    "spans nodes",
    "The group spans {n} nodes: over NICs of {x} GB/s a GPU .+? reaches {x} GB/s",
    ([nodes, nic, reached]) => {
      assert.equal(number(nodes), predicted.nodes);
      near(Number(nic), scenario.number("nic_gb_per_sec"), digits[4], "NIC");
      near(Number(reached), predicted.plateau_bus_bandwidth_gb_per_sec, digits[3], "plateau");
      most("plateau");
    },
  );
  claim("reaches of the link", "reaches {x} GB/s of the link’s {x} GB/s", ([reached, link]) => {
    near(Number(reached), predicted.plateau_bus_bandwidth_gb_per_sec, digits[3], "plateau");
    near(Number(link), rate, digits[4], "link");
    assert.ok(Number(reached) <= 1.01 * Number(link), "more than all of the link");
    assert.equal(predicted.nodes, 1);
    most("plateau");
  });
  claim(
    "more than the link",
    "bus bandwidth of {x} GB/s, more than the link’s {x} GB/s: the switches add, so each GPU sends its message about once",
    ([reached, link]) => {
      near(Number(reached), predicted.plateau_bus_bandwidth_gb_per_sec, digits[3], "plateau");
      near(Number(link), rate, digits[4], "link");
      assert.ok(predicted.algorithm === "in_network" && Number(reached) > Number(link) && predicted.nodes === 1);
    },
  );
  claim("and start-up", "GB/s, and getting up to speed costs {time} per call", ([said]) =>
    near(timeOf(said), predicted.ramp_part_us, digits[3], "ramp"),
  );
}

/** The places of ranks, by the machine's inputs: nodes, pods and superpods are filled in order. */
function checkPlaces(scenario, { num_gpus, rank_stride = 1 }, predicted, claim) {
  const pod = scenario.number("pod_gpus") * Math.min(scenario.number("rails"), scenario.number("gpus_per_node"));
  const superpod = scenario.number("superpod_gpus") > 0 ? Math.max(scenario.number("superpod_gpus"), pod) : 0;
  const parts = (gpus) =>
    gpus > 0 ? Math.ceil(num_gpus / Math.min(num_gpus, Math.max(1, Math.floor(gpus / rank_stride)))) : 1;
  const within = claim("one node", "All {n} GPUs are in one (node|slice of a torus)", ([ranks]) =>
    assert.equal(number(ranks), num_gpus),
  );
  assert.equal(within, predicted.nodes === 1 && num_gpus > 1, "within a node");
  const across = predicted.nodes > 1;
  const free = claim("no pods", "The {n} GPUs are in {n} nodes. No pods are given", ([, nodes]) => {
    assert.equal(number(nodes), predicted.nodes);
    assert.equal(predicted.spine_share_percent, 100);
  });
  assert.equal(free, across && pod === 0 && superpod === 0, "no pods");
  const inside = claim(
    "one pod",
    "All {n} GPUs are in one (pod|superpod): the collective doesn’t cross the (spine|core)",
    ([, where, crossed]) => {
      assert.equal(where, pod > 0 ? "pod" : "superpod");
      assert.equal(crossed, pod > 0 ? "spine" : "core");
    },
  );
  assert.equal(inside, across && !free && parts(pod) === 1 && parts(superpod) === 1, "within a pod");
  const pods = claim("pods", "GPUs are in {n} pods, {n} in each", ([pods, each]) => {
    assert.equal(number(pods), parts(pod));
    assert.ok(number(pods) * number(each) >= num_gpus);
  });
  assert.equal(pods, across && parts(pod) > 1, "several pods");
  const superpods = claim("superpods", "in {n} superpods", ([superpods]) =>
    assert.equal(number(superpods), parts(superpod)),
  );
  assert.equal(superpods, across && parts(superpod) > 1, "several superpods");
  const crosses = claim("crosses", "so the collective crosses (the spine|the core|spine and core)\\.", ([crossed]) =>
    assert.equal(crossed, !superpods ? "the spine" : pod > 0 ? "spine and core" : "the core"),
  );
  assert.equal(crosses, pods || superpods, "what it crosses");
  claim("left of a card", "leaves? each network card {x} % of its rate", ([left]) => {
    near(Number(left), predicted.spine_share_percent, digits[3], "share");
    const ratio = (pod > 0 ? scenario.number("oversubscription") : 1) * scenario.number("core_oversubscription");
    assert.ok(Number(left) >= 99 / ratio && Number(left) <= 100, "between an uplink and all");
  });
}

/** A GPU's collective on a machine: Network. */
export function network({ engine, scenario, values, claim }) {
  const inputs = { ...values("predict_collective"), calls: 1, details: true };
  const predicted = engine.predict_collective(inputs);
  const alone = claim("alone", "One GPU sends nothing, so its collectives take no time");
  assert.equal(alone, inputs.num_gpus === 1);
  claim(
    "takes",
    "over {n} GPUs of (?:one|{n}) .+? nodes? takes about {time} \\({range}\\)",
    ([gpus, nodes, at, band]) => {
      assert.equal(number(gpus), inputs.num_gpus);
      assert.equal(nodes === undefined ? 1 : number(nodes), predicted.nodes);
      near(timeOf(at), predicted.time_us, digits[3], "time");
      const [low, high] = rangeOf(band);
      near(low, predicted.low_us, digits[3], "low");
      near(high, predicted.high_us, digits[3], "high");
    },
  );
  const textbook = claim("line rate", "(At line rate it|A ring at line rate) would take {time}", ([of, said]) => {
    assert.equal(of.includes("ring"), (inputs.collective ?? "all_reduce") === "all_reduce");
    // Nothing outruns the links, no ideal either; what sends less than a ring may outrun that.
    for (const name of ["textbook_us", "hockney_us", "two_level_us"])
      assert.ok(predicted[name] >= predicted.lower_bound_us * (1 - 1e-9), `${name} is below the lower bound`);
    if (!of.includes("ring")) assert.ok(predicted.time_us >= predicted.textbook_us * 0.999, "quicker than line rate");
    near(timeOf(said), predicted.textbook_us, digits[3], "bandwidth alone");
    const twice = engine.predict_collective({
      ...inputs,
      message_size_bytes: 2 * inputs.message_size_bytes,
    }).textbook_us;
    near(twice, 2 * predicted.textbook_us, 1e-6, "latency is in it");
  });
  assert.equal(textbook, !alone && predicted.textbook_us > 0, "line rate");
  claim(
    "against line rate",
    "[Ii]t takes (?:about as long as|{x} times as long as) (a ring )?at line rate",
    ([times, ring]) => {
      assert.equal(ring !== undefined, (inputs.collective ?? "all_reduce") === "all_reduce");
      times === undefined
        ? assert.ok(Math.abs(predicted.time_us / predicted.textbook_us - 1) < 0.06)
        : near(Number(times), predicted.time_us / predicted.textbook_us, digits[2], "times");
    },
  );
  checkReasons(engine, scenario, predicted, claim);
  checkPlaces(scenario, inputs, predicted, claim);
  claim("unmeasured", "No measurement of this kind is public", () => assert.equal(predicted.basis, "estimated"));
  claim("few curves", "Fewer than three curves of this GPU are public", () => assert.equal(predicted.basis, "similar"));
  claim("off by", "off by {x} % in the median; 80 % of measurements fall in the range", ([said]) => {
    assert.notEqual(predicted.basis, "estimated");
    near(Number(said), predicted.measured_error_percent, digits[2], "error");
  });
  const alike = alikeTo(engine, scenario, inputs.collective, inputs.num_gpus, predicted);
  claim("full dots", "Full dots(?:: published measurements, taken| were measured) in the same way", () =>
    assert.ok(alike.some((one) => launchedAlike(one, predicted))),
  );
  // With no kernel chosen, an all-reduce takes the fastest at each size, which NCCL's dots need not meet.
  claim("hollow dots", "Hollow dots: measured in another way|hollow ones in another", () =>
    assert.ok(alike.some((one) => inputs.allreduce_kernel !== "nccl" || !launchedAlike(one, predicted))),
  );
  claim("not published", "We know of no published measurement of it", () => assert.equal(alike.length, 0));
  const there = timesAt(alike, predicted, inputs.message_size_bytes).length;
  claim("none at this size", "none at this size", () => assert.equal(there, 0));
  claim("runs at this size", "{n} runs? at this size", ([said]) => assert.equal(number(said), there));
}

/** The exercise: Cost. */
export function cost({ engine, scenario, values, claim }) {
  const inputs = values("tensor_parallel_allreduce_cost");
  const four = engine.tensor_parallel_allreduce_cost(inputs);
  const gpus = inputs.num_gpus;
  const calls = inputs.num_layers * (inputs.allreduces_per_layer ?? 2);
  const machine = { ...values("predict_collective"), collective: "all_reduce", num_gpus: gpus };
  const predicted = (() => {
    try {
      return engine.predict_collective({ ...machine, message_size_bytes: four.message_size_bytes, calls });
    } catch {
      return undefined;
    }
  })();
  assert.equal(claim("alone", "One GPU sends nothing: no tensor parallelism"), gpus === 1);
  claim(
    "adds",
    "On (?:one|{n}) .+? nodes?, tensor parallelism adds about {time} \\({range}\\) to a forward pass",
    ([nodes, at, band]) => {
      assert.equal(nodes === undefined ? 1 : number(nodes), predicted.nodes);
      near(timeOf(at), predicted.total_ms * 1e3, digits[2], "predicted");
      const [low, high] = rangeOf(band);
      near(low, predicted.total_low_ms * 1e3, digits[2], "low");
      near(high, predicted.total_high_ms * 1e3, digits[2], "high");
    },
  );
  claim("formula", "The textbook formula gives {time}", ([said]) =>
    near(timeOf(said), four.total_comm_time_ms * 1e3, digits[4], "formula"),
  );
  claim("sends", "Each of {n} GPUs sends {bytes} in {n} all-reduces?", ([of, sent, all]) => {
    assert.equal(number(of), gpus);
    near(bytesOf(sent), four.total_comm_volume_bytes, digits[4], "sent");
    assert.equal(number(all), calls);
  });
  const { rate } = linkOf(engine, scenario.text("accelerator"));
  claim(
    "typed",
    "The formula takes the {x} GB/s given as link bandwidth; .+? own links of {x} GB/s",
    ([typed, link]) => {
      near(Number(typed), inputs.bandwidth_gb_per_sec, digits[4], "typed");
      near(Number(link), rate, digits[4], "link");
      assert.notEqual(inputs.bandwidth_gb_per_sec, rate);
    },
  );
  claim("published", "published measurements of {bytes} there: {time}(?: to {time})?", ([size, least, most]) => {
    near(bytesOf(size), four.message_size_bytes, digits[4], "size");
    const alike = alikeTo(engine, scenario, "all_reduce", gpus, predicted);
    const times = timesAt(alike, predicted, four.message_size_bytes);
    near(timeOf(least), Math.min(...times), digits[3], "least");
    near(timeOf(most ?? least), Math.max(...times), digits[3], "most");
  });
  if (predicted) checkReasons(engine, scenario, predicted, claim);
  const twice = 2 * four.message_size_bytes;
  claim(
    "of the most",
    "With {n} GPUs each sends {x} % of the most .+? add at most {x} % to the formula’s time",
    ([of, share, more]) => {
      assert.equal(number(of), gpus);
      near(Number(share), (100 * four.comm_volume_per_allreduce_bytes) / twice, digits[3], "share");
      near(Number(more), (100 * twice) / four.comm_volume_per_allreduce_bytes - 100, digits[2], "more");
    },
  );
  claim("half of the most", "With two, each already sends half of the most", () => {
    assert.equal(gpus, 1);
    near(
      engine.tensor_parallel_allreduce_cost({ ...inputs, num_gpus: 2 }).comm_volume_per_allreduce_bytes,
      twice / 2,
      1e-9,
      "two",
    );
  });
  claim("twice the message", "grows towards twice the message, {bytes}, and stays below it", ([said]) => {
    near(bytesOf(said), twice, digits[3], "limit");
    assert.ok(four.comm_volume_per_allreduce_bytes < twice);
  });
}

/** One algorithm, round by round: Ring. */
export function ring({ engine, values, claim }) {
  const inputs = values("collective_cost");
  const one = engine.collective_cost(inputs);
  const { ranks, message_size_bytes: message } = inputs;
  assert.equal(claim("alone", "One GPU sends nothing: the .+? takes no time"), ranks === 1);
  // Whatever is called line rate has no latency in it.
  claim("line rate", "at line rate", () => assert.equal(one.latency_time_us, 0));
  claim(
    "ideally",
    "over {n} GPUs ideally takes {time}: {n} rounds?, and (each|the busiest) GPU sends (?:{x} times the message|the message once)",
    ([of, at, rounds, who, times]) => {
      assert.equal(number(of), ranks);
      near(timeOf(at), one.time_us, digits[4], "time");
      assert.equal(number(rounds), one.rounds);
      near(Number(times ?? 1), one.sent_bytes_per_rank / message, digits[3], "sent");
      const schedule = engine.collective_schedule({
        ...values("collective_schedule"),
        pieces: Math.min(64, one.pieces),
      });
      const sent = Array.from({ length: ranks }, () => 0);
      for (const { from, chunks } of schedule.rounds.flat()) if (from < ranks) sent[from] += chunks.length;
      if (who === "each") assert.equal(Math.min(...sent), Math.max(...sent), `chunks sent by each: ${sent}`);
    },
  );
  claim(
    "barrier",
    "A.* of {n} GPUs ideally takes {time}, {n} rounds?, once the last GPU has arrived",
    ([of, at, rounds]) => {
      assert.equal(number(of), ranks);
      near(timeOf(at), one.time_us, digits[4], "time");
      assert.equal(number(rounds), one.rounds);
    },
  );
  const clock = engine.collective_timeline(values("collective_timeline"));
  const arrivals = clock.ready_us[0];
  const leaves = clock.ready_us.at(-1);
  claim(
    "none leaves before",
    "No GPU is done before the last has arrived at {time}: the first is done at {time}, the last at {time}",
    (said) => {
      assert.ok(Math.min(...leaves) >= Math.max(...arrivals));
      for (const [index, is] of [Math.max(...arrivals), Math.min(...leaves), Math.max(...leaves)].entries())
        near(timeOf(said[index]), is, digits[4], "clock");
    },
  );
  claim("one leaves before", "The first GPU is done at {time}, before the last arrives at {time}", ([first, last]) => {
    assert.ok(Math.min(...leaves) < Math.max(...arrivals));
    near(timeOf(first), Math.min(...leaves), digits[4], "first");
    near(timeOf(last), Math.max(...arrivals), digits[4], "last");
  });
  claim(
    "barrier's clock",
    "The last GPU arrives at {time}; the first leaves at {time}, after it",
    ([arrives, first]) => {
      near(timeOf(arrives), Math.max(...arrivals), digits[4], "arrives");
      near(timeOf(first), Math.min(...leaves), digits[4], "leaves");
      assert.ok(Math.min(...leaves) >= Math.max(...arrivals));
    },
  );
  claim("nothing to wait for", "With one GPU there is nothing to wait for", () => assert.equal(ranks, 1));
  const oneOf = values("collective_crossovers");
  const { methods } = table(engine, "collective_catalog");
  const able = methods.filter(
    (method) => method.collective === oneOf.collective && (!oneOf.one_port || method.one_port),
  );
  const timesOf = (size) =>
    able.flatMap(({ algorithm }) => {
      try {
        return [{ algorithm, us: engine.collective_cost({ ...inputs, algorithm, message_size_bytes: size }).time_us }];
      } catch {
        return [];
      }
    });
  const fastestAt = (name, size) => {
    const times = timesOf(size);
    const best = Math.min(...times.map(({ us }) => us));
    const said = times.find(({ algorithm }) => algorithm.replaceAll("_", "-") === name.toLowerCase());
    assert.ok(said && said.us <= best * 1.01, `${name} at ${size}: ${JSON.stringify(times)}`);
  };
  claim("fastest at every size", "([\\w-]+) is fastest at every size", ([name]) => {
    for (const size of [2 ** 10, 2 ** 20, 2 ** 30]) fastestAt(name, size);
  });
  claim("fastest by size", "Fastest: (.+) above\\.", ([all]) => {
    const parts = `${all} above`.split(", ").map((part) => /^([\w-]+) (?:up to (.+)|above)$/.exec(part));
    let from = 1;
    for (const [, name, size] of parts) {
      const to = size ? bytesOf(size) : from * 64;
      if (to > from * 1.05) fastestAt(name, Math.round(Math.sqrt(from * to)));
      from = to;
    }
  });
}
