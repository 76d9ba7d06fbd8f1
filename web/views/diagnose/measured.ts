import type { DiagnoseResults } from "#engine";
import { calibratedFields } from "../../state/calibration.js";
import { collectiveLog, diagnosed, isCompared, type Measured } from "../../state/diagnosis/request.js";
import { conclusionOf } from "../../state/diagnosis/words.js";
import { differences, type JobFile, jobFiles, lastLog } from "../../state/job-files.js";
import { otherAccelerator } from "../../state/machine.js";
import { gpusOf } from "../../state/held-memory.js";
import { own, type OwnRun } from "../../state/own.js";
import type { OwnCurve } from "../../state/own-log.js";
import { ownRuns, removeRun, unfitted } from "../../state/own-runs.js";
import { problemsOf, type Answer } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import type { Session } from "../../state/session.js";
import { changeFiles, sayAgain } from "../../state/take-job.js";

/** A file that was given, its findings, and how to remove it. */
export interface GivenFile {
  name: string;
  found: string;
  remove: () => void;
  /** For a file that describes the job: its inputs. */
  says?: JobFile["says"];
  /** Which of these the job has changed, and how to restore the file's. */
  differs?: ReturnType<typeof differences>;
  again?: () => void;
}

/** What to do if a log is from another GPU than the job: its verdict would compare the two. */
function otherGpu(job: Scenario, device: string): string {
  const ours = otherAccelerator(job, device);
  return ours === undefined
    ? ""
    : `This log is from another GPU than the job’s ${ours}: choose its machine, or the comparison means nothing`;
}

/** The run that is compared with the prediction: the last log, otherwise the last typed step of this very job. */
function judgedRun(job: Scenario): OwnRun | undefined {
  const log = lastLog();
  if (log) return log;
  const typed = ownRuns().runs.at(-1);
  return typed && JSON.stringify(job.saying(typed.texts).texts()) === JSON.stringify(job.saying(unfitted(job)).texts())
    ? typed
    : undefined;
}

const logs = () => {
  const log = own.get("log");
  return log ? [{ name: log.name, text: log.text }, ...(log.others ?? [])] : [];
};

/** Removes one log and keeps the others. */
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

/** Every file that the diagnosis of a job is based on. */
export function givenFiles(scenario: Session, job: Scenario): GivenFile[] {
  const run = judgedRun(job);
  const trace = own.get("trace");
  const launch = own.get("launch");
  const samples = own.get("samples");
  const memory = own.get("memory");
  const said = (says: JobFile["says"]) => {
    const file = jobFiles().find((one) => one.says === says)!;
    return { says, differs: differences(job, file), again: () => sayAgain(scenario, file) };
  };
  return [
    ...(run
      ? [
          {
            name: run.name,
            found: run.says
              ? `training log, ${count(run.step_times_ms?.length ?? 1, "step")}`
              : "a step that you typed",
            remove: () => changeFiles(scenario, () => removeRun(run)),
            ...(run.says ? said(run.says) : {}),
          },
        ]
      : []),
    ...(launch
      ? [
          {
            name: launch.name,
            found: [
              `launch of ${launch.stack}, ${count(launch.found, "input")}`,
              ...(launch.not_said.length > 0 ? [`it does not say ${launch.not_said.join(", ")}`] : []),
              ...(launch.not_understood.length > 0 ? [`not understood: ${launch.not_understood.join(", ")}`] : []),
            ].join("; "),
            remove: () => changeFiles(scenario, () => own.remove("launch")),
            ...said(launch.says),
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
      found: [
        isCompared(log)
          ? `nccl-tests, ${log.collective.replaceAll("_", "-")} on ${log.ranks} GPUs${log.device ? ` (${log.device})` : ""}`
          : "nccl-tests, but not which collective on how many GPUs: not compared",
        log ? otherGpu(job, log.device) : "",
        log ? conclusionOf(log.conclusion) : "",
      ]
        .filter(Boolean)
        .join(". "),
      remove: () => removeLog(at),
    })),
    ...(memory
      ? [
          {
            name: memory.name,
            found: `memory snapshot of ${gpusOf(memory.devices)}`,
            remove: () => own.remove("memory"),
          },
        ]
      : []),
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

/** The job according to the files; nothing if there are none. */
export function diagnosis(job: Scenario): Answer<DiagnoseResults> | undefined {
  if (job.alone) return undefined;
  const run = judgedRun(job);
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
  const { values, problems } = job.inputs("training_step");
  if (problems.length > 0) return { problems };
  const { elasticities: _, timeline: __, token_budget: ___, ...inputs } = values;
  const request = diagnosed(without(inputs, fitted()), measured);
  const key = JSON.stringify(request);
  if (last?.key !== key) {
    let answer: Answer<DiagnoseResults>;
    try {
      const diagnose = job.engine.diagnose as unknown as (inputs: unknown) => DiagnoseResults;
      const results = diagnose(request);
      // Parts refer to the uncalibrated prediction, whichever calibration is in force.
      const calibrated = calibratedFields.some((field) => field in job.texts());
      const { parts } = calibrated ? diagnose(without(request, calibratedFields)) : results;
      answer = { results: { ...results, parts }, inputs: request };
    } catch (error) {
      answer = { problems: problemsOf(error) };
    }
    last = { key, answer };
  }
  return last.answer;
}

/** Inputs set by a fit to these very runs, which explain none of them; except for those that a calibration sets too. */
const fitted = (): string[] =>
  ownRuns().applied.filter((name) => !(calibratedFields as readonly string[]).includes(name));

/** Inputs without some of them. */
const without = <Of>(inputs: Record<string, Of>, names: readonly string[]): Record<string, Of> =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !names.includes(name)));
