import { apply, keep } from "./calibration.js";
import { choose } from "./chosen.js";
import { own, type OwnKind } from "./own.js";
import { addRuns, runOf } from "./own-runs.js";
import type { Reading } from "./reader/read-file.js";
import type { Session } from "./session.js";

/** What became of a file: a sentence, and what of the reader's own it is now. */
export interface Taken {
  says: string;
  kind: OwnKind | undefined;
}

function takeConfig(scenario: Session, name: string, config: Extract<Reading, { kind: "config" }>["config"]): string {
  const { model, model_type, remarks, ...rest } = config;
  const fields = Object.entries(rest).filter(([field]) => scenario.fields.has(field));
  const said = Object.fromEntries(fields.map(([field, value]) => [field, String(value)]));
  if (model) choose(scenario, "model", model);
  // A model of the catalog says nothing of how this checkpoint is kept.
  const kept = Object.fromEntries(Object.entries(said).filter(([field]) => field.endsWith("_bytes_per_element")));
  scenario.set(model ? kept : { model: "", ...said });
  own.set("config", { name, model_type });
  return [`${name} is the model now.`, ...remarks.map(({ key, says }) => `${key}: ${says}.`)].join(" ");
}

/** Puts what a file holds in its place: the scenario, or what a reader has of their own. */
export function take(scenario: Session, name: string, reading: Reading): Taken {
  switch (reading.kind) {
    case "calibration":
      keep(reading.calibration);
      apply(scenario, reading.calibration);
      return { says: `“${reading.calibration.name}” is in force.`, kind: undefined };
    case "config":
      return { says: takeConfig(scenario, name, reading.config), kind: "config" };
    case "runs": {
      const { runs, says } = runOf(scenario, name, reading.log);
      addRuns(runs);
      return { says, kind: "runs" };
    }
    case "trace": {
      const { steps, devices, missing } = reading;
      own.set("trace", { name, steps, devices, missing });
      return { says: `${name} is read as a profile.`, kind: "trace" };
    }
    case "log":
      own.set("log", { name, text: reading.text });
      return { says: `${name} is read as a log of nccl-tests.`, kind: "log" };
  }
}
