import type { ReactiveController, ReactiveControllerHost } from "lit";

/** While the page is put on paper, which shows all of it. */
let printing = false;
export const isPrinting = (): boolean => printing;
globalThis.addEventListener?.("beforeprint", () => (printing = true), { capture: true });
globalThis.addEventListener?.("afterprint", () => (printing = false), { capture: true });

/** Has an element draw itself only while it is on the screen, or near it: what is far below the answer must not hold it up. */
export class WhenSeen implements ReactiveController {
  /** Whether it is to draw itself. */
  seen = false;
  private readonly observer = new IntersectionObserver(([entry]) => this.set(entry!.isIntersecting), {
    rootMargin: "400px",
  });

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
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
    this.observer.disconnect();
    removeEventListener("beforeprint", this.onPrint);
  }
}
