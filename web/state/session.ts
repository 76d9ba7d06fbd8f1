import { allFields } from "./fields.js";
import { helpOf } from "./parts.js";
import { Scenario, ScenarioEvent } from "./scenario.js";
import type { Sizes } from "./sizes.js";

type Text = Record<string, string>;

/** The one state of all views: the reader's scenario, the one that it is compared with, and what may be done to it. */
export class Session extends Scenario {
  private other: Scenario | undefined;
  private locked = false;

  /** Adds the help texts to the fields, which load after the first answer. */
  async explain(): Promise<void> {
    const help = helpOf(this.engine);
    void help?.ask();
    await help?.here;
    for (const [name, field] of allFields(this.engine)) this.fields.set(name, field);
    this.dispatchEvent(new Event("arrived"));
  }

  /** Whether the reader may change inputs; the code that holds the scenario always may. */
  get readonly(): boolean {
    return this.locked;
  }

  set readonly(locked: boolean) {
    if (locked === this.locked) return;
    this.locked = locked;
    this.refresh();
  }

  /** The scenario that this one is compared with: A, if one is pinned. */
  get pinned(): Scenario | undefined {
    return this.other;
  }

  /** Pins the present scenario to compare with. */
  pin(): void {
    this.hold(this.texts());
    this.dispatchEvent(new ScenarioEvent(["pin"], true));
  }

  unpin(): void {
    this.hold(undefined);
    this.dispatchEvent(new ScenarioEvent(["pin"], true));
  }

  private hold(texts: Text | undefined): void {
    this.other = texts && this.saying(texts);
  }

  /** The pinned scenario becomes the present one, and the present one is pinned. */
  swap(): void {
    if (!this.other) return;
    const theirs = this.other.texts();
    this.hold(this.texts());
    this.replace(theirs);
  }

  /** Replaces everything by a scenario with settings and the one to compare it with. */
  load(texts: Text, pinned: Text | undefined): void {
    this.hold(pinned);
    this.reset(texts);
  }

  /** The same, except that settings of the page stay. */
  restore(texts: Text, pinned: Text | undefined): void {
    this.hold(pinned);
    this.replace(texts);
  }

  /** Writes sizes in these units from now on. */
  write(sizes: Sizes): void {
    this.sizes = sizes;
    if (this.other) this.other.sizes = sizes;
    this.refresh();
  }

  /** Redraws everything: the display has changed, not the calculation. */
  refresh(): void {
    this.dispatchEvent(new ScenarioEvent([], false));
  }
}
