import type { ScenarioView } from "../elements/scenario-view.js";
import type { Session } from "../state/session.js";
import { frameOptions, type FrameOptions } from "./frame-options.js";

/** What a frame's host asks for: read from its address, changed by its messages, passed on to what the frame shows. */
export class HostWishes {
  private wishes: FrameOptions = {};

  constructor(private readonly host: { readonly embed: boolean }) {}

  read({ search, hash }: Location): void {
    this.take({ ...frameOptions(search), ...frameOptions(hash) });
  }

  take(wishes: FrameOptions): void {
    this.wishes = { ...this.wishes, ...wishes };
  }

  /** What a frame shows instead of a view. */
  get figure(): string | undefined {
    return this.host.embed ? this.wishes.figure : undefined;
  }

  /** What its host says the figure shows. */
  get told(): Pick<FrameOptions, "watch" | "say" | "size"> {
    return this.wishes;
  }

  /** The parts of a view that its host asks for; all if it names none. */
  get parts(): string | undefined {
    return this.wishes.parts;
  }

  /** Gives a view what an element has as attributes. */
  apply(view: ScenarioView | null, scenario: Session): void {
    const { compact = false, readonly = false, parts } = this.wishes;
    scenario.readonly = readonly;
    if (view) Object.assign(view, { compact, readonly, parts });
  }
}
