import type { CollectiveScheduleResults } from "#engine";

type Schedule = CollectiveScheduleResults;
export type Message = Schedule["rounds"][number][number];

/** What a rank holds in one slot of its message. */
export interface Cell {
  /** Its chunk, or -1. */
  chunk: number;
  /**
   * The ranks whose contributions are in it, a bit for each of at most 32 ranks; if nothing is added up, its holder's.
   */
  parts: number;
  /** Whether the rank must end with this chunk, and it is complete. */
  done: boolean;
}

const nothing: Cell = { chunk: -1, parts: 0, done: false };

/** The most ranks whose contributions a picture can distinguish. */
export const mostRanks = 32;

/** A schedule played on a picture: what each rank holds after each round, by moving what the messages say. */
export class Replay {
  readonly rounds: Schedule["rounds"];
  readonly rows: number;
  /** Ranks, and the switch where there is one. */
  readonly nodes: number;
  /** For each round and rank the chunks sent. */
  readonly sent: number[][];
  private readonly states: Cell[][];
  /** Whether anything is added up on the way. */
  readonly adds: boolean;
  /** Whether anything is held on the way that is not yet what a rank must end with. */
  readonly passesOn: boolean;
  private readonly all: number;
  private readonly ends: Set<number>[];

  constructor(
    readonly schedule: Schedule,
    readonly ranks: number,
  ) {
    this.adds = schedule.rounds.some((step) => step.some((message) => message.reduce));
    this.rounds = schedule.rounds;
    this.rows = schedule.chunks_per_message;
    this.nodes = ranks + (schedule.has_switch ? 1 : 0);
    this.all = ranks === 32 ? -1 : (1 << ranks) - 1;
    this.ends = schedule.chunks_at_end.map((chunks) => new Set(chunks));
    this.states = [this.start()];
    for (const step of this.rounds) this.states.push(this.after(this.states.at(-1)!, step));
    this.passesOn = this.states.some((cells) => cells.some((cell) => cell.parts !== 0 && !cell.done));
    this.sent = this.rounds.map((step) => {
      const counts = new Array<number>(ranks).fill(0);
      for (const { from, chunks } of step) if (from < ranks) counts[from]! += chunks.length;
      return counts;
    });
  }

  /** The cell of a node's slot after so many rounds. */
  cell(rounds: number, node: number, row: number): Cell {
    return this.states[rounds]![node * this.rows + row]!;
  }

  /** The slot of a chunk. */
  rowOf(chunk: number): number {
    return this.schedule.slots[chunk]!;
  }

  /** The slots of a message, each stretch of neighbours as its first slot and their number. */
  stretches({ chunks }: Message): [row: number, count: number][] {
    const found: [number, number][] = [];
    for (const row of chunks.map((chunk) => this.rowOf(chunk)).sort((a, b) => a - b)) {
      const last = found.at(-1);
      if (last && last[0] + last[1] === row) last[1]++;
      else found.push([row, 1]);
    }
    return found;
  }

  /** Which phase a round (from 1) belongs to, by its name. */
  phaseOf(step: number): string {
    let last = 0;
    return this.schedule.phases.find((phase) => step <= (last += phase.rounds))?.name ?? "";
  }

  /** Chunks that the rank which sends most has sent in so many rounds. */
  sentSoFar(rounds: number): number {
    const totals = new Array<number>(this.ranks).fill(0);
    for (const step of this.sent.slice(0, rounds)) step.forEach((chunks, rank) => (totals[rank]! += chunks));
    return Math.max(0, ...totals);
  }

  /** Chunks that the rank which sends most in a round (from 1) sends in it. */
  sentIn(step: number): number {
    return Math.max(0, ...(this.sent[step - 1] ?? []));
  }

  private start(): Cell[] {
    const cells = new Array<Cell>(this.nodes * this.rows).fill(nothing);
    this.schedule.chunks_at_start.forEach((chunks, rank) => {
      for (const chunk of chunks) cells[rank * this.rows + this.rowOf(chunk)] = this.made(rank, chunk, 1 << rank);
    });
    return cells;
  }

  private made(node: number, chunk: number, parts: number): Cell {
    const complete = !this.adds || parts === this.all;
    return { chunk, parts, done: complete && (this.ends[node]?.has(chunk) ?? false) };
  }

  private after(before: Cell[], step: Message[]): Cell[] {
    const cells = [...before];
    for (const { from, to, chunks, reduce } of step) {
      for (const chunk of chunks) {
        const row = this.rowOf(chunk);
        const arriving = before[from * this.rows + row]!;
        const place = to * this.rows + row;
        const parts = reduce ? cells[place]!.parts | arriving.parts : arriving.parts;
        cells[place] = this.made(to, chunk, parts);
      }
    }
    return cells;
  }
}
