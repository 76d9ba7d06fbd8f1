import type { LitElement, ReactiveController } from "lit";
import type { Engine } from "#engine";
import { saysNothing } from "../state/link.js";
import { ready } from "../state/parts.js";
import type { CalculationName } from "../state/run.js";
import type { HostWishes } from "./host-wishes.js";
import { firstView, usualView, viewNamed, type View } from "./views.js";

/** The view that is open; another is there once all that it needs has come in. */
export class Opened implements ReactiveController {
  view: View = usualView;
  /** The view whose tab was brought into sight. */
  private sighted: View | undefined;

  constructor(
    private readonly host: LitElement & { readonly embed: boolean },
    private readonly wishes: HostWishes,
  ) {
    host.addController(this);
  }

  /** On a phone there are more tabs than find room. */
  hostUpdated(): void {
    const tab = this.view !== this.sighted && this.host.renderRoot.querySelector("nav [aria-current=page]");
    if (!tab) return;
    this.sighted = this.view;
    tab.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The view that the address asks for. A frame shows what it was made to show. */
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

  /** Opens a view, and answers whether it is another; throws where it could not be fetched. */
  async open(view: View, engine: Engine): Promise<boolean> {
    const needed = this.needed(view);
    await Promise.all([this.scripts(view), needed && ready(engine, needed)]);
    const another = view !== this.view;
    this.view = view;
    this.host.requestUpdate();
    return another;
  }
}
