import { ScenarioView } from "./scenario-view.js";
import { WhenSeen } from "./when-seen.js";

/** A part below a view's answer that follows the scenario by itself: drawn as `SeenPart` is. */
export abstract class SeenView extends ScenarioView {
  private readonly whenSeen = new WhenSeen(this);

  protected override shouldUpdate(): boolean {
    return this.whenSeen.due;
  }
}
