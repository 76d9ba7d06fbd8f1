import type { PlanResults } from "#engine";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { define } from "../elements/scenario-view.js";
import { Background } from "../state/background.js";
import { memory, milliseconds, significant } from "../state/format.js";
import { inShort } from "./layout-words.js";
import { keyOf, rowsPicture, rowsStyles } from "./rows.js";
import { gpus, SmallFigure } from "./small-figure.js";

type Parts = PlanResults["layouts"][number]["parts"];

/** The best layout of one tensor degree. */
interface Degree {
  group: number;
  ms: number;
  parts: Parts;
  fits: boolean;
  deficit: number;
  tie: boolean;
}

/** Changes that follow each other more quickly, ms, are of a hand that still moves. */
const pause = 200;

const time = (ms: number): string => milliseconds(ms, 3);

/** What each tensor degree takes at best, when all else may be chosen freely. */
export class LayoutFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, found: { state: true }, wrong: { state: true } };

  declare found: PlanResults | undefined;
  /** Why nothing could be sought. */
  declare wrong: string;
  private background: Background | undefined;
  private asked = "";
  private waiting: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.wrong = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.waiting);
    this.background?.stop();
    this.background = undefined;
    this.asked = "";
  }

  protected override updated(_: PropertyValues): void {
    const { values, problems } = this.scenario.inputs("plan");
    const asked = JSON.stringify([values, problems]);
    if (asked === this.asked) return;
    const first = this.asked === "";
    this.asked = asked;
    clearTimeout(this.waiting);
    if (problems.length > 0) this.wrong = problems[0]!.message;
    else this.waiting = setTimeout(() => void this.seek(values), first ? 0 : pause);
  }

  private async seek(values: Record<string, unknown>): Promise<void> {
    const { asked } = this;
    this.background ??= new Background(this.scenario.engine);
    const answer = await this.background.run("plan", { ...values, best: 1, evaluations: 0 });
    if (!answer || asked !== this.asked) return;
    this.wrong = answer.problems?.[0]?.message ?? "";
    this.found = answer.results;
  }

  private get degrees(): Degree[] {
    const { found } = this;
    const best = found?.layouts[0];
    if (!best) return [];
    const others = found.alternatives.filter(({ decision }) => decision === "tensor_parallel");
    return [
      { group: best.tensor_parallel, ms: best.step_time_ms, parts: best.parts, fits: true, deficit: 0, tie: true },
      ...others.map(({ value, step_time_ms, more, fits, deficit_gib, tie }) => ({
        group: value,
        ms: step_time_ms,
        parts: Object.fromEntries(
          Object.entries(best.parts).map(([part, ms]) => [part, ms + more[part as keyof typeof more]]),
        ) as unknown as Parts,
        fits,
        deficit: deficit_gib,
        tie,
      })),
    ].sort((one, other) => one.group - other.group);
  }

  protected override told(): string {
    const { found, wrong, scenario } = this;
    if (wrong) return `No layout can be sought: ${wrong}.`;
    const cluster = gpus(scenario.number("cluster_gpus"));
    if (!found) return `Searching all layouts of ${cluster}…`;
    const best = found.layouts[0];
    if (!best) return `No layout fits on ${cluster}: each is short of ${memory(found.deficit_gib)} at least.`;
    const lead = `Quickest on ${cluster}: ${inShort(best)}, ${time(best.step_time_ms)} a training step.`;
    const now = scenario.number("tensor_parallel");
    const own = this.degrees.find(({ group }) => group === now);
    if (now === best.tensor_parallel) return `${lead} Its tensor degree is yours.`;
    if (!own) return `${lead} With a tensor degree of ${now} there is none.`;
    if (!own.fits) return `${lead} With a tensor degree of ${now} none fits: ${memory(own.deficit)} short.`;
    const longer = significant((100 * own.ms) / best.step_time_ms - 100, 2);
    const more = own.parts.exposed_tensor_ms - best.parts.exposed_tensor_ms;
    return own.tie
      ? `${lead} A tensor degree of ${now} does as well.`
      : `${lead} A tensor degree of ${now} takes ${longer} % longer${more > 0 ? `, ${time(more)} of it tensor traffic` : ""}.`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { degrees } = this;
    if (degrees.length === 0) return nothing;
    const best = this.found!.layouts[0]!;
    const shown = degrees.filter(
      ({ ms, group }) => ms <= 6 * best.step_time_ms || group === this.scenario.number("tensor_parallel"),
    );
    return html`${rowsPicture({
      rows: shown.map(({ group, ms, parts, fits, deficit }) => ({
        group,
        bars: fits ? barsOf(parts, ms) : [],
        note: !fits
          ? `does not fit, ${memory(deficit)} short`
          : group === best.tensor_parallel
            ? `${time(ms)}, the best`
            : `${time(ms)}, +${significant((100 * ms) / best.step_time_ms - 100, 2)} %`,
      })),
      now: this.scenario.number("tensor_parallel"),
      end: Math.max(...shown.map(({ ms, fits }) => (fits ? ms : 0))),
      width: Math.min(this.width, 760),
      rowHeight: this.rowHeight,
      choose: (group) => this.group(group),
      label: this.told(),
    })}
    <ul class="keys"><li>${keyOf("compute")} compute</li><li>${keyOf("tensor")} waits for tensor traffic</li><li>${keyOf("waiting")} everything else</li></ul>`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }

  static override styles = [SmallFigure.styles, rowsStyles];
}

/** A step as compute, tensor traffic, and the rest. */
function barsOf(parts: Parts, ms: number) {
  const compute = parts.compute_ms + parts.recompute_ms;
  const tensor = compute + parts.exposed_tensor_ms;
  return [
    { from: 0, to: compute, color: "compute" as const },
    { from: compute, to: tensor, color: "tensor" as const },
    { from: tensor, to: Math.max(tensor, ms), color: "waiting" as const },
  ];
}

define("commcost-layout-figure", LayoutFigure);
