import { nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { html } from "./html.js";
import { BackgroundReader } from "../state/reader/background-reader.js";
import { own } from "../state/own.js";
import { isRefusal } from "../state/run.js";
import type { Session } from "../state/session.js";
import { take, type Taken } from "../state/take.js";

/**
 * Reads one file after the other in the background, for an element that takes files: progress, a way to stop, the
 * outcome.
 */
export class FileReading implements ReactiveController {
  /** The outcome of the last file, or why it failed. */
  says = "";
  /** Whether that is why it failed. */
  refused = false;
  private reading: { name: string; share: number; background: BackgroundReader } | undefined;

  /** `heard` is called once the element is there, and whenever the reader's own files change elsewhere on the page. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly heard?: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    if (!this.heard) return;
    own.addEventListener("change", this.heard);
    this.heard();
  }

  hostDisconnected(): void {
    if (this.heard) own.removeEventListener("change", this.heard);
    this.stop("");
  }

  private stop(says: string, refused = false): void {
    this.reading?.background.stop();
    this.reading = undefined;
    this.say(says, refused);
  }

  say(says: string, refused = false): void {
    this.says = says;
    this.refused = refused;
    this.host.requestUpdate();
  }

  /** Reads a file and recognises it; nothing if it is unknown, or if another replaced it. */
  async take(scenario: Session, file: Blob, name: string): Promise<Taken | undefined> {
    this.stop("");
    const background = new BackgroundReader(scenario.engine);
    const reading = (this.reading = { name, share: 0, background });
    const current = () => this.reading === reading;
    try {
      const held = await background.read(file, (share) => {
        reading.share = share;
        this.host.requestUpdate();
      });
      if (!held || !current()) return undefined;
      const taken = take(scenario, name, held);
      this.stop(taken.says);
      return taken;
    } catch (error) {
      if (!current()) return undefined;
      const said = isRefusal(error)
        ? error.problems.map(({ message }) => message).join("; ")
        : (error as Error).message;
      this.stop(said.includes(name) ? said : `${name}: ${said}`, true);
      return undefined;
    }
  }

  /** Progress, and a way to stop; nothing while nothing is read. */
  progress(): TemplateResult | typeof nothing {
    const { reading } = this;
    if (!reading) return nothing;
    return html`<span class="reading" data-reading>Reading ${reading.name}
      <progress max="1" .value=${reading.share} aria-label="Read"></progress>
      <span class="small soft number">${Math.floor(100 * reading.share)} %</span>
      <button @click=${() => this.stop("Reading was cancelled.")}>Cancel</button></span>`;
  }
}
