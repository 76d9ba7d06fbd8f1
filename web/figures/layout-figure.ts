import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { milliseconds, significant } from "../state/format.js";
import type { PlanRow } from "../state/planned-layout.js";
import { beyond, type Degree, degreesSummary, fastestOf } from "./degrees-summary.js";
import { rowsPicture, rowsStyles } from "./rows.js";
import { groupStops } from "./group-stops.js";
import { gpus, SmallFigure } from "./small-figure.js";
import { SoughtFigure, type Seek } from "./sought-figure.js";
import { define } from "../elements/define.js";
import { legendList } from "../charts/legend.js";

const time = (ms: number): string => milliseconds(ms, 3);

/** What each tensor degree takes at best, when all else may be chosen freely. */
export class LayoutFigure extends SoughtFigure<readonly Degree[]> {
  static override properties = { ...SoughtFigure.properties, flag: { state: true } };

  /** The degree that was chosen so. */
  declare flag: number | undefined;

  private get waits(): boolean {
    return this.asking && this.flag === undefined;
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

  private get best(): PlanRow | undefined {
    return fastestOf(this.found ?? []);
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override told(): string {
    const { found, wrong, scenario } = this;
    if (wrong) return `${wrong}.`;
    const cluster = gpus(scenario.number("cluster_gpus"));
    if (!found) return `Searching all layouts on ${cluster}…`;
    if (this.waits) return `Which TP degree is fastest on ${cluster}? Plant your flag on a row.`;
    return degreesSummary(scenario, found);
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
              ? `doesn’t fit, ${this.scenario.sizes.memory(found.deficit_gib)} short`
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

/** A step as compute, exposed TP communication, and the rest. */
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
