import type { Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/line-chart.js";
import { frameStyles } from "../../elements/answer-frame.js";
import { formulaLink } from "../../elements/formula-link.js";
import { fieldControl, fieldStyles, problemSummary } from "../../elements/field.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { significant } from "../../state/format.js";
import { exposedMs } from "../../state/step.js";
import { sharesOf } from "../../state/shares.js";
import styles from "./scaling.css?inline";
import { define } from "../../elements/define.js";
import { scalingChart } from "./scaling-chart.js";
import { scalingHeadline } from "./sentences.js";

/** The machines of the slides: the GPUs of a node, and how many it was scaled to. */
export const machines = [
  {
    name: "Polaris",
    system: "polaris-2023",
    accelerator: "a100-sxm-40gb",
    gpus_per_node: 4,
    nic_gb_per_sec: 6.25,
    to_gpus: 512,
  },
  {
    name: "ThetaGPU, 40 GB",
    system: "tg40",
    accelerator: "a100-sxm-40gb",
    gpus_per_node: 8,
    nic_gb_per_sec: 25,
    to_gpus: 64,
  },
  {
    name: "ThetaGPU, 80 GB",
    system: "tg80",
    accelerator: "a100-sxm-80gb",
    gpus_per_node: 8,
    nic_gb_per_sec: 25,
    to_gpus: 16,
  },
] as const;
const message = 256 * 2 ** 20;

/** The slides' two numbers: communication takes 7.35 times as long, 59.25 % of the throughput is lost. */
const worked = {
  compute_share: "0.771025",
  communication_share: "0.228975",
  efficiency: "0.1360544",
  from_gpus: "0",
  to_gpus: "0",
  from_bus_bandwidth_gb_per_sec: "0",
  to_bus_bandwidth_gb_per_sec: "0",
};

/** A measured step elsewhere: shares, typed or out of a profile, and the network's efficiency. */
export class ScalingSection extends ScenarioView {
  private machine({ to_gpus, ...machine }: (typeof machines)[number]): void {
    const bandwidth = (num_gpus: number) =>
      this.scenario.engine.predict_collective({
        collective: "all_reduce",
        accelerator: machine.accelerator,
        gpus_per_node: machine.gpus_per_node,
        nic_gb_per_sec: machine.nic_gb_per_sec,
        num_gpus,
        message_size_bytes: message,
      }).bus_bandwidth_gb_per_sec;
    this.scenario.set({
      from_gpus: String(machine.gpus_per_node),
      to_gpus: String(to_gpus),
      efficiency: "0",
      from_bus_bandwidth_gb_per_sec: significant(bandwidth(machine.gpus_per_node), 4),
      to_bus_bandwidth_gb_per_sec: significant(bandwidth(to_gpus), 4),
    });
  }

  private sharesOfStep(): void {
    const { results } = this.answer("training_step");
    if (!results) return;
    const exposed = exposedMs(results) / results.step_time_ms;
    this.scenario.set(sharesOf(1 - exposed, exposed));
  }

  private form(problems: readonly Problem[]): TemplateResult {
    const names = this.scenario.engine.describe().project_scaling!.inputs.map(({ name }) => name);
    return html`<form @submit=${(event: Event) => event.preventDefault()} aria-label="Projection">
      ${
        this.scenario.readonly
          ? nothing
          : html`<p class="small examples no-print">
        <button type="button" class="plain" @click=${() => this.scenario.set(worked)}>The slides’ example</button> ·
        <button type="button" class="plain" @click=${() => this.sharesOfStep()}>Shares of the scenario’s step</button> ·
        Bandwidths of ${machines.map(
          (machine, index) => html`${index > 0 ? ", " : ""}<button type="button" class="plain"
          @click=${() => this.machine(machine)}>${machine.name}</button>`,
        )}</p>`
      }
      <div class="fields">${names.map((name) => fieldControl(this.scenario, name, problems))}</div>
      ${problemSummary(this.scenario, problems, names)}
    </form>`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results, problems, stale } = this.answer("project_scaling");
    const { values } = this.scenario.inputs("project_scaling");
    return html`<section class=${stale ? "stale" : ""} aria-labelledby="scaling-title">
      <div class="titled"><h2 id="scaling-title">A measured step elsewhere</h2>${formulaLink("project_scaling")}</div>
      ${results ? scalingHeadline(results) : nothing}
      ${this.form(problems)}
      <div class="pairs">
        ${
          results && !stale
            ? html`<commcost-line-chart part="chart" .spec=${scalingChart(this.scenario, results, values)}
          @change=${({ detail }: CustomEvent<{ x: number }>) => this.scenario.set({ efficiency: String(Number(detail.x.toPrecision(3))) })}></commcost-line-chart>`
            : nothing
        }
        <div>
          <p>Compute stays as it is; communication takes its time divided by the network’s efficiency: (c + r) / (c + r / e). The efficiency is typed, or follows
            from two bus bandwidths and the ring’s volume at both numbers of GPUs.</p>
          <p class="small soft">After the ExaComm’24 panel’s slides on DOI 10.1145/3639034. Bandwidths of its three machines are predicted for an all-reduce of 256 MiB on one
            node and on all of the GPUs it was scaled to.</p>
        </div>
      </div>
    </section>`;
  }

  static override styles = [theme, base, frameStyles, fieldStyles, unsafeCSS(styles)];
}

define("commcost-scaling", ScalingSection);
