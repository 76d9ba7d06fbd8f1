import type { ScenarioEvent } from "./scenario.js";
import type { Session } from "./session.js";

interface Moment {
  texts: Record<string, string>;
  pinned: Record<string, string> | undefined;
}

/** How many changes can be taken back. */
const longest = 200;

const momentOf = (scenario: Session): Moment => ({ texts: scenario.texts(), pinned: scenario.pinned?.texts() });
const same = (one: Moment, other: Moment) => JSON.stringify(one) === JSON.stringify(other);

/** Undoes and redoes changes of a scenario; successive edits of one field are one change. */
export class Undo {
  private readonly past: Moment[] = [];
  private future: Moment[] = [];
  private present: Moment;
  /** The only field that the last change affected. */
  private edited: string | undefined;
  private moving = false;

  constructor(private readonly scenario: Session) {
    this.present = momentOf(scenario);
    scenario.addEventListener("change", (event) => this.note(event as ScenarioEvent));
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  private note({ names, whole }: ScenarioEvent): void {
    if (this.moving) return;
    const now = momentOf(this.scenario);
    if (same(now, this.present)) return;
    const edited = whole ? undefined : names.find((name) => this.scenario.owns(name));
    if (edited === undefined || edited !== this.edited) this.past.push(this.present);
    if (this.past.length > longest) this.past.shift();
    this.present = now;
    this.future = [];
    this.edited = edited;
  }

  private move(from: Moment[], to: Moment[]): boolean {
    const moment = from.pop();
    if (!moment) return false;
    to.push(this.present);
    this.present = moment;
    this.edited = undefined;
    this.moving = true;
    this.scenario.restore(moment.texts, moment.pinned);
    this.moving = false;
    return true;
  }

  /** Whether there was something to undo. */
  undo(): boolean {
    return this.move(this.past, this.future);
  }

  /** Whether there was something to redo. */
  redo(): boolean {
    return this.move(this.future, this.past);
  }
}
