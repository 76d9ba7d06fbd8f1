import type { FieldDescription } from "#engine";
import type { Texts } from "./texts.js";

/**
 * How the cluster is divided: the degrees multiply to its GPUs, and one of the five adjusts when another is set. The
 * adjusted one is computed, not kept; if the cluster can't be divided so, some of its GPUs stay idle.
 */

/** The degrees that multiply to the cluster; experts are spread over data and context ranks. */
export const degreeNames = ["tensor_parallel", "pipeline_parallel", "context_parallel", "data_parallel"] as const;
const layoutNames = ["cluster_gpus", ...degreeNames] as const;
export type LayoutName = (typeof layoutNames)[number];

const isLayout = (name: string): name is LayoutName => (layoutNames as readonly string[]).includes(name);

/** Inputs of the page alone, since a calculation knows one group or one cluster, not both. */
export function layoutFields(
  plan: readonly FieldDescription[],
  degrees: readonly FieldDescription[],
): FieldDescription[] {
  const cluster = plan.find(({ name }) => name === "cluster_gpus")!;
  const data = degrees.find(({ name }) => name === "data_parallel")!;
  return [
    { ...cluster, help: "GPUs in the cluster", required: false },
    {
      ...data,
      name: "gives_way",
      label: "Adjusts to fit",
      kind: "choice",
      unit: "",
      help: "Which of cluster and degrees changes so that they still multiply",
      choices: ["data_parallel", "pipeline_parallel", "context_parallel", "tensor_parallel", "cluster_gpus"],
      allowed: "data_parallel, pipeline_parallel, context_parallel, tensor_parallel or cluster_gpus",
      default: "data_parallel",
    },
  ];
}

const yielding = (scenario: Texts): LayoutName => {
  const text = scenario.text("gives_way");
  return isLayout(text) ? text : "data_parallel";
};

/** A whole number of at least one; anything else counts as one. */
const counted = (value: number): number => (Number.isInteger(value) && value >= 1 ? value : 1);

const product = (numbers: readonly number[]): number => numbers.reduce((all, one) => all * one, 1);

/** The text of the adjusted one, from the others; undefined for the rest. */
export function givenWay(scenario: Texts, name: string): string | undefined {
  if (!isLayout(name) || name !== yielding(scenario)) return undefined;
  const others = degreeNames.filter((other) => other !== name).map((other) => counted(scenario.number(other)));
  if (name === "cluster_gpus") return String(product(others));
  return String(Math.max(1, Math.floor(counted(scenario.number("cluster_gpus")) / product(others))));
}

/** GPUs that the degrees need: the layout's own, which a step runs on. */
export const gpusInUse = (scenario: Texts): number =>
  product(degreeNames.map((name) => counted(scenario.number(name))));

/**
 * What to set so that one degree still adjusts: typing into that one changes the cluster, or if the cluster adjusts,
 * fixes it. `released` are fields whose own texts are to be forgotten.
 */
export function settled(
  scenario: Texts,
  texts: Readonly<Record<string, string>>,
  readable: (name: string, text: string) => boolean,
): { texts: Record<string, string>; released: string[] } {
  const all: Record<string, string> = { ...texts };
  const before = yielding(scenario);
  const asked = texts["gives_way"] ?? before;
  if (!layoutNames.some((name) => name in texts) && asked === before) return { texts: all, released: [] };
  // The degree that adjusted until now keeps its value.
  if (asked !== before && isLayout(asked)) all[before] ??= scenario.text(before);
  const now = isLayout(asked) ? asked : "data_parallel";
  const own = all[now];
  if (own === undefined) return { texts: all, released: [now] };
  if (!readable(now, own)) return { texts: all, released: [] };
  if (now === "cluster_gpus") return { texts: { ...all, gives_way: "data_parallel" }, released: ["data_parallel"] };
  const value = (name: string) =>
    counted(Number(name in all ? scenario.read(name, all[name]!) : scenario.number(name)));
  all["cluster_gpus"] = String(product(degreeNames.map(value)));
  delete all[now];
  return { texts: all, released: [now] };
}

/**
 * The degree that a model's heads allow in place of the usual one: among their divisors one that divides the usual
 * degree too, otherwise the greatest below it.
 */
export function evenDegree(usual: number, heads: number): number {
  if (!(Number.isInteger(heads) && heads >= 1) || heads % usual === 0) return usual;
  const divisors = Array.from({ length: usual }, (_, index) => usual - index).filter((degree) => heads % degree === 0);
  return divisors.find((degree) => degree > 1 && usual % degree === 0) ?? divisors[0]!;
}

/** Whether tensor ranks can share a model's heads: each has equally many, or shares a key-value head with others. */
export const sharesHeads = (degree: number, heads: number, kvHeads: number): boolean =>
  heads % degree === 0 && (kvHeads % degree === 0 || degree % kvHeads === 0);

/** The degrees next to one that can't share them which can: one below and, up to the heads, one above. */
export function evenNeighbours(degree: number, heads: number, kvHeads: number): number[] {
  const even = Array.from({ length: heads }, (_, index) => index + 1).filter((one) => sharesHeads(one, heads, kvHeads));
  return [even.findLast((one) => one < degree), even.find((one) => one > degree)].filter((one) => one !== undefined);
}
