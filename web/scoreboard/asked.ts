import { readNumber } from "../state/number.js";
import type { Placed } from "./nearest.js";

/** The scenario in a link to the scoreboard. */
export interface Asked extends Placed {
  /** In one line. */
  scenario: string;
  kind: string;
  predicted_ms: number;
  low_ms: number;
  high_ms: number;
}

const texts = ["scenario", "recipe", "accelerator", "generation", "kind", "precision"] as const;
const numbers = [
  "parameters_billion",
  "num_experts",
  "num_gpus",
  "tensor_parallel",
  "pipeline_parallel",
  "context_parallel",
  "expert_parallel",
  "predicted_ms",
  "low_ms",
  "high_ms",
] as const;

/** The query of a link to the scoreboard. */
export function askedQuery(asked: Asked): string {
  const pairs = [...texts, ...numbers].map((name): [string, string] => {
    const value = asked[name];
    return [name, typeof value === "number" ? String(Number(value.toPrecision(6))) : value];
  });
  return `?${new URLSearchParams(pairs)}`;
}

/** The scenario in a query; undefined if there is none, or if it is impossible. */
export function readAsked(query: string): Asked | undefined {
  const given = new URLSearchParams(query);
  const asked: Record<string, string | number> = {};
  for (const name of texts) asked[name] = (given.get(name) ?? "").slice(0, 200);
  for (const name of numbers) {
    const value = readNumber(given.get(name) ?? "") ?? NaN;
    if (!(value > 0) || !Number.isFinite(value)) return undefined;
    asked[name] = value;
  }
  return asked as unknown as Asked;
}
