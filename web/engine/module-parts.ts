/** The parts that the module comes in, each after those that it takes from; core/calculator/calculations.h says what for. */
export const partNames = ["first", "practice", "steps", "serving", "training", "rest"] as const;

export type PartName = (typeof partNames)[number];

/** What is behind the first part, by what it takes from besides that. */
export const takesFrom: Readonly<Record<Exclude<PartName, "first">, readonly Exclude<PartName, "first">[]>> = {
  practice: [],
  steps: [],
  serving: ["steps"],
  training: ["steps"],
  rest: ["practice", "serving", "training"],
};
