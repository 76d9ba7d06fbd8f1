import { scaleLinear, scaleLog } from "d3-scale";
import { nothing, svg, type TemplateResult, unsafeCSS } from "lit";
import { axisTicks, bottomAxis, thin, type AxisWords, type Plot } from "./axis.js";
import { ChartFigure, type FigureSpec } from "./figure.js";
import styles from "./chance-chart.css?inline";
import { define } from "../elements/define.js";
import { placeAt } from "./marks.js";
import { exact } from "../state/format.js";

export interface ChanceSpec extends FigureSpec {
  /** Measured over predicted for each run. */
  ratios: readonly number[];
  /** The current prediction, and its band. */
  predicted: number;
  low: number;
  high: number;
  /** How many of the runs would fall into the band. */
  within: number;
  x: AxisWords;
  label: string;
}

const columns = 24;
/** Runs that took less than a half or more than twice as long stand in the outermost columns. */
const farthest = 2;

/** Of `ratios`, how many fall into each column from half to twice, even steps of the logarithm. */
export function spread(ratios: readonly number[]): number[] {
  const counts = Array.from({ length: columns }, () => 0);
  for (const ratio of ratios) {
    const along = (Math.log(ratio) / Math.log(farthest) + 1) / 2;
    counts[placeAt(along, columns)]! += 1;
  }
  return counts;
}

/** The outcomes of a prediction if it missed as those of a class did: a column of runs for each. */
export class ChanceChart extends ChartFigure<ChanceSpec> {
  protected override get height(): number {
    return this.tall(0.36, 190, 260);
  }

  protected override get margins(): Plot {
    return { left: 10, right: 10, top: 30, bottom: 44 };
  }

  private get across() {
    const { predicted } = this.spec;
    return scaleLog()
      .domain([predicted / farthest, predicted * farthest])
      .range([this.plot.left, this.plot.right])
      .clamp(true);
  }

  private get up() {
    return scaleLinear()
      .domain([0, Math.max(1, ...spread(this.spec.ratios))])
      .range([this.plot.bottom, this.plot.top]);
  }

  private edge(column: number): number {
    return this.spec.predicted * farthest ** ((2 * column) / columns - 1);
  }

  protected override get stops(): number {
    return this.spec.ratios.length > 0 ? columns : 0;
  }

  protected override get firstStop(): number {
    return columns / 2;
  }

  protected override stopAt(x: number): number {
    const { left, right } = this.plot;
    return placeAt((x - left) / (right - left), columns);
  }

  protected override reading(stop: number): string {
    const { ratios, x } = this.spec;
    const count = spread(ratios)[stop]!;
    const share = (100 * count) / ratios.length;
    const [from, to] = [x.format(this.edge(stop)), x.format(this.edge(stop + 1))];
    const where = stop === 0 ? `up to ${to}` : stop === columns - 1 ? `${from} and more` : `${from} to ${to}`;
    return `${where}: ${count} of ${ratios.length} runs, ${share >= 0.5 || share === 0 ? Math.round(share) : "under 1"} %`;
  }

  protected override anchor(stop: number): readonly [number, number] {
    return [this.across(this.edge(stop + 0.5)), this.up(spread(this.spec.ratios)[stop]!)];
  }

  protected override draw(): TemplateResult {
    const { spec, plot, across, up } = this;
    const { ticks, title } = axisTicks(spec.x, across, "log", 7, 44);
    const at = across(spec.predicted);
    const [low, high] = [across(spec.low), across(spec.high)];
    return this.drawing(
      "histogram",
      svg`<rect class="moves band fill-plain" x=${low} width=${Math.max(1, high - low)} y=${plot.top} height=${plot.bottom - plot.top} />
      ${spread(spec.ratios).map((count, column) => {
        const [left, right] = [across(this.edge(column)), across(this.edge(column + 1))];
        return count > 0
          ? svg`<rect class="moves fill-measured ${column === this.cursor ? "current" : ""}" x=${left + 0.5} width=${right - left - 1} y=${up(count)} height=${plot.bottom - up(count)} />`
          : nothing;
      })}
      <line class="here" x1=${at} x2=${at} y1=${plot.top - 4} y2=${plot.bottom} />
      <text class="here-label halo" x=${at} y=${plot.top - 9} text-anchor="middle">${spec.label}</text>
      ${bottomAxis(plot, thin(ticks, 0), title)}`,
    );
  }

  protected override get legend() {
    const { ratios, within } = this.spec;
    const beyond = ratios.some((ratio) => ratio > farthest || ratio < 1 / farthest);
    const runs = `a run’s error, put upon this prediction${beyond ? "; the outermost columns hold all beyond" : ""}`;
    return [
      { label: runs, subject: "measured", mark: "fill" } as const,
      { label: `the band: ${exact(within)} of ${exact(ratios.length)} runs`, subject: "plain", mark: "band" } as const,
    ];
  }

  static override styles = [ChartFigure.styles, unsafeCSS(styles)];
}

define("commcost-chance-chart", ChanceChart);
