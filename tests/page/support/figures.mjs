// What the small figures say, each in the states that its reader can bring it to.
import { scenarioOf } from "./drawn.mjs";
import { elementOf } from "./pageless.mjs";
import { figureIds } from "./source.mjs";
import { drawnMark, plainText } from "./text.mjs";

const asks = true;
const flag = { tensor: 2, pipeline: 1 };

/** What a reader has done or is asked to do, by figure; at first it is shown as it comes. */
const states = {
  fit: [{ answered: true }, { held: 0 }, { held: 1000 }],
  knife: [{ way: "slices" }],
  cells: [{ way: "columns" }, { way: "rows" }],
  matrices: [{ asks }],
  guess: [
    { sends: [{ from: 1, to: 0 }] },
    {
      sends: [
        { from: 1, to: 0 },
        { from: 0, to: 1 },
      ],
    },
    { sender: 1 },
    { fault: { from: 1, to: 0, kind: "twice" } },
    { fault: { from: 1, to: 0, kind: "nothing new" } },
    { way: 1 },
    { way: 2 },
    { way: 3 },
  ],
  ring: [{ asks }, { guess: { ranks: 8, rounds: 14 } }, { guess: { ranks: 8, rounds: 1 } }],
  volume: [{ asks }, { asks, bars: [1, 1.5, 2] }, { asks, bars: [1, 1.5, 2], compared: true }],
  ideal: [{ asks }, { guess: 100, held: 1e6 }, { held: 4096 }, { held: 2 ** 32 }],
  switch: [{ adds: true }],
  cliff: [{ asks }, { asks, reached: 8 }],
  hide: [
    { answered: true },
    { refused: 0 },
    { refused: 3 },
    { moves: new Map([[3, 0]]) },
    { moves: new Map([[5, 1]]) },
  ],
  layout: [{ asks }, { asks, flag }, { asks, flag, compared: true }],
  front: [{ held: 0 }, { held: 30 }],
};

const moe = { model: "mixtral-8x7b", cluster_gpus: "16", data_parallel: "8", expert_parallel: "8" };

/** Scenarios at the edges of what figures tell apart; others are drawn behind them. */
const chosen = [
  {},
  { tensor_parallel: "1" },
  { tensor_parallel: "2" },
  { tensor_parallel: "8", overlap_tensor: "false" },
  // Messages so small against the work that all are hidden.
  { tensor_parallel: "2", sequence_length: "65536", bandwidth_gb_per_sec: "900" },
  { ...moe, tensor_parallel: "2" },
  { ...moe, tensor_parallel: "1" },
  { system: "dgx-h100", tensor_parallel: "16", cluster_gpus: "32" },
  { tensor_parallel: "1", context_parallel: "2" },
  // Nothing fits, and nothing can be divided so.
  { model: "gpt3-175b", cluster_gpus: "2" },
  { tensor_parallel: "7" },
  { hidden_size: "0" },
  // Two stages of one layer on two GPUs.
  { num_layers: "1", cluster_gpus: "2", tensor_parallel: "2" },
];

export const scenarioCount = chosen.length + 9;

const ids = await figureIds();

export const figureModules = {
  scenario: "state/page-scenario.ts",
  running: "state/run.ts",
  problems: "elements/problem-words.ts",
  ...Object.fromEntries(ids.map((id) => [id, `figures/${id}-figure.ts`])),
};

/** What a figure would let its worker search. */
async function sought({ running, problems }, figure) {
  const { scenario } = figure;
  const answer = running.run(scenario, "plan");
  if (answer.problems) return { wrong: problems.saidProblem(scenario, answer.problems[0].message) };
  return { found: await figure.search(async (given = {}) => running.run(scenario, "plan", given).results) };
}

/** The lines of all figures over the scenario of a number. */
export async function figureLines(page, engine, number) {
  const lines = [];
  for (const id of ids) {
    const scenario = page.scenario.pageScenario(engine);
    scenario.reset(chosen[number - 1] ?? scenarioOf(engine, "figure", number));
    const first = elementOf(page[id], { scenario });
    const found = first.search ? await sought(page, first) : {};
    for (const [at, state] of [{}, ...(states[id] ?? [])].entries()) {
      const figure = elementOf(page[id], { scenario, ...found, ...state });
      lines.push(
        `${id} ${at} tells: ${figure.told()}`,
        `${id} ${at} holds: ${plainText(figure.control())}`,
        `${id} ${at} draws: ${drawnMark(figure.picture())}`,
      );
    }
  }
  return lines;
}
