import type { PlanResults, PlanScalingResults, Problem } from "#engine";
import type { Background } from "../../state/background.js";
import { searchLayouts } from "../../state/search-layouts.js";
import type { Session } from "../../state/session.js";

export type ScalingRow = PlanScalingResults["rows"][number];

/** Numbers of GPUs with their scenario. */
export interface Scaled {
  rows: readonly ScalingRow[];
  of: Session;
}

/** How far a search has come, and what it has found so far. */
export interface Progress {
  /** The question. */
  inputs: Readonly<Record<string, unknown>>;
  found: PlanResults | undefined;
  /** The best layouts on fewer and more GPUs, ascending, as far as they are known, and how many there will be. */
  scaling: readonly ScalingRow[];
  counts: number;
  /** On how many GPUs a layout first fits, once that is known; else 0. */
  fits_from_gpus: number;
  problems: Problem[];
  elapsed_ms: number;
  state: "layouts" | "counts" | "finished" | "cancelled";
}

/** Answers in quicker succession are shown together. */
const shownEvery_ms = 60;

/** Searches the layouts with growing effort, then other numbers of GPUs; `report` is called after each answer. */
export class Search {
  progress: Progress;
  private began = performance.now();
  private reported = 0;

  constructor(
    inputs: Readonly<Record<string, unknown>>,
    private readonly report: (progress: Progress) => void,
  ) {
    this.progress = {
      inputs,
      found: undefined,
      scaling: [],
      counts: 0,
      fits_from_gpus: 0,
      problems: [],
      elapsed_ms: 0,
      state: "layouts",
    };
  }

  get running(): boolean {
    return this.progress.state === "layouts" || this.progress.state === "counts";
  }

  /** Stops with what was found so far. */
  cancel(): void {
    if (this.running) this.tell({ state: "cancelled" });
  }

  private tell(news: Partial<Progress>): void {
    const now = performance.now();
    this.progress = { ...this.progress, ...news, elapsed_ms: now - this.began };
    this.reported = now;
    this.report(this.progress);
  }

  /** One engine searches the layouts, another the other numbers of GPUs. */
  async start(background: Background, others: () => Background, best: number): Promise<void> {
    if (!this.running) return;
    this.began = performance.now();
    const { inputs } = this.progress;
    const problems = await searchLayouts(
      background,
      { ...inputs, best },
      (found) => this.tell({ found }),
      () => this.running,
    );
    if (!this.running) return;
    if (problems.length > 0) return this.tell({ problems, state: "finished" });
    if (this.progress.found) await this.otherNumbers(others(), inputs);
  }

  private async otherNumbers(background: Background, inputs: Progress["inputs"]): Promise<void> {
    const rows: ScalingRow[] = [];
    for (let counts = Infinity; rows.length < counts; ) {
      const answer = await background.run("plan_scaling", {
        ...inputs,
        known_step_time_ms: rows.map(({ step_time_ms }) => step_time_ms),
        searches: 1,
      });
      if (!answer || !this.running) return;
      if (answer.problems) return this.tell({ problems: answer.problems, state: "finished" });
      rows.push(...answer.results.rows);
      counts = answer.results.gpu_counts.length;
      const state = rows.length < counts ? "counts" : "finished";
      if (state === "finished" || performance.now() - this.reported > shownEvery_ms)
        this.tell({ scaling: [...rows], counts, fits_from_gpus: answer.results.fits_from_gpus, state });
    }
  }
}
