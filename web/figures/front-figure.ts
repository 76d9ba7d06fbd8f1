import type { PlanResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import "../charts/scatter-chart.js";
import type { PlanRow } from "../state/planned-layout.js";
import { pinsFor } from "../state/trained.js";
import { gpus, ms, significant } from "../state/format.js";
import { frontChart, nearFront } from "./front-chart.js";
import { inShort } from "./layout-words.js";
import { SoughtFigure, type Seek } from "./sought-figure.js";
import { define } from "../elements/define.js";

/** How much longer a step may take, percent, to save memory. */
const worthIt = 10;

/** The memory cost of a faster step: all layouts of the cluster, and the front that none of them beats. */
export class FrontFigure extends SoughtFigure<PlanResults> {
  static override properties = { ...SoughtFigure.properties, held: { state: true } };

  /** The memory, GiB, of the layout on the front that the reader has chosen; by default the fastest's. */
  declare held: number | undefined;

  protected override search(seek: Seek): Promise<PlanResults | undefined> {
    return seek();
  }

  /** From the smallest layout to the fastest. */
  private get front(): readonly PlanRow[] {
    return this.found?.layouts[0] ? nearFront(this.found).toReversed() : [];
  }

  /** The fastest layout of the front that takes no more memory than the chosen one. */
  private get chosen(): PlanRow | undefined {
    const { front, held = Infinity } = this;
    return front.findLast(({ memory_gib }) => memory_gib <= held) ?? front[0];
  }

  protected override told(): string {
    const { found, wrong, chosen } = this;
    const cluster = gpus(this.scenario.number("cluster_gpus"));
    if (wrong) return `${wrong}.`;
    if (!found) return `Searching all layouts on ${cluster}…`;
    if (!chosen)
      return `No layout fits on ${cluster}: each needs at least ${this.scenario.sizes.memory(found.deficit_gib)} more per GPU.`;
    const quickest = this.front.at(-1)!;
    const slower = (row: PlanRow) => (100 * row.step_time_ms) / quickest.step_time_ms - 100;
    const lead = `${ms(chosen.step_time_ms)} a step in ${this.scenario.sizes.memory(chosen.memory_gib)} of each of ${cluster}, as ${inShort(chosen)}`;
    if (chosen !== quickest) return `${lead}: ${significant(slower(chosen), 2)} % longer than the fastest layout.`;
    const frugal = this.front.find((row) => slower(row) <= worthIt)!;
    return frugal === quickest
      ? `The fastest: ${lead}.`
      : `The fastest: ${lead}. For ${significant(slower(frugal), 2)} % more time ${this.scenario.sizes.memory(frugal.memory_gib)} is enough.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { found, chosen } = this;
    if (!found || !chosen) return nothing;
    const best = { x: chosen.memory_gib, y: chosen.step_time_ms, label: "" };
    return html`<commcost-scatter-chart bare .room=${this.room} .spec=${{ ...frontChart(found, this.scenario), best }}></commcost-scatter-chart>`;
  }

  protected override control(): TemplateResult | typeof nothing {
    const { front, chosen } = this;
    if (!chosen) return nothing;
    return this.slider({
      label: "Memory to use",
      stops: front.map(({ memory_gib }) => memory_gib),
      now: chosen.memory_gib,
      text: this.scenario.sizes.memory(chosen.memory_gib),
      choose: (gib) => (this.held = gib),
    });
  }

  override get shown(): Record<string, string> {
    const { chosen, held } = this;
    return chosen && held !== undefined ? pinsFor(chosen, this.scenario) : {};
  }
}

define("commcost-front-figure", FrontFigure);
