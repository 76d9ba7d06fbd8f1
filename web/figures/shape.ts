import type { Replay } from "./replay.js";

/** Positions of ranks that show what an algorithm is: a tree, a grid of nodes, a circle, a switch in the middle. */
export interface Shape {
  /** Of each node, 0 to 1 across and down. */
  places: [x: number, y: number][];
  /** Ranks that belong together, such as those of one server. */
  groups: number[][];
  /** How wide and how high, in nodes: what one of them has room for. */
  columns: number;
  rows: number;
}

/** Parents, by the rounds in which a rank first receives a chunk, or last sends one where sums are collected. */
function parentsOf(replay: Replay): number[] {
  const parents = new Array<number>(replay.ranks).fill(-1);
  const rounds = [...replay.rounds];
  const collects = rounds[0]?.some(({ reduce }) => reduce) ?? false;
  const gathers = !replay.adds && replay.schedule.chunks_at_end.filter((chunks) => chunks.length > 0).length === 1;
  for (const messages of rounds) {
    for (const { from, to, chunks } of messages) {
      // Of two trees the first, which carries the first half.
      if (Math.min(...chunks) >= replay.schedule.chunks / 2 && replay.schedule.chunks > 1 && replay.adds) continue;
      const [child, parent] = collects || gathers ? [from, to] : [to, from];
      if (child !== 0 && parents[child] === -1) parents[child] = parent;
    }
  }
  return parents;
}

function depthOf(parents: readonly number[], rank: number): number {
  let depth = 0;
  for (let at = rank; (parents[at] ?? -1) >= 0 && depth <= parents.length; at = parents[at]!) depth++;
  return depth;
}

function tree(replay: Replay): Shape {
  const parents = parentsOf(replay);
  const ranks = Array.from({ length: replay.ranks }, (_, rank) => rank);
  const depths = ranks.map((rank) => depthOf(parents, rank));
  const deepest = Math.max(1, ...depths);
  // In the order of a walk through the tree: leaves never cross.
  const order: number[] = [];
  const walk = (rank: number): void => {
    const children = ranks.filter((child) => parents[child] === rank);
    const half = Math.ceil(children.length / 2);
    for (const child of children.slice(0, half)) walk(child);
    order.push(rank);
    for (const child of children.slice(half)) walk(child);
  };
  for (const root of ranks.filter((rank) => parents[rank] === -1)) walk(root);
  const places = ranks.map((rank): [number, number] => [
    (order.indexOf(rank) + 0.5) / replay.ranks,
    (depths[rank]! + 0.5) / (deepest + 1),
  ]);
  return { places, groups: [], columns: replay.ranks, rows: deepest + 1 };
}

function grid(replay: Replay, width: number): Shape {
  const rows = Math.max(1, Math.round(replay.ranks / width));
  const places = Array.from({ length: replay.ranks }, (_, rank): [number, number] => [
    ((rank % width) + 0.5) / width,
    (Math.floor(rank / width) + 0.5) / rows,
  ]);
  const groups = Array.from({ length: rows }, (_, group) =>
    Array.from({ length: width }, (__, rank) => group * width + rank),
  );
  return { places, groups, columns: width, rows };
}

function circle(replay: Replay): Shape {
  const radius = 0.5 - Math.min(0.16, 0.5 / Math.max(3, replay.ranks));
  const places = Array.from({ length: replay.ranks }, (_, rank): [number, number] => {
    const angle = (2 * Math.PI * rank) / replay.ranks;
    return [0.5 + radius * Math.sin(angle), 0.5 - radius * Math.cos(angle)];
  });
  // A switch is in the middle of the ranks.
  if (replay.schedule.has_switch) places.push([0.5, 0.5]);
  const across = Math.max(3, Math.ceil((replay.ranks * 1.5) / Math.PI));
  return { places, groups: [], columns: across, rows: across };
}

const trees: readonly string[] = ["binomial_tree", "double_binary_tree"];
const grids: readonly string[] = ["two_level", "torus_2d"];

/** The shape of an algorithm's schedule. */
export function shapeOf(replay: Replay, algorithm: string): Shape {
  if (trees.includes(algorithm)) return tree(replay);
  if (grids.includes(algorithm) && replay.schedule.group_size > 1 && replay.schedule.group_size < replay.ranks)
    return grid(replay, replay.schedule.group_size);
  return circle(replay);
}
