import { LitElement, type TemplateResult, unsafeCSS } from "lit";
import { html } from "./html.js";
import { meaningOf } from "../state/meanings.js";
import type { CalculationName } from "../state/run.js";
import type { Scenario } from "../state/scenario.js";
import { theme } from "./theme.js";
import styles from "./meaning.css?inline";
import { define } from "./define.js";

/** How long the pointer may be away before the explanation closes, ms. */
const grace = 150;
/** Space between a name and its explanation, and to the window's edge, px. */
const gap = 6;
/** Height of the page's tabs, px. */
const tabs = 64;

/**
 * A name that explains itself: on hover and focus, and on tap, which stays until the next. Escape closes it, and the
 * pointer may move onto it.
 */
export class Meaning extends LitElement {
  static override properties = { says: {}, stop: { state: true } };

  declare says: string;
  /**
   * Whether the tab key stops here: in a table or a list only at one of its names, from which arrow keys lead to the
   * others.
   */
  declare stop: boolean;
  private kept = false;

  constructor() {
    super();
    this.stop = true;
  }

  /** All names of the same table or list, in order; only this one if it is in a sentence. */
  private get neighbours(): Meaning[] {
    const within = this.closest("table, dl");
    return within ? [...within.querySelectorAll<Meaning>("commcost-meaning")] : [this];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Once the ones before it exist.
    queueMicrotask(() => {
      const all = this.neighbours;
      this.stop = !all.slice(0, all.indexOf(this)).some(({ stop }) => stop);
    });
  }

  /** Goes on to another name of the table: there the tab key stops from now on. */
  private walk(event: KeyboardEvent): boolean {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const all = this.neighbours;
    const next = by === undefined ? undefined : all[all.indexOf(this) + by];
    if (!next) return false;
    for (const name of all) name.stop = name === next;
    next.renderRoot.querySelector<HTMLElement>(".name")!.focus();
    return true;
  }

  private get tip(): HTMLElement {
    return this.renderRoot.querySelector<HTMLElement>("#tip")!;
  }

  private show = (): void => {
    const { tip } = this;
    if (tip.matches(":popover-open")) return;
    tip.showPopover();
    this.place();
    addEventListener("scroll", this.place, { capture: true, passive: true });
  };

  /** Above the name, or below where it would cover the tabs; it goes along when the page scrolls. */
  private place = (): void => {
    const { tip } = this;
    const name = this.getBoundingClientRect();
    const box = tip.getBoundingClientRect();
    const above = name.top - box.height - gap;
    tip.style.left = `${Math.max(gap, Math.min(name.left, document.documentElement.clientWidth - box.width - gap))}px`;
    tip.style.top = `${above >= tabs ? above : name.bottom + gap}px`;
  };

  private hide = (): void => {
    this.kept = false;
    removeEventListener("scroll", this.place, { capture: true });
    if (this.tip?.matches(":popover-open")) this.tip.hidePopover();
  };

  /** After a moment, so that the pointer may cross the gap to the explanation. */
  private leave = (): void => {
    setTimeout(() => {
      // Content in the top layer does not make its host hovered.
      if (!this.kept && !this.matches(":hover, :focus-within") && !this.tip.matches(":hover")) this.hide();
    }, grace);
  };

  private onPointer = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") this.show();
  };

  private onClick = (): void => {
    this.kept = true;
    this.show();
  };

  private onKey = (event: KeyboardEvent): void => {
    if (this.walk(event)) {
      event.preventDefault();
      return;
    }
    if (event.key !== "Escape" || !this.tip.matches(":popover-open")) return;
    event.stopPropagation();
    this.hide();
  };

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("scroll", this.place, { capture: true });
  }

  override render(): TemplateResult {
    return html`<span class="name" tabindex=${this.stop ? 0 : -1} role="button" aria-describedby="tip" @click=${this.onClick} @focus=${this.show} @blur=${this.hide}
        @keydown=${this.onKey} @pointerenter=${this.onPointer} @pointerleave=${this.leave}><slot></slot></span><span id="tip" popover="manual" role="tooltip"
        @pointerleave=${this.leave}>${this.says}</span>`;
  }

  static override styles = [theme, unsafeCSS(styles)];
}

define("commcost-meaning", Meaning);

/** A result's name with its explanation from the engine's table. */
export function meaning(scenario: Scenario, calculation: CalculationName, path: string, name: unknown): unknown {
  const says = meaningOf(scenario, calculation, path);
  return says === undefined ? name : html`<commcost-meaning .says=${says}>${name}</commcost-meaning>`;
}
