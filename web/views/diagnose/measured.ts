import type { DiagnoseResults } from "#engine";
import { calibratedFields } from "../../state/calibration.js";
import { collectiveLog, diagnosed, isCompared, type Measured } from "../../state/diagnosis/request.js";
import { say, takeBack } from "../../state/launched.js";
import { own, type OwnRun } from "../../state/own.js";
import type { OwnCurve } from "../../state/own-log.js";
import { ownRuns } from "../../state/own-runs.js";
import { problemsOf, type Answer } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";

/** A file that was given, what was found in it, and how to take it away. */
export interface GivenFile {
  name: string;
  found: string;
  remove: () => void;
}

/** The last run of a log: the one that is held against what is expected. */
const lastRun = () => ownRuns().runs.at(-1);

const logs = () => {
  const log = own.get("log");
  return log ? [{ name: log.name, text: log.text }, ...(log.others ?? [])] : [];
};

/** Takes one log away and leaves the others. */
function removeLog(at: number): void {
  const [first, ...others] = logs().filter((_, place) => place !== at);
  if (first) own.set("log", { ...first, others });
  else own.remove("log");
}

function removeDevice(device: number): void {
  const trace = own.get("trace")!;
  const devices = trace.devices.filter((one) => one.device !== device);
  if (devices.length > 0) own.set("trace", { ...trace, devices });
  else own.remove("trace");
}

const read = new Map<string, ReturnType<typeof collectiveLog>>();

function collectives(scenario: Scenario) {
  return logs().map(({ name, text }) => {
    if (!read.has(text)) read.set(text, collectiveLog(scenario.engine, text));
    return { name, log: read.get(text) };
  });
}

/** The logs that are compared with a machine, in the order of the engine’s verdicts. */
export function comparedLogs(scenario: Scenario): OwnCurve[] {
  return collectives(scenario).flatMap(({ name, log }) => {
    if (!isCompared(log)) return [];
    const points = [...log.points].sort((a, b) => a.message_size_bytes - b.message_size_bytes);
    return [
      {
        name,
        collective: log.collective,
        num_gpus: log.ranks,
        message_size_bytes: points.map((point) => point.message_size_bytes),
        time_us: points.map((point) => point.time_us),
      },
    ];
  });
}

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

/** Every file that the diagnosis rests on. */
export function givenFiles(scenario: Scenario): GivenFile[] {
  const { runs, ...held } = ownRuns();
  const trace = own.get("trace");
  const launch = own.get("launch");
  const samples = own.get("samples");
  return [
    ...runs.slice(-1).map((run) => ({
      name: run.name,
      found: `training log, ${count(run.step_times_ms?.length ?? 1, "step")}`,
      remove: () => own.set("runs", { ...held, runs: runs.slice(0, -1) }),
    })),
    ...(launch
      ? [
          {
            name: launch.name,
            found: [
              `launch of ${launch.stack}, ${count(launch.found, "input")}`,
              ...(launch.not_said.length > 0 ? [`it does not say ${launch.not_said.join(", ")}`] : []),
              ...(launch.not_understood.length > 0 ? [`not understood: ${launch.not_understood.join(", ")}`] : []),
            ].join("; "),
            remove: () => takeBack(scenario),
          },
        ]
      : []),
    ...(trace?.devices ?? []).map(({ device, steps, rows }) => ({
      name: trace!.devices.length === 1 ? trace!.name : `rank ${device}`,
      found: `profile of rank ${device}, ${count(steps ?? trace!.steps, "step")}${
        rows?.some(({ m }) => (m ?? 0) > 0) ? "" : "; no shapes of products (record_shapes=True adds them)"
      }`,
      remove: () => removeDevice(device),
    })),
    ...collectives(scenario).map(({ name, log }, at) => ({
      name,
      found: isCompared(log)
        ? `nccl-tests, ${log.collective.replaceAll("_", "-")} on ${log.ranks} GPUs`
        : "nccl-tests, but not which collective on how many GPUs: not compared",
      remove: () => removeLog(at),
    })),
    ...(samples
      ? [
          {
            name: samples.name,
            found: `nvidia-smi, ${count(samples.gpus.length, "GPU")}`,
            remove: () => own.remove("samples"),
          },
        ]
      : []),
  ];
}

let last: { key: string; answer: Answer<DiagnoseResults> } | undefined;

/** The job that the files are held against. */
export const ranJob = (job: Scenario): Scenario => (job.alone ? job : jobOf(job, lastRun()));

/** What the files say of the job; nothing where there are none. */
export function diagnosis(job: Scenario): Answer<DiagnoseResults> | undefined {
  if (job.alone) return undefined;
  const run = lastRun();
  const trace = own.get("trace");
  const samples = own.get("samples");
  const compared = collectives(job).flatMap(({ log }) => log ?? []);
  if (!run && !trace && !samples && compared.length === 0) return undefined;
  const measured: Measured = {
    step_times_ms: run?.step_times_ms ?? (run ? [run.measured_step_ms] : []),
    devices: trace?.devices ?? [],
    steps: trace?.steps ?? 1,
    logs: compared,
    gpus: samples?.gpus ?? [],
  };
  const { values, problems } = jobOf(job, run).inputs("training_step");
  if (problems.length > 0) return { problems };
  const { elasticities: _, timeline: __, token_budget: ___, ...inputs } = values;
  const request = diagnosed(inputs, measured);
  const key = JSON.stringify(request);
  if (last?.key !== key) {
    let answer: Answer<DiagnoseResults>;
    try {
      const diagnose = job.engine.diagnose as unknown as (inputs: unknown) => DiagnoseResults;
      const results = diagnose(request);
      // Parts are said of what no calibration has changed, whichever is in force.
      const calibrated = Object.keys(inForce(job)).length > 0;
      const { parts } = calibrated ? diagnose(without(request)) : results;
      answer = { results: { ...results, parts }, inputs: request };
    } catch (error) {
      answer = { problems: problemsOf(error) };
    }
    last = { key, answer };
  }
  return last.answer;
}

/** The job that ran: as the scenario was when its log was read, as the launch says, and above all as the log itself says. */
function jobOf(job: Scenario, run: OwnRun | undefined): Scenario {
  if (!run) return job;
  const ran = job.saying({ ...without(run.texts), ...inForce(job) });
  const launch = own.get("launch");
  if (!launch || launch.serves) return ran;
  say(ran, launch);
  const texts = Object.fromEntries(
    (run.said ?? []).map((field) => [field, run.texts[field] ?? ran.defaultText(field)]),
  );
  ran.set({ gives_way: "cluster_gpus", ...texts });
  return ran;
}

/** Without what calibrations set. */
const without = <Of>(inputs: Record<string, Of>): Record<string, Of> =>
  Object.fromEntries(
    Object.entries(inputs).filter(([name]) => !(calibratedFields as readonly string[]).includes(name)),
  );

/** Calibrations as the scenario says them now: a run keeps what it was read with. */
function inForce(job: Scenario): Record<string, string> {
  const texts = job.texts();
  return Object.fromEntries(calibratedFields.flatMap((field) => (field in texts ? [[field, texts[field]!]] : [])));
}
