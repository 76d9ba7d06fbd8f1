import { nothing, type TemplateResult } from "lit";
import { html } from "../elements/html.js";
import { gpus, significant, us } from "../state/format.js";
import { layerTime, type LayerTime } from "./layer-time.js";
import { rowsPicture, rowsStyles, type RowBar } from "./rows.js";
import { groupStops } from "./group-stops.js";
import { SmallFigure } from "./small-figure.js";
import { define } from "../elements/define.js";
import { legendList } from "../charts/legend.js";

/** A layer’s times, in as few digits as tell them apart. */
const time = (value: number): string => us(value, 2);

/** The forward pass of one layer for groups of every size: compute shrinks, its messages do not, and beyond the node they grow. */
export class CliffFigure extends SmallFigure {
  static override properties = { ...SmallFigure.properties, reached: { state: true } };

  /** The most GPUs pulled in so far. */
  declare reached: number;
  /** The layer of every group of two or more, computed once for each drawing. */
  private layers: LayerTime[] = [];

  constructor() {
    super();
    this.reached = 0;
  }

  protected override group(count: number): void {
    this.reached = Math.max(this.reached, count);
    super.group(count);
  }

  /** The group that is shown: the smallest, until more are pulled in. */
  private get now(): number {
    const own = this.scenario.number("tensor_parallel");
    return this.asking && this.reached === 0 && own > 1 ? (this.layers[0]?.group ?? own) : own;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    const { scenario } = this;
    if (!scenario) return;
    this.layers = groupStops(scenario)
      .filter((group) => group > 1)
      .flatMap((group) => layerTime(scenario, group) ?? []);
  }

  protected override get moved(): boolean {
    return true;
  }

  protected override told(): string {
    const { now } = this;
    const layer = this.layers.find(({ group }) => group === now) ?? layerTime(this.scenario, now);
    if (!layer) return "A layer of this shape can’t be split evenly over that many GPUs.";
    if (now === 1) return `One GPU takes ${time(layer.us)} for a layer’s forward pass and never waits.`;
    const share = (one: LayerTime) => `${significant((100 * one.waits) / one.us, 2)} %`;
    const beyond = this.layers.find(({ nodes, group }) => nodes > 1 && group > now);
    if (this.asking && this.reached === 0)
      return `On ${gpus(now)} a layer’s forward pass takes ${time(layer.us)}, ${share(layer)} of it waiting. Drag down to pull more GPUs in.`;
    const next =
      layer.nodes === 1 && beyond && this.isShown(beyond)
        ? ` ${gpus(beyond.group)} in ${beyond.nodes} nodes would take ${time(beyond.us)} and wait for ${share(beyond)} of that time.`
        : "";
    return `On ${gpus(now)}${layer.nodes > 1 ? ` in ${layer.nodes} nodes` : ""} a layer’s forward pass takes ${time(layer.us)}; for ${share(layer)} of that time the GPUs just wait.${next}`;
  }

  private isShown({ group }: LayerTime): boolean {
    return !this.asking || group <= Math.max(this.reached, this.now);
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { layers } = this;
    if (layers.length === 0) return nothing;
    const width = Math.min(this.width, 760);
    const narrow = width < 460;
    return html`${rowsPicture({
      rows: layers.map((layer) => {
        const { group, bars, us: end, waits } = layer;
        if (!this.isShown(layer)) return { group, bars: [], note: "?" };
        return {
          group,
          bars: joined(bars),
          note: `${time(end)}, ${significant((100 * waits) / end, 2)} %${narrow ? "" : " waiting"}`,
        };
      }),
      now: this.now,
      dragged: true,
      end: Math.max(...layers.map(({ us: end }) => end)),
      width,
      rowHeight: this.rowHeight,
      choose: (group) => this.group(group),
      border: {
        after: Math.max(1, ...layers.filter(({ nodes }) => nodes === 1).map(({ group }) => group)),
        label: "beyond one node",
      },
      label: this.told(),
    })}
    ${legendList(
      [
        { label: "compute", subject: "compute", mark: "fill" },
        { label: "all-reduce, predicted for this machine", subject: "tensor", mark: "fill" },
      ],
      narrow ? ["%: time spent waiting"] : [],
    )}`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }

  static override styles = [SmallFigure.styles, rowsStyles];
}

/** Consecutive kernels as one bar: what matters is who waits. */
function joined(bars: LayerTime["bars"]): RowBar[] {
  const all: RowBar[] = [];
  for (const { lane, start_us: from, duration_us } of bars) {
    const color = lane === "communication" ? "tensor" : "compute";
    const last = all.findLast((bar) => bar.color === color);
    if (last && from - last.to < 1e-6 * from) last.to = from + duration_us;
    else all.push({ from, to: from + duration_us, color, half: color === "tensor" ? "lower" : "upper" });
  }
  return all;
}

define("commcost-cliff-figure", CliffFigure);
