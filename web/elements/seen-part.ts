import { noChange, type nothing, type TemplateResult } from "lit";
import { define } from "./define.js";
import { EngineElement } from "./engine-element.js";
import { WhenSeen } from "./when-seen.js";

/** A part of a view below its answer: computed and drawn once it comes into sight, and after an edit only while it is there. */
export class SeenPart extends EngineElement {
  static override properties = { draw: { attribute: false, hasChanged: () => true } };

  /** What is in it, of the inputs as they are when it is called; undefined where these are wrong: then it stays as it is. */
  declare draw: () => TemplateResult | typeof nothing | undefined;
  private readonly whenSeen = new WhenSeen(this);

  /** In the view's own tree, whose styles it has. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override shouldUpdate(): boolean {
    return this.whenSeen.seen;
  }

  override render(): unknown {
    return this.draw() ?? noChange;
  }
}

define("commcost-seen-part", SeenPart);
