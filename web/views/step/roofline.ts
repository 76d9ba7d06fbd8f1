import type { LayerRooflineResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/bar-chart.js";
import type { BarChartSpec } from "../../charts/bar-chart.js";
import "../../charts/roofline-chart.js";
import type { RooflineSpec } from "../../charts/roofline-chart.js";
import { SeenView } from "../../elements/seen-view.js";
import { base, theme } from "../../elements/theme.js";
import { significant, us } from "../../state/format.js";
import type { Sizes } from "../../state/sizes.js";
import { Part } from "../../engine/part.js";
import { kernelNames, rooflineSpec } from "../../figures/roofline.js";
import { chosenPreset } from "../../state/presets.js";
import { levelsSummary, rooflineSummary } from "./sentences.js";
import styles from "./seen-later.css?inline";
import { define } from "../../elements/define.js";

let kernels: typeof import("../../scoreboard/measured-kernels.js") | undefined;
const published = new Part(
  "Measured kernels",
  async () => (kernels = await import("../../scoreboard/measured-kernels.js")),
);

const levelNames: Record<LayerRooflineResults["levels"][number]["level"], string> = {
  shared_memory: "shared memory to matrix units",
  l2: "L2 to shared memory",
  hbm: "HBM to L2",
  host_pinned: "pinned host memory",
  host_pageable: "pageable host memory",
  file: "a file on the node’s drives",
};

/** The rate of the longest product if it were limited by each level of memory alone. */
function levelsChart(sizes: Sizes, results: LayerRooflineResults): BarChartSpec {
  const { levels, longest, peak_tflops } = results;
  const known = levels.filter(({ time_us }) => time_us > 0);
  return {
    id: "commcost-memory-levels",
    title: `How fast each level of memory can feed ${kernelNames[longest]}.`,
    summary: levelsSummary(sizes, results),
    bars: [
      { name: "matrix units at their peak", value: peak_tflops },
      ...known.map(({ level, bytes, time_us, flops_per_byte, ridge_flops_per_byte, feeds_tflops }) => ({
        name: levelNames[level],
        value: feeds_tflops,
        note: `${sizes.bytes(bytes, 3)} in ${us(time_us)}, ${significant(flops_per_byte, 3)} FLOPs per byte; ${significant(ridge_flops_per_byte, 3)} keep the matrix units busy`,
      })),
    ],
    format: (tflops) => `${significant(tflops, 3)} TFLOP/s`,
    table: {
      header: ["level", "bytes", "gb_per_sec", "time_us", "flops_per_byte", "ridge_flops_per_byte", "feeds_tflops"],
      rows: levels.map((one) => [
        one.level,
        one.bytes,
        one.gb_per_sec,
        one.time_us,
        one.flops_per_byte,
        one.ridge_flops_per_byte,
        one.feeds_tflops,
      ]),
    },
  };
}

/** A layer as a roofline, and its longest product on every level of memory. */
export class LayerRoofline extends SeenView {
  constructor() {
    super();
    void published.here.then(() => this.requestUpdate());
  }

  private roofline(results: LayerRooflineResults): RooflineSpec {
    const { engine, sizes } = this.scenario;
    const accelerator = this.scenario.text("accelerator");
    return rooflineSpec(
      results,
      {
        id: "commcost-layer-roofline",
        title: "Roofline of one layer.",
        summary: rooflineSummary(sizes, results),
      },
      chosenPreset(this.scenario, "accelerator")?.name ?? accelerator,
      kernels?.measuredKernels(engine, accelerator, results.product_format, "prompts"),
    );
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results } = this.answer("layer_roofline");
    void published.ask();
    return results
      ? html`<commcost-roofline-chart part="chart" .spec=${this.roofline(results)}></commcost-roofline-chart>
        <commcost-missing .of=${published}></commcost-missing>
        ${
          results.tile_rows > 0
            ? html`<commcost-bar-chart part="chart" .spec=${levelsChart(this.scenario.sizes, results)}></commcost-bar-chart>`
            : nothing
        }`
      : nothing;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-layer-roofline", LayerRoofline);
