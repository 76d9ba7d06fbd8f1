import type { ReactiveController, ReactiveControllerHost } from "lit";
import { whenIdle } from "./when-idle.js";

/** True while the page is printed, which shows all of it. */
let printing = false;
export const isPrinting = (): boolean => printing;
globalThis.addEventListener?.("beforeprint", () => (printing = true), { capture: true });
globalThis.addEventListener?.("afterprint", () => (printing = false), { capture: true });

/**
 * How long a series of edits may go on, ms, before what is out of sight is drawn; and how long that waits for an idle
 * moment.
 */
const pause = 500;
const patience = 2000;
/** The elements to be drawn out of sight, in the order of the page. */
const owed = new Set<WhenSeen>();
let turn = 0;

/** One after the other, each in its own idle moment; another wait takes over. */
function drawOwed(after: number): void {
  const mine = ++turn;
  const draw = () => {
    if (mine !== turn) return;
    const [first] = owed;
    first?.draw();
    if (owed.size > 0) drawOwed(0);
  };
  setTimeout(() => whenIdle(draw, patience), after);
}

/**
 * Lets an element draw itself only while it is on the screen, or near it: content far below the answer must not delay
 * it.
 */
export class WhenSeen implements ReactiveController {
  /** Whether it is to draw itself. */
  seen = false;
  /** Whether it has drawn itself before: then its reader may be using it. */
  drawn = false;
  private isTurn = false;
  private readonly observer = new IntersectionObserver((entries) => this.set(entries.at(-1)!.isIntersecting), {
    rootMargin: "400px",
  });

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  /**
   * Whether it may draw itself now; otherwise it is drawn out of sight once the reader pauses, so that searching the
   * page, a screen reader or a full-page picture finds it there, and up to date.
   */
  get due(): boolean {
    const now = this.seen || this.isTurn;
    this.isTurn = false;
    if (now) owed.delete(this);
    else {
      owed.add(this);
      drawOwed(this.drawn ? pause : 0);
    }
    this.drawn ||= now;
    return now;
  }

  /** Whether it is to be drawn once its reader pauses. */
  get behind(): boolean {
    return owed.has(this);
  }

  draw(): void {
    owed.delete(this);
    this.isTurn = true;
    this.host.requestUpdate();
  }

  private set(seen: boolean): void {
    if (seen === this.seen || (printing && !seen)) return;
    this.seen = seen;
    if (seen) this.host.requestUpdate();
  }

  private readonly onPrint = () => this.set(true);

  hostConnected(): void {
    this.seen ||= printing;
    this.observer.observe(this.host);
    addEventListener("beforeprint", this.onPrint);
  }

  hostDisconnected(): void {
    owed.delete(this);
    this.observer.disconnect();
    removeEventListener("beforeprint", this.onPrint);
  }
}
