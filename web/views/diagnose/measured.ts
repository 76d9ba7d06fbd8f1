import type { DiagnoseResults } from "#engine";
import { collectiveLog, diagnosed, type Measured } from "../../state/diagnosis/request.js";
import { own } from "../../state/own.js";
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

const count = (number: number, one: string): string => `${number} ${one}${number === 1 ? "" : "s"}`;

/** Every file that the diagnosis rests on. */
export function givenFiles(scenario: Scenario): GivenFile[] {
  const { runs, ...held } = ownRuns();
  const trace = own.get("trace");
  const samples = own.get("samples");
  return [
    ...runs.slice(-1).map((run) => ({
      name: run.name,
      found: `training log, ${count(run.step_times_ms?.length ?? 1, "step")}`,
      remove: () => own.set("runs", { ...held, runs: runs.slice(0, -1) }),
    })),
    ...(trace?.devices ?? []).map(({ device, steps, rows }) => ({
      name: trace!.devices.length === 1 ? trace!.name : `rank ${device}`,
      found: `profile of rank ${device}, ${count(steps ?? trace!.steps, "step")}${
        rows?.some(({ m }) => (m ?? 0) > 0) ? "" : "; no shapes of products (record_shapes=True adds them)"
      }`,
      remove: () => removeDevice(device),
    })),
    ...collectives(scenario).map(({ name, log }, at) => ({
      name,
      found:
        log && log.collective !== "" && log.ranks > 1
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
  const { values, problems } = (run ? job.saying({ ...run.texts, ...scales(job) }) : job).inputs("training_step");
  if (problems.length > 0) return { problems };
  const { elasticities: _, timeline: __, token_budget: ___, ...inputs } = values;
  const request = diagnosed(inputs, measured);
  const key = JSON.stringify(request);
  if (last?.key !== key) {
    let answer: Answer<DiagnoseResults>;
    try {
      const diagnose = job.engine.diagnose as unknown as (inputs: unknown) => DiagnoseResults;
      answer = { results: diagnose(request), inputs: request };
    } catch (error) {
      answer = { problems: problemsOf(error) };
    }
    last = { key, answer };
  }
  return last.answer;
}

/** What a diagnosis calibrates, as the scenario says it now: a run keeps what it was read with. */
export const calibratedFields = ["network_scale", "link_scale", "gemm_time_scale"] as const;
const scales = (job: Scenario): Record<string, string> =>
  Object.fromEntries(calibratedFields.flatMap((field) => (job.text(field) ? [[field, job.text(field)]] : [])));
