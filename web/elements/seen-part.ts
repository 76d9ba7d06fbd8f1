import { noChange, type nothing, type TemplateResult } from "lit";
import { define } from "./define.js";
import { EngineElement } from "./engine-element.js";
import { WhenSeen } from "./when-seen.js";

/** A part of a view below its answer: an edit computes and draws it only while it is in sight, else once its reader pauses. */
export class SeenPart extends EngineElement {
  static override properties = {
    draw: { attribute: false, hasChanged: () => true },
    drawn: { type: Boolean, reflect: true },
  };

  /** What is in it, of the inputs as they are when it is called; undefined where these are wrong: then it stays as it is. */
  declare draw: () => TemplateResult | typeof nothing | undefined;
  /** Whether there is something in it, or is known to be nothing: until then it keeps room. */
  declare drawn: boolean;
  private readonly whenSeen = new WhenSeen(this);

  /** In the view's own tree, whose styles it has. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override shouldUpdate(): boolean {
    return this.whenSeen.due;
  }

  override render(): unknown {
    const content = this.draw();
    this.drawn ||= content !== undefined;
    return content ?? noChange;
  }
}

define("commcost-seen-part", SeenPart);
