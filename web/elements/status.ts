import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A short message of an element, which disappears after `lasts` ms; without that it stays until the next. */
export class Status implements ReactiveController {
  text = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly lasts?: number,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.timer);
    this.text = "";
  }

  say(text: string): void {
    this.text = text;
    this.host.requestUpdate();
    clearTimeout(this.timer);
    if (text !== "" && this.lasts !== undefined) this.timer = setTimeout(() => this.say(""), this.lasts);
  }

  /** Copies a text and says so, or says what to do if the page may not. */
  async copy(text: string, copied: string, refused: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.say(copied);
    } catch {
      this.say(refused);
    }
  }
}
