import type { Engine } from "#engine";
import type { Part } from "../engine/part.js";
import type { Given } from "../engine/source.js";
import type { Scenario } from "./scenario.js";

/** The hosted page loads its engine in parts: for some moments, a calculation of a later part can't be called yet. */
type InParts = {
  ready?: (calculation: string | undefined, again: boolean) => Promise<void>;
  part?: (calculation: string) => Part | undefined;
  rest?: Part;
  help?: Part;
  with?: (parts: Readonly<Record<string, Given>>) => Promise<Engine>;
};

/**
 * The part that a calculation waits for, from the error it threw because it is not loaded yet; nothing for any other
 * error.
 */
export const awaited = (error: unknown): Part | undefined =>
  error instanceof Error && error.name === "PartMissing" ? (error as Error & { part: Part }).part : undefined;

/**
 * Resolved once a calculation can be called, or all of them if none is named; rejects if a part failed to load.
 * `again`: a reader requests it once more.
 */
export async function ready(engine: Engine, calculation?: string, again = false): Promise<void> {
  await (engine as InParts).ready?.(calculation, again);
}

/**
 * Resolved once a calculation can be called, or all of them if none is named, at whichever try: the page shows
 * meanwhile what is missing.
 */
export async function arrived(engine: Engine, calculation = "all"): Promise<void> {
  const part = partWith(engine, calculation);
  await ready(engine, calculation).catch(() => part!.here);
}

/** The part of a calculation; nothing if the engine is in one piece. */
export const partWith = (engine: Engine, calculation: string): Part | undefined =>
  (engine as InParts).part?.(calculation);

/** A worker's engine, with parts that it lacked. */
export const withParts = (engine: Engine, parts: Readonly<Record<string, Given>>): Promise<Engine> =>
  (engine as InParts).with!(parts);

/** The parts of the engine that load last; nothing if it is in one piece. */
export const restOf = (engine: Engine): Part | undefined => (engine as InParts).rest;

/** The engine's help texts for its inputs and results; nothing if they are part of it. */
export const helpOf = (engine: Engine): Part | undefined => (engine as InParts).help;

/** The result of `ask`; nothing while its calculation is not loaded: the view asks again then. */
export function perhaps<Answer>(scenario: Scenario, ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    const part = awaited(error);
    if (!part) throw error;
    void part.here.then(() => scenario.dispatchEvent(new Event("arrived")));
    return undefined;
  }
}
