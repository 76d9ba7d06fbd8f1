import { exact, milliseconds, ms, percent, significant, us } from "../../state/format.js";
import { evenNeighbours } from "../../state/layout.js";
import { linkRate } from "../../state/machine.js";
import { nodesInWords } from "../../state/machine.js";
import { between } from "../../state/step.js";
import type { Facts } from "./facts.js";
import { type HeldNumber, type Prose, say } from "./prose.js";

/** A chapter asks, shows, and explains; its sentences follow from the facts alone. */
export interface Chapter {
  id: string;
  title: (facts: Facts) => string;
  ask: (facts: Facts) => Prose;
  /** A figure of the catalog; optional. */
  figure?: string;
  explain: (facts: Facts) => readonly Prose[];
  /** A question whose answer is a sentence, unfolded in place. */
  riddle?: (facts: Facts) => { ask: string; answer: Prose };
  /**
   * The kind of exercise that asks for it in place, and the link's words; without a kind, the four numbers in Practice.
   */
  practice?: { track?: string; words: string };
}

const held = (field: HeldNumber["field"], text: string): HeldNumber => ({ field, text });
const size = ({ scenario }: Facts, bytes: number): string => scenario.sizes.bytes(bytes, 3);
const message = (facts: Facts): string => facts.scenario.sizes.binaryBytes(facts.exercise.message_size_bytes, 3);
const times = (value: number): string => significant(value, 2);
/** The scenario's own group, which can be dragged, or the example that replaces a single GPU. */
const gpus = ({ group, example }: Facts): Prose =>
  group === 1 ? [`${example} GPUs`] : [held("tensor_parallel", `${exact(group)} GPUs`)];
const some = (count: number, one: string, more = `${one}s`): string => `${exact(count)} ${count === 1 ? one : more}`;
const tokens = (facts: Facts): HeldNumber => {
  const length = facts.scenario.number("sequence_length");
  return held("sequence_length", exact(length));
};

/** Layers whose weights fit on one GPU. */
const layersOnOne = ({ weightBytes, memoryBytes, layers }: Facts): number | undefined =>
  weightBytes === undefined || memoryBytes === undefined
    ? undefined
    : Math.min(layers, Math.floor(memoryBytes / (weightBytes / layers)));

const fits = (facts: Facts): boolean | undefined => {
  const most = layersOnOne(facts);
  return most === undefined ? undefined : most >= facts.layers;
};

/** GELU by its definition, to the two digits that are shown. */
const gelu = (x: number): number => {
  // The error function by Abramowitz and Stegun 7.1.26, to 1.5e-7.
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * z);
  const tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const erf = (1 - tail * Math.exp(-z * z)) * Math.sign(x);
  return (x * (1 + erf)) / 2;
};

/** The text before the first chapter. */
export function lead(facts: Facts): Prose {
  const { model, group, kvHeads, uneven, calls, pass } = facts;
  const heads = facts.scenario.number("num_heads");
  if (group === 1)
    return say`${model} on ${held("tensor_parallel", "one GPU")} sends nothing. Give it a second GPU to share the work, and in every layer the two must stop and add up what each has computed. This article is about what that costs.`;
  const time = pass
    ? say` On ${nodesInWords(facts.scenario, pass.nodes)} that takes about ${milliseconds(pass.total_ms, 2)} (${between(pass.total_low_ms, pass.total_high_ms, 2)}).`
    : uneven
      ? say` (Its ${exact(heads)} attention heads${kvHeads < heads ? ` and ${some(kvHeads, "key-value head")}` : ""} can’t be split evenly over that many. Try ${evenNeighbours(group, heads, kvHeads).join(" or ")}.)`
      : say``;
  return say`Split ${model} over ${held("tensor_parallel", `${exact(group)} GPUs`)} and they stop ${some(calls, "time")} in every forward pass to add up ${message(facts)} of partial results.${time} Where does that number come from, why can’t it be smaller, and when is it worth paying?`;
}

const fit: Chapter = {
  id: "fit",
  title: (facts) => (fits(facts) === false ? "It doesn’t fit" : "Does it fit?"),
  ask: (facts) =>
    say`How many of the ${some(facts.layers, "layer")} of ${facts.model} would you get onto one ${facts.gpu}? Guess, then fill it.`,
  figure: "fit",
  explain(facts) {
    const { model, parameters, weightBytes, memoryBytes, gpu, layers, trainingBytes } = facts;
    if (parameters === undefined || weightBytes === undefined || memoryBytes === undefined)
      return [say`A model’s weights have to be in a GPU’s memory to be used.`];
    const weights = say`A model is a stack of layers. Each has two parts, attention and an MLP, and both are mostly matrices of numbers, the weights. A forward pass runs tokens through all layers, once. A model’s weights have to be in a GPU’s memory to be used. ${model} has ${significant(parameters / 1e9, 3)} billion of them, ${size(facts, weightBytes)} in all. One ${gpu} has ${size(facts, memoryBytes)}.`;
    const most = layersOnOne(facts)!;
    const verdict =
      most < layers
        ? say` ${most === 0 ? "Not even one layer fits" : `${some(most, "layer")} of ${exact(layers)} fill it`}, with no memory left to work in. So the model has to be split over several GPUs.`
        : say` All ${some(layers, "layer")} fit, and ${size(facts, memoryBytes - weightBytes)} is left for everything else. You would split this model for speed, or to train it.`;
    const training =
      trainingBytes === undefined
        ? []
        : [
            say`Training needs more. With gradients and the optimizer’s state, each parameter takes ${significant(trainingBytes, 3)} bytes: ${size(facts, trainingBytes * parameters)} in all, before any activations, the numbers that layers hand on, are kept.`,
          ];
    return [[...weights, ...verdict], ...training];
  },
  practice: { track: "memory", words: "how much memory does each GPU need?" },
};

const ways: Chapter = {
  id: "cut",
  title: () => "Two ways to cut",
  ask: () => say`The layers work one after another. Where would you cut? Turn the knife.`,
  figure: "knife",
  explain(facts) {
    const { exercise, group, share, calls } = facts;
    const sent = share * exercise.message_size_bytes * calls;
    const one = exercise.message_size_bytes;
    return [
      say`Cut between the layers, and each GPU gets a stretch of the model. This is pipeline parallelism (PP). Little is sent: a GPU passes its last layer’s output on, ${message(facts)}, once in a forward pass. But a token’s layers still come one after another, so while one GPU works on it, the others need other tokens to work on, or wait.`,
      say`Cut through every layer, and each GPU gets a slice of every matrix. This is tensor parallelism (TP). All GPUs work on the same tokens at the same time, so a pass gets shorter. The price: no GPU has a complete result, and they have to meet in every layer. Over ${gpus(facts)} each of them sends ${size(facts, sent)} in a forward pass, ${times(sent / one)} times as much as one hand-over of a pipeline.${group === 1 ? " (With one GPU, as now, there is nothing to send.)" : ""}`,
      say`The rest of this article is about the second cut.`,
    ];
  },
  practice: { track: "memory", words: "does a model fit, cut like this?" },
};

const matrix: Chapter = {
  id: "matrix",
  title: () => "Columns, then rows",
  ask: () =>
    say`Two GPUs share a matrix. Which half of it can a GPU finish by itself: half of the columns, or half of the rows?`,
  figure: "cells",
  explain(facts) {
    const { group, scenario, experts } = facts;
    const heads = scenario.number("num_heads");
    const even = group > 1 && heads % group === 0;
    return [
      say`Take one output number: the input (1, 2, 3, −1) times one column of the matrix, (1, −2, 1, 2). That is 1·1 − 2·2 + 3·1 − 1·2 = −2. A GPU that owns the whole column computes it alone.`,
      say`Cut the matrix by rows instead. One GPU has the upper half of every column and the input’s first half: 1·1 − 2·2 = −3. The other has the lower half: 3·1 − 1·2 = 1. Neither is the answer. Their sum is.`,
      say`Then why not cut every matrix by columns? Because the next matrix needs the whole input, and each GPU would hold only a part of it. Rows need only a part: a GPU that has computed some columns of the first product has exactly the inputs for the same rows of the second matrix. So: columns first, then rows, and nothing is sent between the two.`,
      say`The order matters, because a nonlinear function, such as GELU, sits between the two matrices of an MLP. It can be applied to a finished sum, not to its parts: GELU(3) + GELU(−2) is ${(gelu(3) + gelu(-2)).toFixed(2)}, but GELU(3 − 2) is ${gelu(1).toFixed(2)}. Columns give finished sums; rows first would have to be added up before the GELU.`,
      say`Attention is cut in the same way. Heads are groups of columns${even ? `: with ${exact(heads)} heads over ${exact(group)} GPUs, each GPU has ${exact(heads / group)}` : ""}. The output projection behind them is cut by rows.${experts > 1 ? " This model’s MLP consists of experts. Where their matrices are split in this way, all of this holds for them. Placing whole experts on different GPUs (expert parallelism) sends tokens instead, and isn’t counted here." : ""}`,
    ];
  },
  practice: { track: "partition", words: "what does each way of cutting send?" },
};

const sheets: Chapter = {
  id: "sum",
  title: () => "What must be added",
  ask: (facts) =>
    say`After the second matrix, each of ${gpus(facts)} holds a result. Is it a part of the output, or as large as all of it? Lift sheets off, or lay more on.`,
  figure: "matrices",
  explain(facts) {
    const { scenario, exercise, callsPerLayer, layers, calls } = facts;
    const batch = scenario.number("batch_size");
    const hidden = scenario.number("hidden_size");
    const bytes = scenario.number("bytes_per_element");
    return [
      say`As large as all of it. Each GPU has a value for every number of the output, but that value is only one term of a sum. ${held("batch_size", exact(batch))} × ${tokens(facts)}${scenario.number("sequence_length") === 1 ? " token" : " tokens"} × ${exact(hidden)} numbers × ${some(bytes, "byte")} = ${exact(exercise.message_size_bytes)} bytes: ${message(facts)}, on each GPU.`,
      say`More GPUs make the slices of the matrices thinner. They don’t make this sheet of numbers any smaller: there are just more sheets, one on each GPU.`,
      say`The sheets must be added, number by number, and every GPU needs the total to go on. That is an all-reduce. A layer needs ${callsPerLayer === 2 ? "two, one after attention and one after the MLP" : callsPerLayer === 1 ? "one" : some(callsPerLayer, "all-reduce")}. ${some(layers, "layer")}, ${some(calls, "all-reduce")} in a forward pass.`,
    ];
  },
  riddle(facts) {
    const { example: n, exercise } = facts;
    return {
      ask: "twice the batch, or twice the GPUs: which makes the sheet larger?",
      answer: say`Twice the batch: ${facts.scenario.sizes.binaryBytes(2 * exercise.message_size_bytes, 3)}. Twice the GPUs only means more of them: ${exact(2 * n)} sheets, each still ${message(facts)}.`,
    };
  },
  practice: { words: "work out the four numbers" },
};

const guess: Chapter = {
  id: "guess",
  title: () => "How would you add them?",
  ask: (facts) =>
    say`${exact(facts.example)} GPUs, a sheet on each, and each can send to one GPU and receive from one at a time. Draw who sends to whom until every GPU has the total.`,
  figure: "guess",
  explain(facts) {
    const { example: n, share } = facts;
    return [
      say`The obvious way: all the others send to one GPU, which adds and then sends the total back. That GPU takes in ${some(n - 1, "sheet")}, one after another, and sends ${some(n - 1, "sheet")} out again. All of it goes through one link and takes the time of ${some(2 * (n - 1), "sheet")}.${n > 3 ? ` A tree is better: pairs first, then pairs of pairs, and the total back down the same way, in the time of ${some(2 * Math.ceil(Math.log2(n)), "sheet")}.` : ""}${n > 2 ? " Still, some links are idle at any moment." : ""}`,
      say`To do better, keep every link busy. Cut the sheets into ${exact(n)} chunks and let each GPU be the one that adds one of them. Then the work of that one link is shared by all ${exact(n)}, and takes the time of ${significant(share, 3)} ${share === 1 ? "sheet" : "sheets"}, 1/${exact(n)} of ${exact(2 * (n - 1))}.`,
    ];
  },
  riddle({ example: n, share }) {
    const twice = 2 * n;
    return {
      ask: `with ${exact(twice)} GPUs instead of ${exact(n)}, how much longer does each of these two ways take?`,
      answer: say`Through one GPU: the time of ${some(2 * (twice - 1), "sheet")} instead of ${exact(2 * (n - 1))}, ${times((twice - 1) / (n - 1))} times as long. In chunks: ${significant((2 * (twice - 1)) / twice, 3)} instead of ${significant(share, 3)}, and always fewer than two.`,
    };
  },
};

const ring: Chapter = {
  id: "ring",
  title: () => "The ring",
  ask: (facts) =>
    say`Each GPU cuts its sheet into ${exact(facts.example)} chunks and in every round passes one chunk to the next GPU. After how many rounds does every GPU have every total?`,
  figure: "ring",
  explain(facts) {
    const { example: n, exercise, share } = facts;
    const sent = share * exercise.message_size_bytes;
    return [
      say`Follow one chunk; the figure gives each a circle of its own. In the first lap each GPU adds its own part to what arrives and passes the sum on. After ${some(n - 1, "round")} the chunk has been at every GPU, and the last one holds its total. All ${exact(n)} chunks travel at the same time, each from a different start, so by then each GPU holds the total of one.`,
      say`The second lap hands the totals out: another ${some(n - 1, "round")}. That is 2 · (${exact(n)} − 1) = ${some(2 * (n - 1), "round")}, each sending 1/${exact(n)} of the message. Every GPU sends ${share === 1 ? "as much as the message" : `${significant(share, 4)} times the message`}: ${size(facts, sent)}.`,
    ];
  },
  practice: { track: "ring_rounds", words: "how many rounds does a ring take?" },
};

const twice: Chapter = {
  id: "twice",
  title: () => "Why twice, and never more",
  ask: () =>
    say`Double the number of GPUs, again and again. Does each of them send twice as much, half as much, or about the same? Draw how it goes on.`,
  figure: "volume",
  explain: () => [
    say`About the same, once there are a few. More GPUs mean more rounds of smaller chunks, and 2(n − 1)/n creeps towards 2: once the message with 2 GPUs, 1.5 times with 4, 1.75 times with 8, 1.97 times with 64. It never gets there. So more GPUs add few bytes, but they never save any either.`,
    say`Could something cleverer send less? Not while the GPUs do the adding. For each chunk, n − 1 GPUs hold a part that has to leave them, or its total could not be complete; and once the total exists somewhere, it has to reach n − 1 others. That makes 2(n − 1) chunks on the move for every chunk of the message, shared by n GPUs: 2(n − 1)/n. The ring meets this bound exactly.`,
  ],
  riddle(facts) {
    const { example: n, share, exercise } = facts;
    const most = 1.998;
    return {
      ask: "what does each of 1,000 GPUs send?",
      answer: say`${most} times the message: ${size(facts, most * exercise.message_size_bytes)}, ${percent(100 * (most / share - 1), 2)} more than each of ${exact(n)}.`,
    };
  },
  practice: { words: "work out what each GPU sends" },
};

const links: Chapter = {
  id: "links",
  title: () => "Real links",
  ask(facts) {
    const { small } = facts;
    return small
      ? say`The textbook formula divides bytes by the links’ rated speed. For an all-reduce of 1 MB over ${gpus(facts)} it gives ${us(small.textbook_us, 2)}. What would you measure?`
      : say`The textbook formula divides bytes by the links’ rated speed. What would you measure?`;
  },
  figure: "ideal",
  explain(facts) {
    const { small, call, example, published } = facts;
    if (!small || !call) return [say`Real calls need time to start, and links rarely reach their rated speed.`];
    const [smallTimes, largeTimes] = [small.time_us / small.textbook_us, call.time_us / call.textbook_us];
    const first =
      smallTimes >= 1.2
        ? say`Expect ${us(small.time_us, 2)}, ${times(smallTimes)} times the formula. Before the first byte moves, a kernel has to start and the GPUs have to find each other ready: ${us(small.latency_part_us, 2)} even for an empty message. Small messages pay mostly for that.`
        : say`Expect ${us(small.time_us, 2)}, close to the formula: on this machine even a message of 1 MB takes long compared with the ${us(small.latency_part_us, 2)} that every call needs to start.`;
    const versus =
      largeTimes > 1.05
        ? `${times(largeTimes)} times the formula’s ${us(call.textbook_us, 2)}: ${call.nodes > 1 || call.plateau_bus_bandwidth_gb_per_sec < (linkRate(facts.scenario) ?? Infinity) ? "some of that is start-up, the rest is links that don’t reach their rated speed" : call.ramp_part_us > 0 ? "that is start-up and the filling of the links, which larger messages hide" : "that is start-up, which larger messages hide"}`
        : largeTimes < 0.95
          ? `less than the formula’s ${us(call.textbook_us, 2)}. ${call.algorithm === "in_network" ? "How a call can be faster than that is the next chapter’s subject" : call.nodes > 1 ? "The formula takes the slowest link for all bytes; those that stay within a node are faster" : "The links do better than their rating says"}`
          : `about what the formula gives`;
    const dots =
      published === undefined || call.allreduce_kernel !== "nccl"
        ? say``
        : published === 0
          ? say` We know of no published measurement of ${exact(example)} such GPUs, run like this, so treat the range with caution.`
          : say` The dots are ${published === 1 ? "a published measurement series" : `${exact(published)} published measurement series`} of ${exact(example)} GPUs with such links.`;
    return [
      first,
      [
        ...say`Our ${message(facts)} should take ${us(call.time_us, 2)} (${call.basis === "estimated" ? "an estimate; perhaps" : "80 % of measurements fall"} between ${us(call.low_us, 2)} and ${us(call.high_us, 2)}), ${versus}.`,
        ...dots,
      ],
    ];
  },
  practice: { track: "latency", words: "when does start-up outweigh the bytes?" },
};

const adds: Chapter = {
  id: "switch",
  title: () => "The switch that adds",
  ask: () =>
    say`Nothing sends less than the ring while the GPUs do the adding. What if they don’t have to? Press the switch.`,
  figure: "switch",
  explain(facts) {
    const { by, group, machine, onUs, offUs, busRate, linkRate } = facts.reduction;
    const bound = (2 * (group - 1)) / group;
    // Its message, and the share that it has added for the others.
    const sent = 1 + 1 / group;
    const gain = offUs / onUs;
    const where =
      by === "another machine"
        ? `On ${facts.machine || "this machine"} they do: its links have no switch that adds. On a ${machine} they don’t`
        : by === "another group"
          ? `On ${machine} they don’t: with ${exact(group)} GPUs, NCCL lets the switches add. (With ${facts.group === 1 ? "one GPU" : `the ${exact(facts.group)} GPUs chosen here`} it doesn’t.) The trick works like this`
          : `On ${machine} they don’t`;
    const saved =
      gain >= 1.02
        ? `Expect ${us(onUs, 2)} instead of ${us(offUs, 2)} for ${message(facts)} over ${exact(group)} GPUs: ${significant(gain, 3)} times as fast. Bytes alone would promise ${significant(bound / sent, 3)}; the switch has limits of its own`
        : `For ${message(facts)} over ${exact(group)} GPUs that saves little or nothing: expect ${us(onUs, 2)} with it and ${us(offUs, 2)} without`;
    const bus =
      linkRate !== undefined && busRate > linkRate
        ? say` It also explains measurements that look impossible: benchmarks convert times as if a ring had run, and so report ${significant(busRate, 3)} GB/s on links of ${significant(linkRate, 3)}.`
        : say``;
    return [
      say`${where}. Each GPU sends its sheet up to the switch once. The switch adds, and sends the total down once. With the share that it hands on for the others, each GPU has sent the message ${significant(sent, 3)} times instead of ${significant(bound, 3)}, and there are no laps to wait for. NVIDIA calls this NVLink SHARP; in the logs of NCCL, its communication library, it is NVLS.`,
      [...say`${saved}.`, ...bus],
    ];
  },
  practice: { track: "utilization", words: "how much of a link does a measured call use?" },
};

const day: Chapter = {
  id: "day",
  title: () => "A layer’s day",
  ask: () => say`Twice the GPUs, half the compute for each. Does a layer take half as long? Pull more GPUs in.`,
  figure: "cliff",
  explain(facts) {
    const { days = [], border, callsPerLayer } = facts;
    const inside = days.filter(({ group, nodes }) => group > 1 && nodes === 1);
    const [first, last] = [inside[0], inside.at(-1)];
    const compared = first && last && last.group > first.group;
    const halves = compared && last.us <= (first.us * first.group) / last.group;
    const sums =
      callsPerLayer === 1
        ? "the message of the layer’s all-reduce doesn’t"
        : `the messages of the layer’s ${callsPerLayer === 2 ? "two" : exact(callsPerLayer)} all-reduces don’t`;
    const shares = compared
      ? ` With ${some(first.group, "GPU")} a layer’s forward pass takes ${us(first.us, 2)}, and for ${percent(first.waitsPercent, 2)} of that time the GPUs just wait. With ${some(last.group, "GPU")} it takes ${us(last.us, 2)}, and they wait for ${percent(last.waitsPercent, 2)}.`
      : "";
    const paragraphs: Prose[] = [
      say`${halves ? "Here it does." : "No."} Each GPU has less to compute, but ${sums} shrink.${shares}`,
    ];
    if (border) {
      const link = border.linkRate / border.networkRate;
      const cost = border.outsideUs / border.insideUs;
      const slower =
        link > 1.1
          ? say`Now leave the node. Inside, a GPU’s links carry ${significant(border.linkRate, 3)} GB/s; its share of the network carries ${significant(border.networkRate, 3)}, ${times(link)} times less.`
          : say`Now leave the node. Its network carries ${significant(border.networkRate, 3)} GB/s for each GPU, no less than the links inside, ${significant(border.linkRate, 3)} GB/s.`;
      const both = `${us(border.outsideUs, 2)} over ${exact(border.outside)} GPUs in two nodes, against ${us(border.insideUs, 2)} over ${exact(border.inside)} in one`;
      const cliff =
        cost < 1.05
          ? say` The same ${message(facts)} take about as long: ${both}.`
          : link > 1.1 && cost < 0.8 * link
            ? say` So is an all-reduce ${times(link)} times slower? If one ring went through one card, about. But the rings use all of a node’s cards at once, each for its part of the message. The same ${message(facts)} take ${both}: ${times(cost)} times as long.`
            : say` The same ${message(facts)} take ${both}: ${times(cost)} times as long.`;
      paragraphs.push([...slower, ...cliff]);
    }
    return paragraphs;
  },
  practice: { track: "node_border", words: "what does the ninth GPU cost?" },
};

/** Which of TP and DP sends less for a layer, and from how many tokens on that reverses. */
function sidesWords({ example, sides }: Facts): readonly Prose[] {
  if (!sides) return [];
  const { ratio, printed_ratio, step_tokens, even_tokens } = sides;
  const shown = significant(ratio >= 1 ? ratio : 1 / ratio, 3);
  const verdict =
    shown === "1"
      ? "TP and DP send about the same"
      : ratio > 1
        ? `TP sends ${shown} times what DP does`
        : `DP sends ${shown} times what TP does`;
  return [
    say`TP or DP: which sends more? That depends on T, the tokens of a training step. For each layer TP adds up activations, some T × hidden numbers each time, and DP adds up the layer’s gradients, once. As a rule of thumb, TP sends T/(3h) times what DP does, where h is the hidden size: here ${significant(printed_ratio, 3)}. With this model’s own parameters and number formats, a training step of ${some(step_tokens, "token")} over ${exact(example)} GPUs is ${step_tokens >= even_tokens ? "above" : "below"} the ${exact(Math.round(even_tokens))} at which both are equal: ${verdict}.`,
  ];
}

const hiding: Chapter = {
  id: "hide",
  title: () => "What can be hidden",
  ask: () =>
    say`While sums travel, the next matrix waits for them. Is there anything else that the GPUs could compute meanwhile? Drag work into the gaps.`,
  figure: "hide",
  explain(facts) {
    const { hidden, group } = facts;
    const none = hidden && hidden.hiddenUs < hidden.us * 1e-6;
    const layer =
      hidden === undefined || hidden.us === 0
        ? []
        : [
            say`In one layer, forward and backward over ${gpus(facts)}, communication should take ${us(hidden.us, 2)}. With the chosen software, ${none ? "none of that is hidden" : hidden.exposedUs < hidden.us * 1e-6 ? "all of that is hidden" : `${us(hidden.hiddenUs, 2)} of that is hidden behind compute; for ${us(hidden.exposedUs, 2)} the GPUs wait`}.`,
          ];
    return [
      say`The next matrix needs every number of TP’s total, so in the forward pass there is nothing else to do. Training has a backward pass too. For each matrix it computes an input gradient, which the matrix before it waits for, and a weight gradient, which nothing needs before the weights are updated. So weight gradients can be computed while sums travel, if the software does so.${group === 1 ? " (One GPU sends nothing.)" : ""}`,
      ...layer,
      say`Gradients are patient. Replicas (data parallelism, DP) add them up once a step, and the gradients of the last layers can travel while the layers before them still compute. A pipeline’s hand-over is small, and other micro-batches can fill the wait. That is why TP’s bytes hurt more than the same bytes of DP or PP.`,
      ...sidesWords(facts),
    ];
  },
  practice: { track: "overlap", words: "how much can compute hide?" },
};

const choice: Chapter = {
  id: "choose",
  title: () => "Choose",
  ask: (facts) =>
    say`${held("cluster_gpus", some(facts.cluster, "GPU"))} to train ${facts.model}. How many of them should share each matrix, and into how many stages do you cut the layers? Plant a flag, then compare.`,
  figure: "layout",
  explain: () => [
    say`Two forces pull. Memory decides how finely you must cut a model: weights, gradients, optimizer state and activations have to find room. Time tells you how to cut: TP makes GPUs wait, PP leaves bubbles, and replicas need a full copy each, or pieces of it that they fetch.`,
    say`For each pair of degrees the figure searches everything else, replicas, recomputation, sharding and more, and shows the best layout that fits. Layouts within a few percent of each other are within noise: measure both, or take the simpler one.`,
  ],
  practice: { track: "layout", words: "choose a layout, and hear how much slower it is than the fastest" },
};

const home: Chapter = {
  id: "home",
  title: () => "Take home",
  ask: () => say`If you remember only four lines, make it these.`,
  explain: () => [],
  riddle({ example: n, share }) {
    const doubled = (2 * (2 * n - 1)) / (2 * n);
    return {
      ask: "twice the bandwidth, half the tokens, twice the GPUs: which of them halve the textbook’s time?",
      answer: say`The first two: a byte takes half the time, or there are half as many. Twice the GPUs make it ${percent(100 * (doubled / share - 1), 2)} longer: 2(n − 1)/n grows from ${significant(share, 3)} to ${significant(doubled, 3)}.`,
    };
  },
  practice: { words: "now write the function that computes them" },
};

/** The card's lines: name and value. */
export function card(facts: Facts): readonly (readonly [string, string])[] {
  const { scenario, exercise, group, calls, pass, days = [] } = facts;
  const text = (name: string) => exact(scenario.number(name));
  const today = days.find((one) => one.group === group);
  return [
    [
      "Message",
      `batch × sequence × hidden × bytes = ${text("batch_size")} × ${text("sequence_length")} × ${text("hidden_size")} × ${text("bytes_per_element")} = ${message(facts)}`,
    ],
    [
      "Sent by each GPU",
      group === 1
        ? "2(n − 1)/n × message: nothing with n = 1"
        : `2(n − 1)/n × message = ${size(facts, exercise.comm_volume_per_allreduce_bytes)} with n = ${exact(group)}; ${some(calls, "time")} in a forward pass: ${size(facts, exercise.total_comm_volume_bytes)}`,
    ],
    [
      "Time",
      group === 1 || !pass
        ? `bytes / bandwidth = ${ms(exercise.total_comm_time_ms)} by the textbook`
        : `bytes / bandwidth = ${ms(exercise.total_comm_time_ms)} by the textbook; expect ${milliseconds(pass.total_ms, 2)} (${between(pass.total_low_ms, pass.total_high_ms, 2)}) on ${nodesInWords(scenario, pass.nodes)}`,
    ],
    [
      "Waiting",
      today && group > 1
        ? `${percent(today.waitsPercent, 2)} of a layer’s forward pass, which takes ${us(today.us, 2)}`
        : group === 1
          ? "none on one GPU"
          : "…",
    ],
  ];
}

/** What else to remember: when TP costs more than it gains, if this machine has such a point. */
export function rule(facts: Facts): Prose {
  const { days = [], startUpTokens } = facts;
  const worse = days.find((_, index) => days.slice(index).every(({ waitsPercent }) => waitsPercent > 50));
  const most = days.filter(({ group }) => group > 1).at(-1);
  const share = worse
    ? `From TP ${exact(worse.group)} on, GPUs wait more than they compute.`
    : most
      ? most.waitsPercent <= 50 && days.every(({ waitsPercent }) => waitsPercent <= 50)
        ? `Up to TP ${exact(most.group)}, GPUs compute for longer than they wait.`
        : ""
      : "";
  const small = startUpTokens
    ? ` Up to ${some(startUpTokens, "token")} at a time, at least half of every all-reduce is start-up.`
    : "";
  return say`Rule of thumb: use TP for what memory or latency demands, inside the fast links first. ${share}${small}`;
}

export const chapters: readonly Chapter[] = [
  fit,
  ways,
  matrix,
  sheets,
  guess,
  ring,
  twice,
  links,
  adds,
  day,
  hiding,
  choice,
  home,
];
