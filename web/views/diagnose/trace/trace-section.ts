import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../../elements/html.js";
import "../../../charts/stacked-bars.js";
import "../../../elements/drop-place.js";
import type { GivenEvent } from "../../../elements/drop-place.js";
import { FileReading } from "../../../elements/file-reading.js";
import { SeenView } from "../../../elements/seen-view.js";
import { base, theme } from "../../../elements/theme.js";
import { readNumber } from "../../../state/number.js";
import { own, type OwnFiles } from "../../../state/own.js";
import { run } from "../../../state/run.js";
import { sharesOf } from "../../../state/shares.js";
import { kernelTable, operatorTables, profileBars } from "./profile-bars.js";
import section from "../section.css?inline";
import styles from "./trace-section.css?inline";
import { define } from "../../../elements/define.js";
import { openView } from "../../../elements/view-link.js";

/** A profiler's trace, dropped or chosen: read in the background, taken apart and shown next to the predicted step. */
export class TraceSection extends SeenView {
  static override properties = {
    ...SeenView.properties,
    trace: { state: true },
  };

  declare trace: OwnFiles["trace"] | undefined;
  private readonly reading = new FileReading(this, () => (this.trace = own.get("trace")));

  private async open(file: File): Promise<void> {
    await this.reading.take(this.scenario, file, file.name);
    await this.updateComplete;
    this.scrollIntoView({ block: "nearest" });
  }

  private project({ devices }: OwnFiles["trace"]): void {
    const { compute_only_share, overlapped_share, communication_only_share } = devices[0]!.breakdown;
    this.scenario.set(sharesOf(compute_only_share + overlapped_share, communication_only_share));
    openView(this, "projection");
  }

  /** A reader who knows the number of profiled steps better than the marks in the file can enter it. */
  private setSteps(text: string): void {
    const steps = readNumber(text.trim()) ?? 0;
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
        ${operatorTables(trace)}
      </div>`;
  }

  override render(): TemplateResult {
    const { trace } = this;
    return html`<commcost-drop-place name="trace" label="Trace" accept=".json,.gz,.pt.trace.json"
        @given=${({ given }: GivenEvent) => typeof given !== "string" && void this.open(given)}>
      <section aria-labelledby="trace-title">
      <h2 id="trace-title">Next to your own profile</h2>
      <p class="small soft no-print">Drop a PyTorch profiler’s trace (Chrome trace JSON, gzipped or not), or choose one. Nothing is uploaded. Kernels of nccl, rccl and oneCCL count as communication.</p>
      <p>${this.reading.progress()}</p>
      <p class="small soft" role="status">${this.reading.says}</p>
      ${trace?.missing ? html`<p class="small warn" role="status">${trace.missing}</p>` : nothing}
      ${trace ? this.beside(trace) : nothing}
    </section></commcost-drop-place>`;
  }

  static override styles = [theme, base, unsafeCSS(section), unsafeCSS(styles)];
}

define("commcost-trace", TraceSection);
