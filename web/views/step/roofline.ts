import type { LayerRooflineResults } from "#engine";
import { html, nothing, type TemplateResult, unsafeCSS } from "lit";
import "../../charts/roofline-chart.js";
import type { RooflineSpec } from "../../charts/roofline-chart.js";
import { ScenarioView } from "../../elements/scenario-view.js";
import { base, theme } from "../../elements/theme.js";
import { WhenSeen } from "../../elements/when-seen.js";
import { us } from "../../state/format.js";
import type { Sizes } from "../../state/sizes.js";
import { rooflineSummary } from "./sentences.js";
import styles from "./seen-later.css?inline";
import { define } from "../../elements/define.js";

type Kernel = LayerRooflineResults["kernels"][number];

const names: Record<Kernel["kernel"], string> = {
  query_key_value: "QKV",
  attention_core: "attention",
  attention_output: "attention out",
  router: "router",
  mlp_in: "MLP in",
  mlp_out: "MLP out",
  memory_bound: "norms, activation, residual",
};

/** The forward pass of one layer under its machine's roof. */
function rooflineSpec(sizes: Sizes, results: LayerRooflineResults): RooflineSpec {
  const { kernels, peak_tflops, hbm_gb_per_sec, forward_us } = results;
  return {
    id: "commcost-layer-roofline",
    title: "Roofline of one layer.",
    summary: rooflineSummary(sizes, results),
    dots: kernels
      .filter(({ flops }) => flops > 0)
      .map(({ kernel, flops, hbm_bytes, time_us }) => ({ name: names[kernel], flops, bytes: hbm_bytes, time_us })),
    peak_tflops,
    hbm_gb_per_sec,
    whole_us: forward_us,
    time: us,
    table: {
      header: ["kernel", "flops", "hbm_bytes", "time_us"],
      rows: kernels.map(({ kernel, flops, hbm_bytes, time_us }) => [kernel, flops, hbm_bytes, time_us]),
    },
  };
}

/** A layer as a roofline. */
export class LayerRoofline extends ScenarioView {
  private readonly whenSeen = new WhenSeen(this);

  protected override shouldUpdate(): boolean {
    return this.whenSeen.seen;
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const { results } = this.answer("layer_roofline");
    return results
      ? html`<commcost-roofline-chart part="chart" .spec=${rooflineSpec(this.scenario.sizes, results)}></commcost-roofline-chart>`
      : nothing;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-layer-roofline", LayerRoofline);
