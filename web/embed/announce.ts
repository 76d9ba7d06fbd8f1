import type { ReactiveController } from "lit";
import type { ScenarioView } from "../elements/scenario-view.js";
import type { Scenario } from "../state/scenario.js";

/** Fires `change` on a view whenever it has something new to say: { inputs, results } or { problems }. */
class Announcer implements ReactiveController {
  private followed: Scenario | undefined;
  private unsaid = true;
  private readonly onChange = () => (this.unsaid = true);

  constructor(private readonly view: ScenarioView) {}

  hostUpdated(): void {
    const { view } = this;
    if (view.scenario !== this.followed) {
      this.followed?.removeEventListener("change", this.onChange);
      this.followed = view.scenario;
      this.followed?.addEventListener("change", this.onChange);
      this.unsaid = true;
    }
    const detail = this.unsaid && view.scenario ? view.outcome : undefined;
    if (!detail) return;
    this.unsaid = false;
    view.dispatchEvent(new CustomEvent("change", { detail, bubbles: true, composed: true }));
  }
}

const announced = new WeakSet<ScenarioView>();

/** Lets a view fire `change` from now on. */
export function announce(view: ScenarioView): void {
  if (announced.has(view)) return;
  announced.add(view);
  view.addController(new Announcer(view));
}
