import type { Engine, TrainingStepResults } from "#engine";
import { isSame, type Place, type Tile } from "../figures/layout-board.js";
import { grownMost, type Part, whyLonger } from "../figures/why-longer.js";
import { exact, gib, ms, significant } from "../state/format.js";

/** The layouts that an exercise can be answered with, each priced by the engine, and the feedback on a choice. */

const degrees = [1, 2, 4, 8, 16] as const;

/** The machine and the work in the exercise's statement. */
const machine = { system: "dgx-h100", gpusPerNode: 8, sequenceLength: 4096, headSize: 128 } as const;

/** What the exercise gives: GPUs, sequences per step, hidden size and layers. */
export type GivenOfLayout = Readonly<Record<"g" | "batch" | "h" | "l", number>>;

export interface Cell {
  tensor: number;
  pipeline: number;
  /** Replicas; one if the degrees leave less than a GPU for each. */
  data: number;
  /** Why no step of it can be run. */
  impossible?: string;
  step?: TrainingStepResults;
  /** How much longer a step takes than the fastest, percent; nothing where it doesn't fit. */
  slower?: number;
}

export interface Board {
  given: GivenOfLayout;
  cells: readonly Cell[];
  fastest: Cell & { step: TrainingStepResults };
}

function impossible({ g, batch, h }: GivenOfLayout, tensor: number, pipeline: number): string | undefined {
  const data = g / (tensor * pipeline);
  const heads = h / machine.headSize;
  if (data < 1) return `TP ${tensor} × PP ${pipeline} is more than ${exact(g)} GPUs`;
  if (batch % data !== 0) return `${exact(data)} replicas can’t share ${exact(batch)} sequences evenly`;
  if (heads % tensor !== 0) return `TP ${tensor} doesn’t divide ${exact(heads)} attention heads`;
  return undefined;
}

/**
 * Every layout of the exercise with the engine's answer: one sequence a micro-batch, ZeRO-1, selective recomputation.
 */
export function boardOf(engine: Engine, given: GivenOfLayout): Board {
  const cells = degrees.flatMap((tensor) =>
    degrees.map((pipeline): Cell => {
      const data = given.g / (tensor * pipeline);
      const why = impossible(given, tensor, pipeline);
      if (why) return { tensor, pipeline, data: Math.max(1, data), impossible: why };
      const step = engine.training_step({
        system: machine.system,
        num_layers: given.l,
        hidden_size: given.h,
        num_heads: given.h / machine.headSize,
        vocab_size: 51200,
        sequence_length: machine.sequenceLength,
        batch_size: 1,
        global_batch_size: given.batch,
        cluster_gpus: given.g,
        tensor_parallel: tensor,
        pipeline_parallel: pipeline,
        data_parallel: data,
        sequence_parallel: true,
        // The stack overlaps them only within a node.
        overlap_tensor: tensor <= machine.gpusPerNode,
        overlap_tensor_forward: tensor <= machine.gpusPerNode,
        zero_stage: 1,
        recompute: "selective",
      });
      const cell = { tensor, pipeline, data, step };
      return step.stack_rule === "" ? cell : { ...cell, impossible: `the training stack ${step.stack_rule}` };
    }),
  );
  const runs = cells.filter(({ impossible: why, step }) => !why && step!.fits);
  const fastest = runs.reduce((best, cell) =>
    cell.step!.step_time_ms < best.step!.step_time_ms ? cell : best,
  ) as Board["fastest"];
  for (const cell of runs) cell.slower = 100 * (cell.step!.step_time_ms / fastest.step.step_time_ms - 1);
  return { given, cells, fastest };
}

export const cellOf = ({ cells }: Board, tensor: number, pipeline: number): Cell =>
  cells.find((cell) => cell.tensor === tensor && cell.pipeline === pipeline)!;

/** Which part of a step has grown most compared with the fastest layout's. */
export const causeOf = ({ fastest }: Board, { step }: Cell): Part => grownMost(step!.parts, fastest.step.parts);

/** What is known about a layout: everything once the board is open, otherwise only for those that were tried. */
export interface Shown {
  open: boolean;
  tried: readonly Place[];
  given: Place;
  /** How much longer a step may take to count as right, percent. */
  tolerance: number;
}

/** The board as it is shown. */
export const tilesOf = (board: Board, { open, tried, given, tolerance }: Shown): Tile[] =>
  board.cells.map((cell): Tile => {
    const { tensor, pipeline, data, slower } = cell;
    const place = { tensor, pipeline };
    const outlined = isSame(given, cell) ? ", the given layout" : "";
    if (cell.impossible) return { ...place, text: "–", name: `can’t run: ${cell.impossible}`, never: true };
    if (!open && !tried.some((one) => isSame(one, cell)))
      return {
        ...place,
        text: `DP ${exact(data)}`,
        name: `${exact(data)} ${data === 1 ? "replica" : "replicas"}${outlined}`,
      };
    if (slower === undefined) {
      const needs = gib(cell.step!.memory_gib);
      return { ...place, text: needs, name: `doesn’t fit, ${needs}${outlined}`, unfit: true };
    }
    const text = slower === 0 ? "fastest" : `+${significant(slower, 2)} %`;
    return { ...place, text, name: text + outlined, slower, best: slower <= tolerance };
  });

/** What makes it slower than the fastest; nothing if it is a bit of everything. */
function reason(board: Board, cell: Cell): string {
  const { tensor, pipeline, data, step } = cell;
  const why = whyLonger({ tensor, data, parts: step!.parts }, board.fastest.step.parts, machine.gpusPerNode);
  if (!why) return "";
  switch (causeOf(board, cell)) {
    case "bubble_ms":
      return `${why}: ${exact(step!.micro_batches)} micro-batch${step!.micro_batches === 1 ? "" : "es"} through ${pipeline} stages.`;
    case "compute_ms":
      return tensor > board.fastest.tensor
        ? `${why}: thinner slices of a matrix keep a GPU less busy.`
        : `${why}: the fullest stage has more than an even share.`;
    default:
      return `${why}.`;
  }
}

export interface LayoutVerdict {
  right: boolean;
  /** Percent; nothing where it can't run. */
  slower: number | undefined;
  /** Sentences for the learner who chose it. */
  words: string;
}

/** The feedback on a choice: it is right if no measurement could tell it from the fastest. */
export function judgeLayout(board: Board, cell: Cell, tolerancePercent: number): LayoutVerdict {
  if (cell.impossible) return { right: false, slower: undefined, words: `This can’t run: ${cell.impossible}.` };
  const { memory, memory_gib, memory_available_gib: room, fits, step_time_ms } = cell.step!;
  if (!fits) {
    const states = memory.weights_gib + memory.gradients_gib + memory.optimizer_gib;
    // With fewer micro-batches than stages a higher TP brings more of them, and nothing is saved.
    const keepsAll = cell.step!.micro_batches >= cell.pipeline;
    const why =
      states > room
        ? `Weights, gradients and optimizer alone take ${gib(states)}: split the model more.`
        : `Activations take ${gib(memory.activations_gib)} of that${keepsAll ? "; a higher TP divides them" : ""}.`;
    return {
      right: false,
      slower: undefined,
      words: `It needs ${gib(memory_gib)}, but ${gib(room)} is available. ${why}`,
    };
  }
  const slower = cell.slower!;
  const lead = `${ms(step_time_ms)} a step`;
  if (slower === 0) return { right: true, slower, words: `${lead}: the fastest.` };
  const longer = `${lead}, ${significant(slower, 2)} % longer than the fastest`;
  if (slower <= tolerancePercent) return { right: true, slower, words: `${longer}: within error of it.` };
  return { right: false, slower, words: `${longer}. ${reason(board, cell)}`.trim() };
}

/** The fastest, and how many others no measurement could tell from it. */
export function fastestWords({ cells, fastest }: Board, tolerancePercent: number): string {
  const { tensor, pipeline, data, step } = fastest;
  const ties = cells.filter(({ slower = Infinity }) => slower > 0 && slower <= tolerancePercent).length;
  const others = ties === 0 ? "" : `; ${ties} ${ties === 1 ? "other is" : "others are"} within error of it`;
  return `TP ${tensor}, PP ${pipeline}, ${exact(data)} ${data === 1 ? "replica" : "replicas"}: ${ms(step.step_time_ms)} a step${others}`;
}

/** From the idea to the numbers, for learners who don't know where to begin. */
export function layoutHints({ g, h, l }: GivenOfLayout): readonly string[] {
  const billions = (12 * l * h * h) / 1e9;
  return [
    "Memory says how finely the model must be split. Beyond that, each way of splitting costs time: TP makes GPUs wait in every layer, and a pipeline has a bubble.",
    "Weights and gradients: 4 bytes a parameter, over TP · PP. The optimizer’s 12 bytes are shared by the replicas as well. Leave room for activations. Keep TP within the node.",
    `12 · ${exact(l)} · ${exact(h)}² = ${significant(billions, 3)} billion parameters: ${significant(4 * billions, 3)} GB / (TP · PP), and ${significant(12 * billions, 3)} GB / ${exact(g)} for the optimizer, in 80 GB.`,
  ];
}
