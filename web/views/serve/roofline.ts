import "../../charts/roofline-chart.js";
import type { RooflineSpec } from "../../charts/roofline-chart.js";
import { measuredKernels } from "../../scoreboard/measured-kernels.js";
import { rooflineSpec } from "../../figures/roofline.js";
import { presetNamed } from "../../state/presets.js";
import type { Scenario } from "../../state/scenario.js";
import { rooflineOf, servedRooflineSummary } from "./roofline-sentences.js";

/** A layer of the step under its machine's roof; `inputs` are the step's. */
export function servedRoofline(scenario: Scenario, inputs: Readonly<Record<string, unknown>>): RooflineSpec {
  const results = rooflineOf(scenario.engine, inputs);
  // The step may belong to an older answer, on another machine.
  const accelerator = String(inputs["accelerator"] ?? scenario.text("accelerator"));
  return rooflineSpec(
    results,
    {
      id: "commcost-serving-roofline",
      title: "Roofline of one layer in decode.",
      summary: servedRooflineSummary(results),
    },
    presetNamed(scenario, "accelerator", accelerator)?.name ?? accelerator,
    measuredKernels(scenario.engine, accelerator, results.product_format, "tokens"),
  );
}
