import type { LitElement, ReactiveController } from "lit";
import type { Engine } from "#engine";
import { Part } from "../engine/part.js";
import { saysNothing } from "../state/link.js";
import { ready } from "../state/parts.js";
import type { CalculationName } from "../state/run.js";
import type { HostWishes } from "./host-wishes.js";
import { firstView, usualView, viewNamed, type View } from "./views.js";

/** The view that is open; another replaces it once everything it needs has loaded. */
export class Opened implements ReactiveController {
  /** What was requested last; the address names it. */
  wanted: View = usualView;
  /** What is shown; nothing until the first view has loaded. */
  view: View | undefined;
  /** What is fetched for the wanted view. */
  part: Part | undefined;
  private readonly parts = new Map<string, Part>();
  /** The view whose tab was brought into sight. */
  private sighted: View | undefined;

  constructor(
    private readonly host: LitElement & { readonly embed: boolean },
    private readonly wishes: HostWishes,
  ) {
    host.addController(this);
  }

  /** On a phone there are more tabs than fit. */
  hostUpdated(): void {
    const tab = this.view !== this.sighted && this.host.renderRoot.querySelector("nav [aria-current=page]");
    if (!tab) return;
    this.sighted = this.view;
    // What a tab is made of follows it there.
    const inParts = this.host.renderRoot.querySelector("header .part") !== null;
    tab.scrollIntoView({ block: "nearest", inline: inParts ? "start" : "nearest" });
  }

  /** The view that the address asks for. A frame shows what it was made for. */
  asked(id: string | null | undefined): View {
    return viewNamed(id) ?? (!this.host.embed && saysNothing(location) ? firstView : usualView);
  }

  /** What is fetched to draw a view, or the figure in its place. */
  scripts(view: View): Promise<unknown> {
    return this.wishes.figure === undefined ? view.load() : import("../figures/figure.js");
  }

  /** The calculation without which nothing can be drawn. */
  needed(view: View): CalculationName | undefined {
    return this.wishes.figure === undefined ? (view.needs ?? view.calculation) : undefined;
  }

  private partOf(view: View, engine: Engine): Part {
    const name = this.wishes.figure === undefined ? `The ${view.title} view` : "The figure";
    let part = this.parts.get(name);
    if (!part) {
      const needed = this.needed(view);
      part = new Part(name, (attempt) =>
        Promise.all([this.scripts(view), needed && ready(engine, needed, attempt > 1)]),
      );
      part.addEventListener("change", () => this.show());
      this.parts.set(name, part);
      void part.ask();
    }
    return part;
  }

  private show(): void {
    if (this.part?.state === "here") this.view = this.wanted;
    this.host.requestUpdate();
  }

  /** Opens a view, and returns whether it is another; the current one stays until the new one is here. */
  async open(view: View, engine: Engine): Promise<boolean> {
    const another = view !== this.wanted;
    const part = this.partOf(view, engine);
    // Together, since each depends on the other.
    this.wanted = view;
    this.part = part;
    if (part.state === "missing") void part.ask();
    await part.settled();
    this.show();
    return another;
  }
}
