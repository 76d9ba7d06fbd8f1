import type { ReactiveController, ReactiveControllerHost } from "lit";

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
    if (seen === this.seen) return;
    this.seen = seen;
    if (seen) this.host.requestUpdate();
  }

  hostConnected(): void {
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }
}
