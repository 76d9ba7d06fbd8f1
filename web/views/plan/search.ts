import type { PlanResults, Problem } from "#engine";
import type { Background } from "../../state/background.js";

export type PlanRow = PlanResults["layouts"][number];

/** How far a search has come, and what it has found so far. */
export interface Progress {
  found: PlanResults | undefined;
  problems: Problem[];
  /** Parts of the space that were searched, and of how many. */
  done: number;
  parts: number;
  elapsed_ms: number;
  state: "running" | "finished" | "cancelled";
}

const quicker = (a: PlanRow, b: PlanRow) => a.step_time_ms - b.step_time_ms || a.memory_gib - b.memory_gib;

/** Layouts that none beats in time and memory, quickest first. */
function frontOf(rows: readonly PlanRow[]): PlanRow[] {
  let least = Infinity;
  return [...rows].sort(quicker).filter((row) => row.memory_gib < least && ((least = row.memory_gib), true));
}

function joined(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** What two parts of a space hold together. */
export function together(a: PlanResults | undefined, b: PlanResults, best: number): PlanResults {
  if (!a) return b;
  const layouts = [...a.layouts, ...b.layouts].sort(quicker).slice(0, best);
  // Why others lose is said of the winner by the part that found it.
  const leader = layouts[0] && layouts[0] === b.layouts[0] ? b : a;
  const smallest = [...a.smallest, ...b.smallest].sort((one, other) => one.memory_gib - other.memory_gib).slice(0, 1);
  const possible = a.possible || b.possible;
  const lacking = [a, b].filter((part) => part.smallest.length > 0).map((part) => part.short_gib);
  return {
    ...leader, layouts, smallest, possible,
    front: frontOf([...a.front, ...b.front]),
    short_gib: possible || lacking.length === 0 ? 0 : Math.min(...lacking),
    searched: a.searched + b.searched,
    evaluated: a.evaluated + b.evaluated,
    too_large: a.too_large + b.too_large,
    outdone: a.outdone + b.outdone,
    space: joined(a.space, b.space),
  };
}

/** Searches a space part by part; `report` hears after each. */
export class Search {
  private cancelled = false;

  constructor(private readonly background: Background, private readonly report: (progress: Progress) => void) {}

  cancel(): void {
    this.cancelled = true;
  }

  async start(inputs: Record<string, unknown>, best: number): Promise<void> {
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    const first = this.background.preview("plan", { ...inputs, best, part: 0, parts: 64 });
    if (first) this.report({ found: first.results, problems: first.problems ?? [], done: 0, parts: 64, elapsed_ms: elapsed(), state: first.problems ? "finished" : "running" });
    if (first?.problems) return;
    await this.background.started;
    // Beside the page a part may take long; on its own thread it must leave room for a frame.
    const parts = this.background.beside ? 8 : 64;
    let found: PlanResults | undefined;
    let done = 0;
    while (done < parts) {
      const answer = await this.background.run("plan", { ...inputs, best, part: done, parts });
      if (this.cancelled) {
        this.report({ found, problems: [], done, parts, elapsed_ms: elapsed(), state: "cancelled" });
        return;
      }
      if (answer.problems) {
        this.report({ found: undefined, problems: answer.problems, done, parts, elapsed_ms: elapsed(), state: "finished" });
        return;
      }
      found = together(found, answer.results, best);
      done++;
      this.report({ found, problems: [], done, parts, elapsed_ms: elapsed(), state: done < parts ? "running" : "finished" });
    }
  }
}
