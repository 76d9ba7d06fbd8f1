import { choose } from "./chosen.js";
import { degreeNames } from "./layout.js";
import { own, type OwnRun } from "./own.js";
import { pinName, pinnedInput } from "./pins.js";
import type { Scenario } from "./scenario.js";

/** Files that describe the job: a launch and a training log. Their content is in the scenario, and marked there. */
export interface JobFile {
  name: string;
  /** Whether it describes a server. */
  serves: boolean;
  /** Its inputs, by the scenario’s names; for a model in the catalog, its id. */
  says: Readonly<Record<string, string>>;
}

/** Puts a file's inputs into a scenario. */
export function say(job: Scenario, says: JobFile["says"]): void {
  const { model, cluster_gpus, ...rest } = says;
  if (model) choose(job, "model", model);
  else if ("num_layers" in rest) job.set({ model: "" });
  const divides = degreeNames.some((name) => name in rest);
  const cluster: Record<string, string> = cluster_gpus === undefined ? {} : { cluster_gpus };
  if (!divides) job.set({ ...cluster, ...rest });
  // The cluster is the product of the degrees, unless the file leaves its replicas to follow from its cluster.
  else if (cluster_gpus === undefined || "data_parallel" in rest) job.set({ gives_way: "cluster_gpus", ...rest });
  else job.set({ gives_way: "data_parallel", ...cluster, ...rest });
}

/** The training log that was read last: the one compared with the prediction. */
export const lastLog = (): OwnRun | undefined => own.get("runs")?.runs.findLast(({ says }) => says !== undefined);

/** The files that describe a job. The later one takes precedence: a log says what ran, a launch what was asked for. */
export function jobFiles(): JobFile[] {
  const launch = own.get("launch");
  const log = lastLog();
  return [...(launch ? [launch] : []), ...(log ? [{ name: log.name, serves: false, says: log.says! }] : [])];
}

/** Whether an unpinned degree has the value in a file: the cluster and all other degrees are the file’s. */
const follows = (scenario: Scenario, { says }: JobFile, degree: string): boolean =>
  ["cluster_gpus", ...degreeNames.filter((name) => name !== degree).map(pinName)].every((name) => {
    const said = says[pinnedInput(name)];
    return said === undefined || said === scenario.text(name);
  });

/** The file behind a field of the scenario: nothing if none sets it, or if another text was typed. */
export function fileOf(scenario: Scenario, name: string): string | undefined {
  if (scenario.alone) return undefined;
  const input = pinnedInput(name);
  const file = jobFiles().findLast(({ says }) => input in says);
  if (!file) return undefined;
  const text = scenario.text(name);
  if (text === "" && input !== name && follows(scenario, file, input)) return file.name;
  return file.says[input] === text ? file.name : undefined;
}

/** Where the job differs from a file: the input, its text in the file and in the job. */
export function differences(job: Scenario, { name, says }: JobFile): { input: string; file: string; job: string }[] {
  const better = jobFiles().slice(jobFiles().findIndex((file) => file.name === name && file.says === says) + 1);
  return Object.entries(says).flatMap(([input, file]) =>
    job.text(input) === file || better.some((other) => input in other.says)
      ? []
      : [{ input, file, job: job.text(input) }],
  );
}
