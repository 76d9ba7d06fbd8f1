import type { PlanResults, TrainingStepInputs, TrainingStepResults } from "#engine";
import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { subjectClasses } from "../../elements/colors.js";
import { define } from "../../elements/define.js";
import { EngineElement } from "../../elements/engine-element.js";
import { html } from "../../elements/html.js";
import { viewStyles } from "../../elements/view-styles.js";
import type { StackedPart } from "../../charts/stacked-bars.js";
import { inShort } from "../../figures/layout-words.js";
import { stepMemoryParts } from "../../figures/memory-bars.js";
import { stepParts } from "../../figures/step-parts.js";
import { ms, percent } from "../../state/format.js";
import { layoutOf, type PlanRow } from "../../state/planned-layout.js";
import type { Session } from "../../state/session.js";
import { runWords, stepFigures, throughput } from "../../state/step.js";
import styles from "./family-step.css?inline";
import { inDetail, othersOf } from "./sentences.js";

const bar = { width: 72, height: 8 };

/** A part of a whole; a part that rounds to nothing is called little. */
const shareOf = (value: number, of: number): string =>
  value < 0.001 * of ? "< 0.1 %" : percent((100 * value) / of, 2);

/** One step of a layout next to the families: its time and the fullest GPU's memory, part by part. */
export class FamilyStep extends EngineElement {
  static override properties = {
    row: { attribute: false },
    range: { attribute: false },
    sought: { attribute: false },
    scenario: { attribute: false, hasChanged: () => true },
  };

  declare row: PlanRow;
  /** All layouts of its family; nothing for a variant. */
  declare range: PlanResults["families"][number] | undefined;
  /** The inputs that it was found with. */
  declare sought: Readonly<Record<string, unknown>>;
  declare scenario: Session;

  /** The step of the question that the layout answers, whatever has been typed since. */
  private get step(): TrainingStepResults {
    const { engine } = this.scenario;
    const known = new Set(engine.describe()["training_step"]!.inputs.map(({ name }) => name));
    const { cluster_gpus: _, ...sought } = this.sought;
    const asked = Object.entries(sought).filter(([name]) => known.has(name));
    const inputs = { ...Object.fromEntries(asked), ...layoutOf(this.row, this.scenario) };
    return engine.training_step(inputs as unknown as TrainingStepInputs);
  }

  private table(caption: unknown, parts: readonly StackedPart[], of: number, format: (value: number) => string) {
    return html`<table><caption>${caption}</caption><tbody>${parts.map(
      ({ name, value, color }) => html`<tr><th scope="row">${name}</th>
        <td class="bar"><svg width=${bar.width} height=${bar.height} aria-hidden="true">${svg`<rect class="fill-${color}" width=${(bar.width * value) / of} height=${bar.height}></rect>`}</svg></td>
        <td>${format(value)}</td><td class="soft">${shareOf(value, of)}</td></tr>`,
    )}</tbody></table>`;
  }

  override render(): TemplateResult | typeof nothing {
    const { row, scenario } = this;
    if (!row) return nothing;
    const { step } = this;
    const { memory } = scenario.sizes;
    return html`<h3>One step of ${inShort(row)}</h3>
      <p class="soft">${inDetail(scenario, row)}</p>
      <p><b class="number">${stepFigures.time(row)}</b> (${stepFigures.range(row)}). ${throughput(scenario, row)}. ${runWords(scenario, row)}${
        this.range && this.range.layouts > 1
          ? html` <span class="soft">Its other variants: ${othersOf(this.range, memory)}.</span>`
          : nothing
      }</p>
      ${this.table("Time by part", stepParts(row.parts), row.step_time_ms, ms)}
      ${this.table(
        html`Memory of the fullest GPU: ${memory(row.memory_gib)}; available: ${memory(step.memory_available_gib)}`,
        stepMemoryParts(step),
        row.memory_gib,
        memory,
      )}`;
  }

  static override styles = [viewStyles, subjectClasses, unsafeCSS(styles)];
}

define("commcost-family-step", FamilyStep);
