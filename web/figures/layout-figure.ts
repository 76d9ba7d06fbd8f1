import type { PlanResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { define } from "../elements/define.js";
import { html } from "../elements/html.js";
import { gpus, percent } from "../state/format.js";
import { pinsFor } from "../state/trained.js";
import "./layout-board.js";
import type { Place } from "./layout-board.js";
import { forBoard, layoutAt, layoutSummary, tilesOf } from "./layout-tiles.js";
import { type Seek, SoughtFigure } from "./sought-figure.js";

/** Every division of the GPUs into TP and PP, with its best layout: readers plant a flag, then see the landscape. */
export class LayoutFigure extends SoughtFigure<PlanResults> {
  static override properties = { ...SoughtFigure.properties, flag: { state: true }, compared: { state: true } };

  /** Position of the reader's flag. */
  declare flag: Place | undefined;
  /** Whether it was compared with the rest. */
  declare compared: boolean;

  private get waits(): boolean {
    return this.asking && !this.compared && this.found?.fastest[0] !== undefined;
  }

  protected override search(seek: Seek): Promise<PlanResults | undefined> {
    return seek(forBoard);
  }

  protected override told(): string {
    const { found, wrong, flag, scenario } = this;
    if (wrong) return `${wrong}.`;
    const on = gpus(scenario.number("cluster_gpus"));
    if (!found) return `Searching all layouts on ${on}…`;
    if (this.waits)
      return flag
        ? `Your flag stands on TP ${flag.tensor}, PP ${flag.pipeline}.`
        : `Which division of ${on} is fastest? Plant your flag.`;
    return layoutSummary(scenario, found, flag);
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { found, flag, scenario, waits } = this;
    if (!found?.fastest[0]) return nothing;
    const own = { tensor: scenario.number("tensor_parallel"), pipeline: scenario.number("pipeline_parallel") };
    return html`<commcost-layout-board .tiles=${tilesOf(found, scenario, waits)} .planted=${flag} .given=${waits || flag ? undefined : own} .rowHeight=${this.rowHeight}
      .asked=${"Which layout would you run?"} .told=${this.told()} .legend=${waits ? "" : legend(found.noise_floor_percent)}
      @plant=${({ detail }: CustomEvent<Place>) => (this.flag = detail)}></commcost-layout-board>`;
  }

  protected override control(): TemplateResult | typeof nothing {
    if (!this.waits) return nothing;
    return html`<p class="again no-print"><button ?disabled=${!this.flag} @click=${() => (this.compared = true)}>Compare</button></p>`;
  }

  override get shown(): Record<string, string> {
    const { flag, found, scenario } = this;
    const row = flag && !this.waits && found && layoutAt(flag, found, scenario);
    return row ? pinsFor(row, scenario) : {};
  }
}

const legend = (noise: number): string =>
  `+10 %: the best layout there takes so much longer than the fastest. Tie: less than ${percent(noise, 2)}, within error of it. Hatched: nothing fits.`;

define("commcost-layout-figure", LayoutFigure);
