import type { TraceBreakdownResults } from "#engine";
import { css, html, nothing, type TemplateResult } from "lit";
import type { StackedBarsSpec } from "../../../charts/stacked-bars.js";
import "../../../charts/stacked-bars.js";
import { microsecondUnits } from "../../../charts/units.js";
import { define, ScenarioView } from "../../../elements/scenario-view.js";
import { base, theme } from "../../../elements/theme.js";
import { Background } from "../../../state/background.js";
import { exact, milliseconds, significant } from "../../../state/format.js";
import { own } from "../../../state/own.js";
import { sharesOf } from "../shares.js";
import { readBeside } from "./beside.js";
import type { Kernels } from "./kernels.js";

/** The profile's time by what runs. */
function traceBars(trace: TraceBreakdownResults): StackedBarsSpec {
  const parts = [
    { name: "compute alone", value: trace.compute_only_us, color: "compute" as const },
    { name: "both", value: trace.overlapped_us, color: "overlapped" as const },
    { name: "communication alone", value: trace.communication_only_us, color: "communication" as const },
    { name: "neither", value: trace.idle_us, color: "waiting" as const },
  ];
  const { length } = trace.streams;
  return {
    id: "commcost-trace",
    title: "The profile’s time.",
    summary: `${exact(trace.kernels)} kernels on ${length} stream${length === 1 ? "" : "s"}; communication is exposed for ${significant(
      100 * trace.communication_only_share,
      3,
    )} % of the time.`,
    bars: [{ label: "profile", parts }],
    axis: "Time",
    units: microsecondUnits,
    format: (value) => milliseconds(value / 1e3, 3),
    table: { header: ["part", "time_us"], rows: parts.map(({ name, value }) => [name, value]) },
  };
}

/** A profiler's trace, dropped or chosen: read beside the page, taken apart, its shares ready to be projected. */
export class TraceSection extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    trace: { state: true },
    reading: { state: true },
    failure: { state: true },
  };

  declare trace: TraceBreakdownResults | undefined;
  /** How much of a trace was read, while one is. */
  declare reading: number | undefined;
  declare failure: string;
  private stopper: AbortController | undefined;

  /** A profile came or went elsewhere on the page. */
  private readonly onOwn = () => {
    this.trace = own.get("trace")?.breakdown;
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

  private async open(file: File | undefined): Promise<void> {
    if (!file) return;
    this.stopper?.abort();
    const stopper = (this.stopper = new AbortController());
    this.failure = "";
    this.reading = 0;
    try {
      const kernels = await readBeside(file, (read) => (this.reading = read), stopper.signal);
      await this.takeApart(file.name, kernels, stopper.signal);
    } catch (error) {
      if (this.stopper === stopper) this.failure = error instanceof Error ? error.message : String(error);
    }
    if (this.stopper === stopper) this.reading = undefined;
  }

  /** Sorting millions of kernels takes longer than a frame: it is done beside the page as well. */
  private async takeApart(name: string, kernels: Kernels, signal: AbortSignal): Promise<void> {
    const background = new Background(this.scenario.engine);
    signal.addEventListener("abort", () => background.stop(), { once: true });
    const answer = await background.run("trace_breakdown", { ...kernels });
    background.stop();
    signal.throwIfAborted();
    if (answer?.problems) throw new Error(answer.problems.map(({ message }) => message).join(" "));
    if (answer?.results) own.set("trace", { name, breakdown: answer.results });
  }

  private project(trace: TraceBreakdownResults): void {
    this.scenario.set(sharesOf(trace.compute_only_share + trace.overlapped_share, trace.communication_only_share));
  }

  override render(): TemplateResult {
    const { trace, reading } = this;
    return html`<section aria-labelledby="trace-title" @dragover=${(event: DragEvent) => event.preventDefault()}
        @drop=${(event: DragEvent) => {
          event.preventDefault();
          void this.open(event.dataTransfer?.files[0]);
        }}>
      <h3 id="trace-title">Shares out of a profile</h3>
      <p class="small soft">Drop a PyTorch profiler’s trace here (Chrome trace JSON, gzipped or not), or choose one. It is read on your machine and not sent
        anywhere. Kernels of nccl, rccl and oneCCL count as communication.</p>
      <p class="no-print"><label for="trace-file">Trace</label> <input id="trace-file" type="file" accept=".json,.gz,.pt.trace.json"
        @change=${(event: Event) => this.open((event.target as HTMLInputElement).files?.[0])} /></p>
      ${
        reading === undefined
          ? nothing
          : html`<p><progress max="1" .value=${reading} aria-label="Read"></progress>
        <span class="small soft number">${Math.floor(100 * reading)} %</span>
        <button @click=${() => this.stopper?.abort(new Error("Reading was cancelled."))}>Cancel</button></p>`
      }
      <p class="small bad" role="status">${this.failure}</p>
      ${
        trace
          ? html`<commcost-stacked-bars part="chart" .spec=${traceBars(trace)}></commcost-stacked-bars>
        <p><button @click=${() => own.remove("trace")}>Remove it</button> <button ?disabled=${this.scenario.readonly} @click=${() => this.project(trace)}>Project with these shares</button></p>`
          : nothing
      }
    </section>`;
  }

  static override styles = [
    theme,
    base,
    css`
    :host { display: block; min-width: 0; }
    section { border: 1px dashed var(--rule-strong); padding: 0.6rem 0.9rem; margin-top: 1rem; }
    h3 { margin-bottom: 0.4rem; }
    label { font-family: var(--sans); font-size: var(--small); }
    input { max-width: 100%; }
    .bad { color: var(--bad); }
    .bad:empty { display: none; }
    progress { accent-color: var(--accent); }
    @media print { section:not(:has(commcost-stacked-bars)) { display: none; } }
  `,
  ];
}

define("commcost-trace", TraceSection);
