import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Tells an element how wide it is, px, from the start and whenever that changes. */
export class OwnWidth implements ReactiveController {
  /**
   * As wide as the element, but of fixed height: observing the element itself would report the height that follows from
   * the width within the same frame, which browsers report as an error to the page's author.
   */
  private readonly measure = document.createElement("div");
  private readonly observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry!.contentRect.width);
    if (width > 0) this.heard(width);
  });

  constructor(
    private readonly host: ReactiveControllerHost & { readonly renderRoot: HTMLElement | DocumentFragment },
    private readonly heard: (width: number) => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    const { renderRoot } = this.host;
    if (this.measure.parentNode !== renderRoot) renderRoot.append(this.measure);
    this.observer.observe(this.measure);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }
}
