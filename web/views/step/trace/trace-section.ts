import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import "../../../charts/stacked-bars.js";
import "../../../elements/drop-place.js";
import type { GivenEvent } from "../../../elements/drop-place.js";
import { ScenarioView } from "../../../elements/scenario-view.js";
import { base, theme } from "../../../elements/theme.js";
import { Background } from "../../../state/background.js";
import { own, type DeviceProfile, type OwnFiles } from "../../../state/own.js";
import { run } from "../../../state/run.js";
import { sharesOf } from "../shares.js";
import { readBeside } from "./beside.js";
import type { Profile } from "./devices.js";
import { kernelTable, profileBars } from "./profile-bars.js";
import styles from "./trace-section.css?inline";
import { define } from "../../../elements/define.js";

/** What of a profile's file could not be read, in sentences. */
function missingOf({ isCut, broken }: Profile): string {
  return [
    ...(isCut ? ["The file ends in the middle: what stands before that is shown."] : []),
    ...(broken > 0
      ? [`${broken} kernel${broken === 1 ? "" : "s"} could not be read and ${broken === 1 ? "is" : "are"} left out.`]
      : []),
  ].join(" ");
}

/** A profiler's trace, dropped or chosen: read beside the page, taken apart and set beside the predicted step. */
export class TraceSection extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    trace: { state: true },
    reading: { state: true },
    failure: { state: true },
  };

  declare trace: OwnFiles["trace"] | undefined;
  /** How much of a trace was read, while one is. */
  declare reading: number | undefined;
  declare failure: string;
  private stopper: AbortController | undefined;

  /** A profile came or went elsewhere on the page. */
  private readonly onOwn = () => {
    this.trace = own.get("trace");
    const offered = own.takeTrace();
    if (offered) void this.open(offered);
  };

  override connectedCallback(): void {
    super.connectedCallback();
    own.addEventListener("change", this.onOwn);
    this.onOwn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    own.removeEventListener("change", this.onOwn);
    this.stopper?.abort();
  }

  private async open(file: File): Promise<void> {
    this.stopper?.abort();
    const stopper = (this.stopper = new AbortController());
    this.failure = "";
    this.reading = 0;
    try {
      const profile = await readBeside(file, (read) => (this.reading = read), stopper.signal);
      await this.takeApart(file.name, profile, stopper.signal);
      await this.updateComplete;
      this.scrollIntoView({ block: "nearest" });
    } catch (error) {
      if (this.stopper === stopper) this.failure = error instanceof Error ? error.message : String(error);
    }
    if (this.stopper === stopper) this.reading = undefined;
  }

  /** Sorting millions of kernels takes longer than a frame: it is done beside the page as well. */
  private async takeApart(name: string, profile: Profile, signal: AbortSignal): Promise<void> {
    const background = new Background(this.scenario.engine);
    signal.addEventListener("abort", () => background.stop(), { once: true });
    const devices: DeviceProfile[] = [];
    for (const { device, columns, totals } of profile.devices) {
      const answer = await background.run("trace_breakdown", { ...columns });
      signal.throwIfAborted();
      if (answer?.problems) throw new Error(answer.problems.map(({ message }) => message).join(" "));
      if (answer?.results) devices.push({ device, breakdown: answer.results, kernels: totals });
    }
    background.stop();
    own.set("trace", { name, steps: Math.max(1, profile.steps), devices, missing: missingOf(profile) });
  }

  private project({ devices }: OwnFiles["trace"]): void {
    const { compute_only_share, overlapped_share, communication_only_share } = devices[0]!.breakdown;
    this.scenario.set(sharesOf(compute_only_share + overlapped_share, communication_only_share));
  }

  /** Whoever knows how many steps were profiled better than the marks in it says so. */
  private setSteps(text: string): void {
    const steps = Number(text);
    if (this.trace && Number.isInteger(steps) && steps >= 1) own.set("trace", { ...this.trace, steps });
  }

  private beside(trace: OwnFiles["trace"]): TemplateResult {
    const { results } = run(this.scenario, "training_step");
    return html`<div class="pairs">
        <div><commcost-stacked-bars part="chart" .spec=${profileBars(trace, results)}></commcost-stacked-bars>
        <p class="no-print row"><label for="trace-steps">Steps in the profile</label>
          <input id="trace-steps" type="text" inputmode="numeric" .value=${String(trace.steps)}
            @change=${(event: Event) => this.setSteps((event.target as HTMLInputElement).value)} />
          <button @click=${() => own.remove("trace")}>Remove it</button>
          <button ?disabled=${this.scenario.readonly} @click=${() => this.project(trace)}>Project with these shares</button></p></div>
        ${kernelTable(trace)}
      </div>`;
  }

  override render(): TemplateResult {
    const { trace, reading } = this;
    return html`<commcost-drop-place name="trace" label="Trace" accept=".json,.gz,.pt.trace.json"
        @given=${({ given }: GivenEvent) => typeof given !== "string" && void this.open(given)}>
      <section aria-labelledby="trace-title">
      <h2 id="trace-title">Beside a profile of your own</h2>
      <p class="small soft no-print">Drop a PyTorch profiler’s trace (Chrome trace JSON, gzipped or not), or choose one. It is read on your machine and not sent
        anywhere. Kernels of nccl, rccl and oneCCL count as communication.</p>
      ${
        reading === undefined
          ? nothing
          : html`<p><progress max="1" .value=${reading} aria-label="Read"></progress>
        <span class="small soft number">${Math.floor(100 * reading)} %</span>
        <button @click=${() => this.stopper?.abort(new Error("Reading was cancelled."))}>Cancel</button></p>`
      }
      <p class="small bad" role="status">${this.failure}</p>
      ${trace?.missing ? html`<p class="small warn" role="status">${trace.missing}</p>` : nothing}
      ${trace ? this.beside(trace) : nothing}
    </section></commcost-drop-place>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-trace", TraceSection);
