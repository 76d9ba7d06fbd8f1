// What exercises say of answers: right ones, slips, what cannot be read; and their hints, from the first to the last.
import { elementOf } from "./pageless.mjs";
import { drawnMark, plainText } from "./text.mjs";

export const exerciseModules = {
  scenario: "state/page-scenario.ts",
  element: "exercise/track-exercise.ts",
  layouts: "exercise/layout-grade.ts",
  check: "exercise/check.ts",
  verdict: "exercise/verdict.ts",
  derivation: "exercise/derivation.ts",
  hints: "exercise/hints.ts",
  judge: "exercise/judge.ts",
  vectors: "exercise/vectors.ts",
};

/** Slips that many make: of a factor, a unit, or nothing that is known. */
const factors = [1, 2, 1 / 2, 4, 1 / 4, 8, 1 / 8, 1e3, 1e-3, 1.0004, 1.024 ** 3, -1, 0, 1.37];

/** What number of which kind and level: all of them in turn. */
function whichOf(engine, number) {
  const tracks = engine.describe().pose_exercise.inputs.find(({ name }) => name === "track").choices;
  // A layout is chosen on a board.
  const kinds = tracks.filter((track) => track !== "layout");
  const [seed, at] = [Math.floor((number - 1) / (2 * kinds.length)) + 1, (number - 1) % (2 * kinds.length)];
  return { track: kinds[at >> 1], level: 1 + (at % 2), seed, edition: 2 };
}

export function exerciseLines({ scenario, element }, engine, number) {
  const which = whichOf(engine, number);
  const own = elementOf(element, { scenario: scenario.pageScenario(engine), ...which, figure: "" });
  own.figure = "";
  const { asked } = own.posed;
  const lines = [];
  const note = (when) => {
    lines.push(`${which.track}, ${when}: ${own.message}`);
    for (const row of asked) lines.push(`${which.track}, ${when}, ${plainText(own.entry(row))}`);
  };
  lines.push(`${which.track} ${which.level}, draws: ${drawnMark(own.render())}`);
  own.check();
  note("no answer");
  for (let press = 1; press <= 10; press++) {
    own.hint();
    if (press === 1 || press === 10) note(`hint ${press}`);
  }
  own.hints = {};
  const answer = (wrong, factor) => {
    own.texts = Object.fromEntries(
      asked.map(({ name, expected, choices }, at) => [
        name,
        choices !== "" && factor !== 1 && at >= wrong
          ? String((expected % choices.split("|").length) + 1)
          : String(at >= wrong && choices === "" ? expected * factor : expected),
      ]),
    );
    own.check();
  };
  for (const factor of factors.slice(1))
    for (const wrong of asked.keys()) {
      answer(wrong, factor);
      note(`from answer ${wrong + 1} on`);
    }
  own.texts = { [asked[0].name]: "2 +" };
  own.check();
  note("unreadable");
  answer(0, 1);
  note("right");
  lines.push(`${which.track}, solved, ${plainText(own.solution())}`);
  return lines;
}

/** Every layout of a board as a choice, and what the board shows before and after. */
export function layoutLines({ layouts }, engine, number) {
  const { given: all, choice_tolerance_percent: tolerance } = engine.pose_exercise({
    ...{ track: "layout", seed: number, level: 1 + (number % 2), edition: 2 },
  });
  const given = Object.fromEntries(all.map(({ name, value }) => [name, value]));
  const board = layouts.boardOf(engine, given);
  const place = { tensor: given.t, pipeline: given.p };
  const tiles = (open) =>
    layouts
      .tilesOf(board, { open, tried: [place], given: place, tolerance })
      .map(({ text, name }) => `${text}; ${name}`);
  return [
    ...board.cells.map((cell) => `judged: ${layouts.judgeLayout(board, cell, tolerance).words}`),
    `fastest: ${layouts.fastestWords(board, tolerance)}`,
    ...layouts.layoutHints(given).map((hint, at) => `hint ${at + 1}: ${hint}`),
    ...[false, true].flatMap((open) => tiles(open).map((words) => `${open ? "open" : "closed"} tile: ${words}`)),
  ];
}

const asThought = { batch_size: 1, sequence_length: 1000, hidden_size: 1000, bytes_per_element: 2, num_gpus: 2 };
/** A millisecond and a second are borders between time formats; one GPU and one layer send the least possible. */
const chosen = [
  { ...asThought, num_layers: 1, allreduces_per_layer: 1, bandwidth_gb_per_sec: 2 },
  { ...asThought, num_layers: 1000, allreduces_per_layer: 1, bandwidth_gb_per_sec: 2 },
  { ...asThought, num_layers: 2001, allreduces_per_layer: 1, bandwidth_gb_per_sec: 4 },
  { ...asThought, num_layers: 4, allreduces_per_layer: 2, bandwidth_gb_per_sec: 16.02 },
  { ...asThought, num_layers: 4, allreduces_per_layer: 2, bandwidth_gb_per_sec: 16, num_gpus: 1 },
];

const inputsOf = (engine, number) =>
  chosen[number - 1] ??
  engine.draw_exercise({ seed: number - chosen.length, level: 1 + (number % 3), edition: 2 }).inputs;

export function fourNumbersLines({ scenario, check, verdict, derivation, hints }, engine, number) {
  const own = scenario.pageScenario(engine);
  const usual = { bytes_per_element: 2, bandwidth_gb_per_sec: 300, allreduces_per_layer: 2 };
  const inputs = { ...usual, ...inputsOf(engine, number) };
  const results = engine.tensor_parallel_allreduce_cost(inputs);
  const steps = derivation.costDerivation(own.sizes, inputs, results);
  const lines = steps.flatMap((step) => [
    `${step.name}: ${[step.symbolic, step.substituted, step.result, step.otherwise, step.note].map(plainText).join("; ")}`,
    ...[1, 2, 3].map((which) => `${step.name} hint: ${plainText(hints.hint(step, which))}`),
  ]);
  for (const factor of [...factors, "two"])
    for (const wrong of steps.keys()) {
      const texts = Object.fromEntries(
        steps.map(({ name }, at) => [
          `answer_${name}`,
          at >= wrong ? (factor === "two" ? factor : String(results[name] * factor)) : String(results[name]),
        ]),
      );
      const { answers, errors } = check.checkAnswers(own, inputs, texts);
      for (const name of Object.keys(texts))
        lines.push(
          `${name} from ${wrong + 1} on: ${plainText(verdict.verdictOf(own, answers.get(name), errors.get(name), "right"))}`,
        );
    }
  return lines;
}

const traceback = (error, line = 3) =>
  `Traceback (most recent call last):\n  File "<stdin>", line 9, in <module>\n  File "function.py", line ${line}, in f\n${error}\n`;

/** What a learner's function may give for a right result, as Python tells it. */
const given = [
  ({ ...right }) => right,
  (right) => ({ ...right, message_size_bytes: right.message_size_bytes / 2 }),
  (right) => ({ ...right, comm_volume_per_allreduce_bytes: right.comm_volume_per_allreduce_bytes / 2 }),
  (right) => ({ ...right, comm_volume_per_allreduce_bytes: right.message_size_bytes }),
  (right) => ({ ...right, total_comm_volume_bytes: right.comm_volume_per_allreduce_bytes }),
  (right) => ({ ...right, total_comm_time_ms: right.total_comm_time_ms / 1000 }),
  (right) => ({ ...right, total_comm_time_ms: right.total_comm_time_ms * 1.37 }),
  (right) => ({ ...right, total_comm_time_ms: -1 }),
  (right) => ({ ...right, total_comm_time_ms: right.total_comm_time_ms + 0.00007 }),
  (right) => ({ ...right, more: 1 }),
  ({ total_comm_time_ms, ...right }) => ({ ...right, time_ms: total_comm_time_ms }),
  () => ({ kind: "NoneType", text: "None" }),
  () => ({ kind: "tuple", text: "(1, 2, 3, 4)" }),
  () => ({ kind: "list", text: "[1, 2, 3, 4]" }),
  () => ({ kind: "str", text: "'4'" }),
  () => ({ stopped: traceback("ZeroDivisionError: divide by zero") }),
  () => ({ stopped: traceback("ImportError: no module named 'numpy'", 1) }),
  () => ({ stopped: traceback("TypeError: unsupported types for __xor__: 'int', 'float'") }),
  () => ({ stopped: traceback("RuntimeError: maximum recursion depth exceeded") }),
  () => ({ stopped: "NameError: name 'x' isn't defined" }),
];

const ended = (value) =>
  value.kind || value.stopped
    ? value
    : {
        kind: "dict",
        text: `{${Object.entries(value)
          .map(([name, number]) => `'${name}': ${number}`)
          .join(", ")}}`,
        types: Object.fromEntries(
          Object.entries(value).map(([name, number]) => [name, Number.isInteger(number) ? "int" : "float"]),
        ),
      };

/** What ends a run before its calls do. */
const broken = [
  { late: true },
  { failed: "out of memory" },
  { loaded: { found: false } },
  { loaded: { stopped: traceback("SyntaxError: invalid syntax", 2) } },
  { loaded: { found: true }, late: true },
];

export const functionCount = given.length + broken.length;

export function functionLines({ scenario, vectors, judge }, engine, number) {
  const own = scenario.pageScenario(engine);
  const cases = vectors.vectors(engine, { seed: 1, levels: [1], edition: 2, count: 2 });
  const way = given[number - 1];
  const run = {
    ...{ printed: [], late: false, calls: [] },
    ...(way
      ? { loaded: { found: true }, calls: cases.map(({ expected }) => ended(way(expected))) }
      : broken[number - 1 - given.length]),
  };
  const { right, failed } = judge.judged(own, cases, run);
  return [
    `${right} of ${cases.length} right`,
    ...(failed ? [`called: ${failed.call}`, `line: ${failed.line}; ${failed.traceback.split("\n").join(" / ")}`] : []),
    ...(failed ? judge.saidOf(failed).map(([name, words]) => `${name || "all"}: ${words}`) : []),
  ];
}
