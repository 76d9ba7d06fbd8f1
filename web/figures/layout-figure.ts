import type { PlanResults } from "#engine";
import { html, nothing, type TemplateResult } from "lit";
import { milliseconds, significant } from "../state/format.js";
import type { PlanRow } from "../state/planned-layout.js";
import { inShort } from "./layout-words.js";
import { rowsPicture, rowsStyles } from "./rows.js";
import { groupStops } from "./group-stops.js";
import { gpus, SmallFigure } from "./small-figure.js";
import { SoughtFigure, type Seek } from "./sought-figure.js";
import { define } from "../elements/define.js";
import { legendList } from "../charts/legend.js";

/** What a search that is held to one tensor degree has found. */
interface Degree {
  group: number;
  found: PlanResults;
}

const time = (ms: number): string => milliseconds(ms, 3);

/** What each tensor degree takes at best, when all else may be chosen freely. */
export class LayoutFigure extends SoughtFigure<readonly Degree[]> {
  static override properties = { ...SoughtFigure.properties, asks: { attribute: false }, flag: { state: true } };

  /** Whether its reader chooses a degree before any time is shown. */
  declare asks: boolean;
  /** The degree that was chosen so. */
  declare flag: number | undefined;

  constructor() {
    super();
    this.asks = false;
  }

  private get waits(): boolean {
    return this.asks && this.flag === undefined;
  }

  protected override group(count: number): void {
    this.flag ??= count;
    super.group(count);
  }

  protected override async search(seek: Seek): Promise<readonly Degree[] | undefined> {
    const cluster = this.scenario.number("cluster_gpus");
    const degrees: Degree[] = [];
    for (const group of groupStops(this.scenario).filter((gpus) => cluster % gpus === 0)) {
      const found = await seek({ allowed_tensor_degrees: [group], best: 1 });
      if (!found) return undefined;
      degrees.push({ group, found });
    }
    return degrees;
  }

  /** The quickest layout of all; undefined where none fits. */
  private get best(): PlanRow | undefined {
    const layouts = (this.found ?? []).flatMap(({ found }) => found.fastest);
    return layouts.sort((one, other) => one.step_time_ms - other.step_time_ms)[0];
  }

  protected override told(): string {
    const { found, wrong, scenario } = this;
    if (wrong) return `${wrong}.`;
    const cluster = gpus(scenario.number("cluster_gpus"));
    if (!found) return `Searching all layouts on ${cluster}…`;
    if (this.waits) return `Which TP degree is fastest on ${cluster}? Plant your flag on a row, or with the slider.`;
    const { best } = this;
    if (!best) {
      const short = Math.min(...found.map((one) => one.found.deficit_gib));
      return `Nothing fits on ${cluster}: even the best layout is ${scenario.sizes.memory(short)} short.`;
    }
    const lead = `Fastest on ${cluster}: ${inShort(best)}, ${time(best.step_time_ms)} a training step.`;
    const now = scenario.number("tensor_parallel");
    if (now === best.tensor_parallel) return `${lead} You have chosen the same TP degree.`;
    const held = found.find(({ group }) => group === now)?.found;
    if (!held || held.searched === 0) return `${lead} There is no layout with TP ${now}.`;
    const own = held.fastest[0];
    if (!own) return `${lead} With TP ${now} nothing fits: ${scenario.sizes.memory(held.deficit_gib)} short.`;
    const longer = beyond(own, best);
    const more = own.parts.exposed_tensor_ms - best.parts.exposed_tensor_ms;
    return longer < held.noise_floor_percent
      ? `${lead} The best layout with TP ${now} is within error of it: ${inShort(own)}.`
      : `${lead} With TP ${now} a step takes at least ${significant(longer, 2)} % longer${more > 0 ? `, and waits ${time(more)} longer for TP communication` : ""}.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { best } = this;
    if (!best) return nothing;
    const now = this.waits ? 0 : this.scenario.number("tensor_parallel");
    const shown = this.found!.filter(({ group, found }) => {
      const own = found.fastest[0];
      return found.searched > 0 && (group === now || !own || own.step_time_ms <= 6 * best.step_time_ms);
    });
    return html`${rowsPicture({
      rows: shown.map(({ group, found }) => {
        const own = found.fastest[0];
        if (this.waits) return { group, bars: [], note: "?" };
        const flag = this.asks && group === this.flag ? "⚑ " : "";
        return {
          group,
          bars: own ? barsOf(own) : [],
          note:
            flag +
            (!own
              ? `does not fit, ${this.scenario.sizes.memory(found.deficit_gib)} short`
              : own === best
                ? `${time(own.step_time_ms)}, the fastest`
                : `${time(own.step_time_ms)}, +${significant(beyond(own, best), 2)} %`),
        };
      }),
      now,
      end: Math.max(...shown.map(({ found }) => found.fastest[0]?.step_time_ms ?? 0)),
      width: Math.min(this.width, 760),
      rowHeight: this.rowHeight,
      choose: (group) => this.group(group),
      label: this.told(),
    })}
    ${
      this.waits
        ? nothing
        : legendList([
            { label: "compute", subject: "compute", mark: "fill" },
            { label: "waiting for TP communication", subject: "tensor", mark: "fill" },
            { label: "everything else", subject: "waiting", mark: "fill" },
          ])
    }`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }

  static override styles = [SmallFigure.styles, rowsStyles];
}

/** How much longer one layout takes than another, percent. */
const beyond = (one: PlanRow, other: PlanRow): number => (100 * one.step_time_ms) / other.step_time_ms - 100;

/** A step as compute, tensor traffic, and the rest. */
function barsOf({ parts, step_time_ms }: PlanRow) {
  const compute = parts.compute_ms + parts.recompute_ms;
  const tensor = compute + parts.exposed_tensor_ms;
  return [
    { from: 0, to: compute, color: "compute" as const },
    { from: compute, to: tensor, color: "tensor" as const },
    { from: tensor, to: Math.max(tensor, step_time_ms), color: "waiting" as const },
  ];
}

define("commcost-layout-figure", LayoutFigure);
