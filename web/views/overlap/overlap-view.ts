import type { OverlapRatioResults, Problem } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { besideLanes, besideLines, besideMap } from "../../charts/beside.js";
import "../../charts/heat-map.js";
import "../../charts/lane-chart.js";
import "../../charts/line-chart.js";
import { answerFrame } from "../../elements/answer-frame.js";
import { calibrationNote } from "../../elements/calibration-note.js";
import { besideLine, besides } from "../../elements/comparison.js";
import { fieldControl, problemSummary } from "../../elements/field.js";
import { derivation, mathStyles } from "../../elements/math.js";
import { layerChart } from "../../figures/layer-chart.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { viewStyles } from "../../elements/view-styles.js";
import { exactly } from "../../state/compared.js";
import { bandwidth, exact, significant, us } from "../../state/format.js";
import { ownCurve } from "../../state/own-log.js";
import { perhaps } from "../../state/parts.js";
import { completeInputs, run } from "../../state/run.js";
import type { Scenario } from "../../state/scenario.js";
import { channelsSection, productOf } from "./channels.js";
import { overlapDerivation } from "./derivation.js";
import { heatMap } from "./heat.js";
import { partitionChart, partitionStyles, partitionTable, schemeName } from "./partition.js";
import { headline, layerHides } from "./sentences.js";
import { askedOf, overlapOf, ownRatio, schemes, type SchemeWords } from "./schemes.js";
import styles from "./overlap-view.css?inline";
import { define } from "../../elements/define.js";

/** Inputs of this view alone: for the ratios, for the layer, for its partition. */
const ratioFields = ["scheme", "next_linear_size"] as const;
const layerFields = ["chunks", "latency_us"] as const;
const partitionFields = ["depth"] as const;

/** Variants of a layer that the timeline is compared with. */
const variants: readonly { title: string; inputs: Record<string, unknown> }[] = [
  { title: "All-reduces, nothing overlapped", inputs: { sequence_parallel: false, overlap_tensor: false, chunks: 1 } },
  {
    title: "All-reduces, overlapped with weight gradients",
    inputs: { sequence_parallel: false, overlap_tensor: true, chunks: 1 },
  },
  { title: "SP, nothing overlapped", inputs: { sequence_parallel: true, overlap_tensor: false, chunks: 1 } },
  {
    title: "SP, overlapped with weight gradients",
    inputs: { sequence_parallel: true, overlap_tensor: true, chunks: 1 },
  },
  { title: "SP, in 8 pieces", inputs: { sequence_parallel: true, overlap_tensor: true, chunks: 8 } },
];

/** Communication against compute: ratios, where they turn, and one layer as it happens. */
export class OverlapView extends ScenarioView {
  override get outcome() {
    return run(this.scenario, "overlap_ratio", askedOf(this.scenario, this.chosen.id));
  }

  private inputsOf(scenario: Scenario): Record<string, unknown> {
    return completeInputs(scenario, "overlap_ratio");
  }

  private get chosen(): SchemeWords {
    return schemes.find(({ id }) => id === this.scenario.text("scheme")) ?? schemes[2]!;
  }

  private ratioTable(): TemplateResult {
    const { scenario } = this;
    const { pinned } = scenario;
    const chosen = this.chosen.id;
    const head = (path: string, name: string) => meaning(scenario, "overlap_ratio", path, name);
    const rows = schemes.map((scheme) => {
      const results = overlapOf(scenario, scheme.id);
      return { scheme, results, own: results && ownRatio(scenario, scheme, results) };
    });
    const measured = rows.some(({ own }) => own !== undefined);
    return html`<div class="scroll" tabindex="0" role="group" aria-label="Ratios of all schemes">
      <table class="ratios">
        <caption>Communication over compute. Up to 1, compute can hide it.</caption>
        <thead><tr><th scope="col" class="text">Scheme</th><th scope="col">${head("ratio", "Ratio")}</th>
          ${measured ? html`<th scope="col">By your log</th>` : nothing}
          ${pinned ? html`<th scope="col">Against A</th>` : nothing}<th scope="col" class="text">${head("hidden", "Hidden")}</th>
          <th scope="col">${head("communication_us", "Communication")}</th><th scope="col">${head("compute_us", "Compute")}</th>
          <th scope="col">${head("hiding_gb_per_sec", "At ratio 1")}</th>
          <th scope="col" class="text">Sent, and computed meanwhile</th></tr></thead>
        <tbody>${rows.map(({ scheme, results, own }) => {
          const idle = !results || results.communication_us === 0;
          const then = pinned && overlapOf(pinned, scheme.id)?.ratio;
          return html`<tr class=${scheme.id === chosen ? "chosen" : ""}>
            <th scope="row" class="text">${scheme.title}</th>
            ${
              idle
                ? html`<td colspan=${5 + (pinned ? 1 : 0) + (measured ? 1 : 0)} class="text soft">${results ? "a degree of 1 sends nothing" : ""}</td>`
                : html`
              <td data-ratio=${scheme.id}><b>${significant(results.ratio, 3)}</b></td>
              ${measured ? html`<td data-own>${own === undefined ? "" : significant(own, 3)}</td>` : nothing}
              ${pinned ? html`<td data-beside>${besides(results.ratio, then, (value) => significant(value, 3))}</td>` : nothing}
              <td class="text ${results.hidden ? "good" : "bad"}">${results.hidden ? "✓ hidden" : "✗ exposed"}</td>
              <td>${us(results.communication_us)}</td><td>${us(results.compute_us)}</td>
              <td>${bandwidth(results.hiding_gb_per_sec, 3)}</td>`
            }
            <td class="text">${scheme.sent}<br /><span class="soft">meanwhile: ${scheme.computed}</span></td>
          </tr>`;
        })}</tbody>
      </table></div>`;
  }

  private controls(problems: readonly Problem[]): TemplateResult {
    const { scenario } = this;
    const titles = Object.fromEntries(schemes.map(({ id, title }) => [id, title]));
    const names = ratioFields.filter((name) => name === "scheme" || this.chosen.id === "tensor_parallel");
    return html`<form part="inputs" class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="What is compared">
      ${[...names, ...layerFields].map((name) => fieldControl(scenario, name, problems, name === "scheme" ? { choiceLabels: titles, label: "Communication of" } : {}))}
    </form>`;
  }

  private variantTable(): TemplateResult | typeof nothing {
    const { scenario } = this;
    const { values, problems } = scenario.inputs("layer_timeline");
    const head = (path: string, name: string) => meaning(scenario, "layer_timeline", path, name);
    if (problems.length > 0) return nothing;
    const rows = variants.flatMap(({ title, inputs }) => {
      try {
        return [{ title, results: scenario.engine.layer_timeline({ ...values, ...inputs } as never) }];
      } catch {
        // A variant that this layer can't have, such as a sequence that tensor ranks do not divide, is left out.
        return [];
      }
    });
    const most = Math.max(...rows.map(({ results }) => results.forward_us + results.backward_us));
    return html`<div class="scroll" tabindex="0" role="group" aria-label="The same layer, organized differently">
      <table class="variants"><caption>The red end of a bar is exposed communication.</caption>
      <thead><tr><th scope="col" class="text">Variant</th><th scope="col">${head("forward_us", "Forward")}</th><th scope="col">${head("backward_us", "Backward")}</th>
        <th scope="col">${head("communication_us", "Communication")}</th><th scope="col">${head("exposed_us", "Exposed")}</th><th scope="col" class="text">Total</th></tr></thead>
      <tbody>${rows.map(({ title, results }) => {
        const total = results.forward_us + results.backward_us;
        const width = (value: number) => `${(100 * value) / most}`;
        return html`<tr><th scope="row" class="text">${title}</th><td>${us(results.forward_us)}</td><td>${us(results.backward_us)}</td>
          <td>${us(results.communication_us)}</td><td>${us(results.exposed_us)}</td>
          <td class="text bar"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${`${us(total)} in total, ${us(results.exposed_us)} of it exposed`}>
            <rect class="busy" width=${width(total - results.exposed_us)} height="10" />
            <rect class="waits" x=${width(total - results.exposed_us)} width=${width(results.exposed_us)} height="10" /></svg></td></tr>`;
      })}</tbody></table></div>`;
  }

  /** One layer on a tensor rank, next to A's. */
  private layerTimeline(): TemplateResult | typeof nothing {
    const { results, stale } = this.answer("layer_timeline");
    const a = stale ? undefined : this.besides("layer_timeline");
    if (!results) return nothing;
    const spec = besideLanes(layerChart(results, ownCurve(this.scenario)), a && layerChart(a.results));
    return html`<div class=${stale ? "stale" : ""}><commcost-lane-chart part="chart" .spec=${spec}></commcost-lane-chart></div>`;
  }

  private layer(): TemplateResult {
    const { problems } = this.answer("layer_timeline");
    return html`<section aria-labelledby="layer-title">
      <div class="titled"><h2 id="layer-title">The same layer, organized differently</h2>${formulaLink("layer_timeline")}</div>
      ${
        problems.length > 0
          ? problemSummary(
              this.scenario,
              problems,
              problems.map(({ field }) => field),
              "always",
            )
          : this.variantTable()
      }
      <p class="small soft">GEMMs run at the peak rate here, everything else moves its tensors once at the memory’s bandwidth, and
        transfers run at the link’s, plus a latency for each step of a ring. Real kernels are slower, so compare proportions, not times.</p>
    </section>`;
  }

  private partition(): TemplateResult | typeof nothing {
    const { results, problems } = this.answer("partition_schemes");
    const { values } = this.scenario.inputs("partition_schemes");
    const a = this.besides("partition_schemes");
    return html`<section aria-labelledby="partition-title">
      <div class="titled"><h2 id="partition-title">Other partitions of a layer</h2>${formulaLink("partition_schemes")}</div>
      <p>Megatron’s one-dimensional split leaves every GPU with whole activations and sends them about twice, for any number of GPUs.
        Splits in two and three dimensions share out weights and activations, and send both: less of each, in more steps.</p>
      <form class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="Depth of 2.5D">
        ${partitionFields.map((name) => fieldControl(this.scenario, name, problems))}
      </form>
      ${problemSummary(this.scenario, problems, partitionFields)}
      ${
        results
          ? html`${partitionTable(this.scenario, results, values["num_gpus"] as number)}
        ${
          problems.length === 0
            ? html`<div class="single"><commcost-line-chart part="chart" @change=${this.onShared} .spec=${besideLines(
                partitionChart(this.scenario, values),
                a && partitionChart(a.scenario, a.inputs),
                a && [schemeName(a.results.quickest)],
              )}></commcost-line-chart></div>`
            : nothing
        }`
          : nothing
      }
    </section>`;
  }

  /** The marked point was moved over the field. */
  private readonly onMoved = ({ detail }: CustomEvent<{ x: number; y: number }>) =>
    this.scenario.set({ [this.chosen.across]: String(detail.x), [this.chosen.degree]: String(detail.y) });

  /** The marked point was moved along the GPUs that share a layer. */
  private readonly onShared = ({ detail }: CustomEvent<{ x: number }>) =>
    this.scenario.set({ tensor_parallel: String(detail.x) });

  private derivation(results: OverlapRatioResults, inputs: Record<string, unknown>): TemplateResult {
    return html`<section aria-labelledby="derivation-title">
        <div class="titled"><h2 id="derivation-title">Derivation</h2>${formulaLink("overlap_ratio")}</div>
        ${results.communication_us > 0 ? derivation(overlapDerivation(this.scenario.sizes, this.chosen.id, results, inputs)) : html`<p>Nothing is sent.</p>`}
        <p class="small soft">Ultra-Scale Playbook, appendix A3. A degree of ${exact(inputs[this.chosen.degree] as number)};
          bandwidth is bus bandwidth, one way.</p>
      </section>`;
  }

  private rest(results: OverlapRatioResults, inputs: Record<string, unknown>): TemplateResult {
    return html`${this.later(() => html`<section part="results" aria-label="Ratios">${this.ratioTable()}</section>`, "wide")}
      ${this.later(() => this.derivation(results, inputs))}
      ${this.later(() => this.layer())}
      ${this.later(() => channelsSection(this.scenario, run(this.scenario, "overlap_gain", productOf(this.scenario))), "wide")}
      ${this.later(() => this.partition(), "wide")}`;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { id } = this.chosen;
    const { results, problems, stale } = this.answer("overlap_ratio", askedOf(this.scenario, id));
    const a = stale ? undefined : this.besides("overlap_ratio", (pinned) => askedOf(pinned, id));
    const inputs = this.inputsOf(this.scenario);
    const layer = this.compact ? undefined : this.answer("layer_timeline").results;
    const hides = results && layer ? layerHides(this.chosen, results, layer) : "";
    const figure = () => html`<div class="pairs">
      ${this.layerTimeline()}
      <div>${perhaps(this.scenario, () => {
        const spec = besideMap(
          heatMap(this.scenario, this.chosen, inputs, results && ownRatio(this.scenario, this.chosen, results)),
          a && heatMap(a.scenario, this.chosen, this.inputsOf(a.scenario)),
        );
        return html`<commcost-heat-map part="chart" .spec=${spec} @change=${this.onMoved}></commcost-heat-map>`;
      })}</div></div>`;
    return answerFrame(this, {
      headline:
        results &&
        headline(this.scenario, this.chosen, results, () =>
          perhaps(this.scenario, () => run(this.scenario, "training_step").results),
        ),
      under:
        results &&
        html`${hides ? html`<p class="under">${hides}</p>` : nothing}${
          stale
            ? nothing
            : besideLine(this.scenario.pinned !== undefined, a !== undefined, [
                exactly("communication", results.communication_us, a?.results.communication_us, us),
                exactly("compute", results.compute_us, a?.results.compute_us, us),
                exactly("ratio", results.ratio, a?.results.ratio, (value) => significant(value, 3)),
              ])
        }${calibrationNote(this.scenario, "Nothing here follows it: ratios and the layer take bandwidth and latency as given.")}`,
      controls: this.controls(problems),
      figure: results && !stale && !this.compact ? figure() : nothing,
      rest: results && !stale && !this.compact ? this.rest(results, inputs) : nothing,
      problems,
      stale,
      calculations: ["overlap_ratio", "layer_timeline"],
    });
  }

  static override styles = [viewStyles, mathStyles, partitionStyles, unsafeCSS(styles)];
}

define("commcost-overlap", OverlapView);
