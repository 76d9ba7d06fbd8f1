// The texts of views' parts below their sentences: derivations, schedules, how far a search is, a reader's own files.
import { drawnRequest } from "./claims/measured.mjs";
import { scenarioOf } from "./drawn.mjs";
import { elementOf } from "./pageless.mjs";
import { drawnMark, plainText } from "./text.mjs";

export const partModules = {
  scenario: "state/page-scenario.ts",
  running: "state/run.ts",
  schemes: "views/overlap/schemes.ts",
  derivation: "views/overlap/derivation.ts",
  pipeline: "views/step/pipeline.ts",
  progress: "views/plan/answer.ts",
  goodput: "views/serve/goodput.ts",
  runs: "state/own-runs.ts",
  ownRuns: "views/diagnose/own-runs.ts",
  causes: "views/diagnose/causes.ts",
  calibration: "views/diagnose/calibration.ts",
  logChart: "views/diagnose/log-chart.ts",
  bars: "views/diagnose/trace/profile-bars.ts",
};

function scenarioWith({ scenario }, engine, view, number, texts = {}) {
  const own = scenario.pageScenario(engine);
  own.reset({ ...scenarioOf(engine, view, number), ...texts });
  return own;
}

/** Overlap's derivation. */
export function derivationLines(page, engine, number) {
  const { schemes, derivation, running } = page;
  // Every scheme in turn, with something to send.
  const { id } = schemes.schemes[number % schemes.schemes.length];
  const scenario = scenarioWith(page, engine, "overlap", number, { scheme: id });
  const { results, inputs } = running.run(scenario, "overlap_ratio", schemes.askedOf(scenario, id));
  if (!(results?.communication_us > 0)) return [];
  return derivation
    .overlapDerivation(scenario.sizes, id, results, inputs)
    .flatMap((step) =>
      ["symbolic", "substituted", "result", "note"].map(
        (line) => `${id} ${step.name} ${line}: ${plainText(step[line])}`,
      ),
    );
}

const schedules = ["1f1b", "interleaved", "dualpipe", "zero_bubble", "gpipe"];

/** A pipeline's bars, each with its note. */
export function pipelineLines(page, engine, number) {
  const schedule = schedules[number % schedules.length];
  const scenario = scenarioWith(page, engine, "step", number, {
    ...{ pipeline_parallel: String(2 + 2 * (number % 2)), pipeline_schedule: schedule },
    ...(schedule === "interleaved" ? { virtual_stages: "2" } : {}),
  });
  const { results } = page.running.run(scenario, "training_step", { timeline: true });
  const chart = results && page.pipeline.pipelineChart(scenario, results);
  if (!chart) return [];
  return [
    `${chart.title} ${plainText(chart.summary)}`,
    `${schedule} draws: ${drawnMark(chart)}`,
    `legend: ${chart.legend.map(({ label }) => label).join(", ")}; until ${chart.format(chart.end)}`,
    ...chart.bars.map(({ lane, note, label }) => `${schedule}, ${chart.lanes[lane]}, ${label}: ${note}`),
  ];
}

/** How far searches are: each state with nothing found, something, and all. */
export function searchLines({ progress, goodput, running, ...page }, engine, number) {
  const found = running.run(scenarioWith(page, engine, "plan", number), "plan").results;
  const states = ["layouts", "counts", "cancelled", "finished"].flatMap((state) =>
    [undefined, found && { ...found, progress: 0.297 }].flatMap((found) =>
      [[], [{}], [{}, {}]].map((scaling) => ({ state, found, scaling, counts: scaling.length, elapsed_ms: 1234 })),
    ),
  );
  const simulated = [0, 1, 2].flatMap((count) =>
    ["simulating", "stopped", "done"].flatMap((state) =>
      [undefined, {}].map((last) => ({
        state,
        last,
        found: { progress: 0.3, loads: [...Array.from({ length: count }, () => ({ simulated: true })), {}] },
      })),
    ),
  );
  return [
    ...states.map((one) => `${one.state}, ${one.scaling.length}: ${plainText(progress.progressLine(one))}`),
    ...simulated.map(
      (one) => `under load, ${one.state}: ${plainText(Object.assign(new goodput.GoodputSearch(), one).status())}`,
    ),
  ];
}

/** A profile of so many devices that takes so much of the predicted step. */
function traceOf(devices, share, step) {
  const us = 1e3 * share * step.step_time_ms;
  const breakdown = {
    ...{ compute_only_us: 0.6 * us, overlapped_us: 0.1 * us, communication_only_us: 0.2 * us, idle_us: 0.1 * us },
    ...{ kernels: 1200, streams: devices === 1 ? [7] : [7, 20], communication_only_share: 0.2 },
  };
  const kernels = [
    { name: "gemm", calls: 30, time_us: 0.6 * us, communication: false },
    { name: "AllReduce", calls: 4, time_us: 0.3 * us, communication: true },
  ];
  const operators = [
    { name: "aten::mm", kernels: 30, time_us: 0.6 * us, host_us: 0.02 * us, pause_us: 0.01 * us },
    { name: "", kernels: 4, time_us: 0.3 * us, host_us: 0, pause_us: 0 },
  ];
  const device = (device) => ({ device, breakdown, kernels: kernels.slice(0, 2 - (device % 2)), operators });
  return {
    name: "trace",
    steps: devices,
    missing: "",
    devices: Array.from({ length: devices }, (_, at) => device(at)),
  };
}

/** The texts of a profile next to the predicted step. */
export function profileLines(page, engine, number) {
  const { results: step } = page.running.run(scenarioWith(page, engine, "step", number), "training_step");
  if (!step) return [];
  return [1, 2].flatMap((devices) =>
    [0.8, 1.003, 1.006, 1.5].flatMap((share) => {
      const trace = traceOf(devices, share, step);
      const chart = page.bars.profileBars(trace, step);
      return [
        `profile: ${chart.summary}`,
        `profile alone: ${page.bars.profileBars(trace, undefined).summary}`,
        ...chart.bars.map(
          ({ label, parts }) =>
            `bar ${label}: ${parts.map(({ name, value }) => `${name} ${chart.format(value)}`).join(", ")}`,
        ),
        `kernels: ${plainText(page.bars.kernelTable(trace))}`,
        `operators: ${plainText(page.bars.operatorTables(trace))}`,
      ];
    }),
  );
}

/** Steps that readers typed: of the job itself, another time again, of other layouts, and what is none. */
const typed = ["5200", "5200 ms\n9.1 s", "tp=1 5200 ms\ntp=2 4000 ms\ntp=4 9000", "tp=x 12\nnothing", "foo=1 3 s"];

/** What was measured of a job, and what it teaches. */
export function ownFileLines(page, engine, number) {
  const scenario = scenarioWith(page, engine, "diagnose", number);
  const request = drawnRequest(engine, scenario);
  if (!request) return [];
  const found = engine.diagnose(request);
  for (const run of page.runs.ownRuns().runs) page.runs.removeRun(run);
  const { runs, says } = page.runs.readRows(scenario, typed[number % typed.length]);
  page.runs.addRuns(runs);
  const logs = found.networks.map((judged, at) => {
    const { message_sizes_bytes: message_size_bytes, times_us: time_us, ...log } = request.network_logs[at];
    const chart = page.logChart.logChart(scenario, judged, { name: "log", message_size_bytes, time_us, ...log });
    const names = [...chart.series.map(({ name }) => name), ...chart.rules.map(({ label }) => label)].join(", ");
    return [`log: ${chart.title} ${chart.summary} ${names}`, `log ${judged.basis} draws: ${drawnMark(chart)}`];
  });
  const causes = elementOf(page.causes, { scenario, found });
  return [
    `read: ${says}`,
    ...logs.flat(),
    ...found.losses.map((loss) => `cause: ${plainText(causes.cause(loss))}`),
    ...found.parts.map((part) => `part: ${plainText(elementOf(page.calibration, { scenario, found }).line(part))}`),
    `runs: ${plainText(elementOf(page.ownRuns, { scenario }).table(runs, page.runs.fitOwnRuns(scenario)?.results))}`,
    `calibration: ${plainText(elementOf(page.calibration, { scenario, found }).render())}`,
  ];
}
