import { partOf, takesFrom } from "virtual:commcost-parts";

/** The part of a calculation, or of what works on all of them. */
export const partNamed = (calculation: string): string => partOf[calculation] ?? "rest";

/**
 * What must be loaded before a calculation of that part can be called, ending with that part; the first is always
 * loaded.
 */
export const chain = (part: string): string[] =>
  part === "first" ? [] : [...new Set([...takesFrom[part]!.flatMap(chain), part])];
