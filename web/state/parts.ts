import type { Engine } from "#engine";
import type { Scenario } from "./scenario.js";

/** The hosted page loads its engine in parts: a calculation of the later one is for some moments not there to be called. */

/** What an error waits for that a calculation threw because it is not there yet; nothing for any other. */
export const awaited = (error: unknown): Promise<void> | undefined =>
  error instanceof Error && error.name === "PartMissing"
    ? (error as Error & { ready: Promise<void> }).ready
    : undefined;

/** Kept once a calculation can be called. */
export async function ready(engine: Engine, calculation: string): Promise<void> {
  await (engine as { ready?: (calculation: string) => Promise<void> }).ready?.(calculation);
}

/** What `ask` answers; nothing while its calculation is not there yet: who shows the scenario asks again then. */
export function perhaps<Answer>(scenario: Scenario, ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    const arrived = awaited(error);
    if (!arrived) throw error;
    void arrived.then(() => scenario.dispatchEvent(new Event("arrived")));
    return undefined;
  }
}
