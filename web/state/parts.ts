import type { Engine } from "#engine";
import type { Part } from "../engine/part.js";
import type { Given } from "../engine/source.js";
import type { Scenario } from "./scenario.js";

/** The hosted page loads its engine in parts: a calculation of a later one is for some moments not there to be called. */
type InParts = {
  ready?: (calculation: string | undefined, again: boolean) => Promise<void>;
  part?: (calculation: string) => Part | undefined;
  rest?: Part;
  help?: Part;
  with?: (parts: Readonly<Record<string, Given>>) => Promise<Engine>;
};

/** The part that an error waits for which a calculation threw because it is not there yet; nothing for any other. */
export const awaited = (error: unknown): Part | undefined =>
  error instanceof Error && error.name === "PartMissing" ? (error as Error & { part: Part }).part : undefined;

/**
 * Kept once a calculation can be called, or all of them where none is named; rejects where a part did not come. `again`: a
 * reader asks for it once more.
 */
export async function ready(engine: Engine, calculation?: string, again = false): Promise<void> {
  await (engine as InParts).ready?.(calculation, again);
}

/** Kept once a calculation can be called, or all of them where none is named, at whichever try: the page says meanwhile what is missing. */
export async function arrived(engine: Engine, calculation = "all"): Promise<void> {
  const part = partWith(engine, calculation);
  await ready(engine, calculation).catch(() => part!.here);
}

/** The part that a calculation comes with; nothing where the engine is one. */
export const partWith = (engine: Engine, calculation: string): Part | undefined =>
  (engine as InParts).part?.(calculation);

/** A worker's engine, with parts that it lacked. */
export const withParts = (engine: Engine, parts: Readonly<Record<string, Given>>): Promise<Engine> =>
  (engine as InParts).with!(parts);

/** What of the engine comes in last; nothing where it is one. */
export const restOf = (engine: Engine): Part | undefined => (engine as InParts).rest;

/** What the engine says of its inputs and results as help; nothing where that is in it. */
export const helpOf = (engine: Engine): Part | undefined => (engine as InParts).help;

/** What `ask` answers; nothing while its calculation is not there yet: who shows the scenario asks again then. */
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
