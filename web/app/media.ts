import type { ReactiveController, ReactiveControllerHost } from "lit";

/** Whether the screen is as a media query asks for, now and whenever that changes. */
export class Media implements ReactiveController {
  private readonly list: MediaQueryList;
  private readonly onChange = () => this.host.requestUpdate();

  constructor(
    private readonly host: ReactiveControllerHost,
    query: string,
  ) {
    this.list = matchMedia(query);
    host.addController(this);
  }

  hostConnected(): void {
    this.list.addEventListener("change", this.onChange);
  }

  hostDisconnected(): void {
    this.list.removeEventListener("change", this.onChange);
  }

  get matches(): boolean {
    return this.list.matches;
  }
}
