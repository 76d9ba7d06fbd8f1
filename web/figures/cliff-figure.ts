import type { LayerTimelineResults } from "#engine";
import { html, nothing, type TemplateResult } from "lit";
import { layerMessage } from "../state/resolver.js";
import { significant, us } from "../state/format.js";
import { chosenPreset, hardware } from "../state/presets.js";
import { run } from "../state/run.js";
import { rowsPicture, rowsStyles, type RowBar } from "./rows.js";
import { gpus, groupStops, SmallFigure } from "./small-figure.js";
import { define } from "../elements/define.js";
import { legendList } from "../charts/legend.js";

interface Layer {
  group: number;
  nodes: number;
  bars: LayerTimelineResults["bars"];
  us: number;
  /** Of it compute waits. */
  waits: number;
}

/** A layer’s times, in as few digits as tell them apart. */
const time = (value: number): string => us(value, 2);

/** The forward pass of one layer for groups of every size: compute shrinks, its messages do not, and beyond the node they grow. */
export class CliffFigure extends SmallFigure {
  /** What large products reach, where it was measured; the peak says too little of what waits. */
  private get rate(): Record<string, unknown> {
    const id = chosenPreset(this.scenario, "accelerator")?.id;
    const reached = hardware(this.scenario).accelerators.find((one) => one.id === id)?.achievable_tflops;
    return reached ? { peak_tflops: reached } : {};
  }

  /** One group's layer, its transfers at the rate that an all-reduce is expected to reach. */
  private layer(group: number): Layer | undefined {
    const call = { collective: "all_reduce", num_gpus: group, message_size_bytes: layerMessage(this.scenario) };
    const expected = group > 1 ? run(this.scenario, "predict_collective", call).results : undefined;
    if (group > 1 && !expected) return undefined;
    const { results } = run(this.scenario, "layer_timeline", {
      ...this.rate,
      tensor_parallel: group,
      latency_us: 0,
      ...(expected && { bandwidth_gb_per_sec: expected.bus_bandwidth_gb_per_sec }),
    });
    if (!results) return undefined;
    const bars = results.bars.filter(({ pass }) => pass === "forward");
    const waits = bars.reduce((sum, { lane, exposed_us }) => sum + (lane === "communication" ? exposed_us : 0), 0);
    return { group, nodes: expected?.nodes ?? 1, bars, us: results.forward_us, waits };
  }

  private get layers(): Layer[] {
    return groupStops(this.scenario)
      .filter((group) => group > 1)
      .flatMap((group) => this.layer(group) ?? []);
  }

  protected override told(): string {
    const now = this.scenario.number("tensor_parallel");
    const layer = this.layer(now);
    if (!layer) return "The inputs beside this do not make a layer that tensor ranks can share.";
    if (now === 1) return `One GPU takes ${time(layer.us)} for a layer’s forward pass, and waits for nobody.`;
    const share = (one: Layer) => `${significant((100 * one.waits) / one.us, 2)} %`;
    const beyond = this.layers.find(({ nodes, group }) => nodes > 1 && group > now);
    const next =
      layer.nodes === 1 && beyond
        ? ` ${gpus(beyond.group)}, in ${beyond.nodes} nodes, would take ${time(beyond.us)} and wait for ${share(beyond)} of it.`
        : "";
    return `On ${gpus(now)}${layer.nodes > 1 ? ` in ${layer.nodes} nodes` : ""} a layer takes ${time(layer.us)} forward; for ${share(layer)} of it compute waits.${next}`;
  }

  protected override picture(): TemplateResult | typeof nothing {
    const { layers } = this;
    if (layers.length === 0) return nothing;
    const width = Math.min(this.width, 760);
    const narrow = width < 460;
    return html`${rowsPicture({
      rows: layers.map(({ group, bars, us: end, waits }) => ({
        group,
        bars: joined(bars),
        note: `${time(end)}, ${significant((100 * waits) / end, 2)} %${narrow ? "" : " waits"}`,
      })),
      now: this.scenario.number("tensor_parallel"),
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
        { label: "all-reduce, as expected on this machine", subject: "tensor", mark: "fill" },
      ],
      narrow ? ["%: compute waits"] : [],
    )}`;
  }

  protected override control(): TemplateResult {
    return this.groupSlider();
  }

  static override styles = [SmallFigure.styles, rowsStyles];
}

/** Kernels that follow each other as one bar: what matters is who waits. */
function joined(bars: Layer["bars"]): RowBar[] {
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
