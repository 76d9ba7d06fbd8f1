import { noChange, type nothing, type TemplateResult } from "lit";
import { define } from "./define.js";
import { EngineElement } from "./engine-element.js";
import { WhenSeen } from "./when-seen.js";

/**
 * A part of a view below its answer: an edit recomputes and redraws it only while it is visible, otherwise once the
 * reader pauses.
 */
export class SeenPart extends EngineElement {
  static override properties = {
    draw: { attribute: false, hasChanged: () => true },
    drawn: { type: Boolean, reflect: true },
  };

  /** Its content for the current inputs; undefined if these are wrong: then it stays as it is. */
  declare draw: () => TemplateResult | typeof nothing | undefined;
  /** Whether it has content, or is known to have none: until then it reserves space. */
  declare drawn: boolean;
  private readonly whenSeen = new WhenSeen(this);

  /** Rendered in the view's own tree, whose styles it uses. */
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
