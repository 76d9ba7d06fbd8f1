import type { FitCollectiveResults, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/line-chart.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import "../../elements/drop-place.js";
import { saidProblem } from "../../elements/problem-words.js";
import type { GivenEvent } from "../../elements/drop-place.js";
import { formulaLink } from "../../elements/formula-link.js";
import { FileReading } from "../../elements/file-reading.js";
import "../../elements/missing-part.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { Part } from "../../engine/part.js";
import { apply, imported, keep } from "../../state/calibration.js";
import { bandwidth, exact, microsecondUnits, percent, significant, us } from "../../state/format.js";
import { own } from "../../state/own.js";
import { run } from "../../state/run.js";
import type { Sizes } from "../../state/sizes.js";
import { sizeAxis } from "../../elements/size-axis.js";
import { withArticle } from "../../elements/prediction.js";
import given from "../../elements/given.css?inline";
import styles from "./calibrate.css?inline";
import { define } from "../../elements/define.js";

/** The fit over the points, and its residuals. */
function fitCharts(sizes: Sizes, fit: FitCollectiveResults): { fit: LineChartSpec; residuals: LineChartSpec } {
  const points = [...fit.points].sort((a, b) => a.message_size_bytes - b.message_size_bytes);
  const table = {
    header: ["line", "message_size_bytes", "time_us", "fitted_us", "residual_percent"],
    rows: points.map((point) => [
      point.line,
      point.message_size_bytes,
      point.time_us,
      Number(point.fitted_us.toPrecision(5)),
      Number(point.residual_percent.toPrecision(3)),
    ]),
  };
  const worst = points.reduce((a, b) => (Math.abs(b.residual_percent) > Math.abs(a.residual_percent) ? b : a));
  const span = Math.max(1, Math.abs(worst.residual_percent) * 1.15);
  return {
    fit: {
      id: "commcost-fit",
      title: "The fit over your points.",
      table,
      x: sizeAxis(sizes),
      summary: `An empty message takes ${us(fit.latency_us)}; a huge one goes at ${bandwidth(fit.bandwidth_gb_per_sec, 3)}; the knee between them is ${significant(fit.knee, 2)} sharp.`,
      y: { label: "Time", scale: "log", units: microsecondUnits, format: (value) => us(value) },
      series: [
        { name: "fit", color: "expected", points: points.map((p) => ({ x: p.message_size_bytes, y: p.fitted_us })) },
        {
          name: "log",
          kind: "dots",
          color: "own",
          points: points.map((p) => ({ x: p.message_size_bytes, y: p.time_us, note: `line ${p.line}` })),
        },
      ],
    },
    residuals: {
      id: "commcost-residuals",
      title: "Residuals.",
      table,
      x: sizeAxis(sizes),
      summary: `Fitted over measured: the median is off by ${significant(fit.median_error_percent, 2)} %, the worst, at ${sizes.binaryBytes(worst.message_size_bytes, 3)}, by ${significant(Math.abs(worst.residual_percent), 2)} %.`,
      y: {
        label: "Fitted over measured, less one",
        scale: "linear",
        domain: [-span, span],
        format: (value) => percent(value, 2),
      },
      rules: [{ axis: "y", at: 0, label: "" }],
      series: [
        {
          name: "residual",
          kind: "dots",
          color: "own",
          points: points.map((p) => ({ x: p.message_size_bytes, y: p.residual_percent, note: `line ${p.line}` })),
        },
      ],
    },
  };
}

/** The log of the reader's own nccl-tests: its points, and the curve through them. */
export class Calibrate extends ScenarioView {
  static override properties = {
    ...ScenarioView.properties,
    log: { state: true },
    name: { state: true },
    status: { state: true },
  };

  declare log: string;
  declare name: string;
  declare status: string;
  private readonly reading = new FileReading(this, () => (this.log = own.get("log")?.text ?? ""));

  constructor() {
    super();
    this.log = "";
    this.name = "";
    this.status = "";
  }

  private take(text: string): void {
    const calibration = imported(text);
    if (calibration) {
      keep(calibration);
      apply(this.scenario, calibration);
      this.status = `“${calibration.name}” was read and is in force.`;
      own.remove("log");
      return;
    }
    if (text.trim() === "") return own.remove("log");
    own.set("log", { name: this.name || "log", text });
    this.status = "";
  }

  private readonly example = new Part("The example", async () => {
    const { sampleLog } = await import("./sample-log.js");
    this.tryExample = () => {
      this.name = "Example of 8 A100";
      this.take(sampleLog);
    };
    this.tryExample();
  });
  private tryExample = (): void => void this.example.ask();

  private async takeFile(file: File): Promise<void> {
    this.name ||= file.name.replace(/\.[^.]*$/, "");
    await this.reading.take(this.scenario, file, file.name);
  }

  private badLines(problems: FitCollectiveResults["problems"]): TemplateResult | typeof nothing {
    if (problems.length === 0) return nothing;
    const few = problems.length <= 3;
    const list = html`<ul class="bad-lines">${problems.slice(0, 100).map(
      (problem) => html`<li>
      ${problem.lines > 1 ? `Lines ${problem.line} to ${problem.line + problem.lines - 1}` : `Line ${problem.line}`}: ${problem.message}${
        problem.text ? html`: <code>${problem.text}</code>` : nothing
      }</li>`,
    )}</ul>`;
    const title = `${exact(problems.length)} ${problems.length === 1 ? "place in the log was" : "places in the log were"} not understood`;
    return html`<details class="small" ?open=${few}><summary>${title}</summary>${list}</details>`;
  }

  private fitted(fit: FitCollectiveResults): TemplateResult {
    const charts = fitCharts(this.scenario.sizes, fit);
    return html`
      <p class="found" data-fit>${fit.points.length} sizes of ${fit.collective ? withArticle(fit.collective) : "a collective"}${
        fit.ranks > 0 ? ` on ${fit.ranks} GPUs` : ""
      }: latency <b class="number">${us(fit.latency_us)}</b>, bandwidth
        <b class="number">${bandwidth(fit.bandwidth_gb_per_sec, 3)}</b>${fit.bus_bandwidth_gb_per_sec > 0 ? ` (${bandwidth(fit.bus_bandwidth_gb_per_sec, 3)} of bus bandwidth)` : ""},
        knee <b class="number">${significant(fit.knee, 2)}</b>. Off by ${significant(fit.median_error_percent, 2)} % in the median;
        with the residuals between neighbours put in, ${significant(fit.cross_error_percent, 2)} % at points it has not seen.</p>
      ${this.badLines(fit.problems)}
      ${
        fit.points.length > 0
          ? html`<div class="pair">
        <commcost-line-chart part="chart" .spec=${charts.fit}></commcost-line-chart>
        <commcost-line-chart part="chart" .spec=${charts.residuals}></commcost-line-chart>
      </div>`
          : nothing
      }
      ${
        fit.collective !== "" && fit.ranks > 1
          ? nothing
          : html`<p class="small soft">The log does not tell its collective and its number of GPUs, so it cannot be compared with a machine.</p>`
      }`;
  }

  private refused(problems: readonly Problem[]): TemplateResult {
    return html`<div class="problems" role="alert"><ul>${problems.slice(0, 21).map((problem) => html`<li>${saidProblem(this.scenario, problem.message)}</li>`)}</ul></div>`;
  }

  override render(): TemplateResult {
    const answer = this.log.trim() === "" ? undefined : run(this.scenario, "fit_collective", { log: this.log });
    return html`<section aria-labelledby="calibrate-title" class=${this.log ? "" : "no-print"}>
      <div class="titled"><h2 id="calibrate-title">A log of your own nccl-tests</h2>${formulaLink("fit_collective")}</div>
      <p class="no-print">Paste the output of nccl-tests or rccl-tests for any collective; other lines in it are skipped. Nothing is uploaded.</p>
      <commcost-drop-place class="no-print" name="log" label="or a file, also dropped here:" accept=".log,.txt,.out,.json,text/plain"
          @given=${({ given }: GivenEvent) => (typeof given === "string" ? this.take(given) : void this.takeFile(given))}>
        <label for="log">Log of nccl-tests, or an exported calibration</label>
        <textarea id="log" rows="6" spellcheck="false" autocomplete="off" .value=${this.log}
          placeholder="#       size         count      type   redop    root     time   algbw   busbw #wrong …"
          @input=${(event: Event) => this.take((event.target as HTMLTextAreaElement).value)}></textarea>
        <button slot="actions" class="plain" @click=${() => this.tryExample()}>Try an example</button>
        ${this.log ? html`<button slot="actions" class="plain" @click=${() => this.take("")}>Clear</button>` : nothing}
      </commcost-drop-place>
      <commcost-missing .of=${this.example}></commcost-missing>
      ${this.reading.progress()}
      <p role="status" class="status small">${this.status || this.reading.says}</p>
      ${answer?.problems ? this.refused(answer.problems) : answer?.results ? this.fitted(answer.results) : nothing}
    </section>`;
  }

  static override styles = [theme, base, unsafeCSS(given), unsafeCSS(styles)];
}

define("commcost-calibrate", Calibrate);
