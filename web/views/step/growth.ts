import type { TrainingStepResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import "../../charts/stacked-bars.js";
import type { StackedBarsSpec } from "../../charts/stacked-bars.js";
import { SeenView } from "../../elements/seen-view.js";
import { stepParts } from "../../figures/step-parts.js";
import { base, theme } from "../../elements/theme.js";
import { exact, millisecondUnits, ms, percent } from "../../state/format.js";
import { type Change, overPossible } from "../../state/over.js";
import { modelPresets, type Preset } from "../../state/presets.js";
import { growthSummary } from "./sentences.js";
import styles from "./growth.css?inline";
import { define } from "../../elements/define.js";

/** One bar: a step under some change of the scenario. */
interface Step {
  label: string;
  results: TrainingStepResults;
  here: boolean;
}

/** What makes a bar of the scenario's step. */
interface Changed {
  label: (results: TrainingStepResults) => string;
  change: Change<"training_step">;
  here: boolean;
}

/** Bars of steps, each part in its colour: as long as their time, or all of equal length. */
function bars(
  steps: readonly Step[],
  length: "time" | "share",
  about: { id: string; title: string; summary: string },
): StackedBarsSpec {
  const whole = ({ results }: Step) => (length === "time" ? 1 : results.step_time_ms / 100);
  const shown = steps.map((step) => ({
    label: step.here ? `${step.label} (yours)` : step.label,
    total: ms(step.results.step_time_ms),
    parts: stepParts(step.results.parts).map((part) => ({ ...part, value: part.value / whole(step) })),
  }));
  const names = [...new Set(shown.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  return {
    ...about,
    bars: shown,
    ...(length === "time"
      ? { axis: "Step time", units: millisecondUnits, format: ms }
      : { axis: "Share of the step", units: [{ name: "%", size: 1 }], format: (value) => percent(value, 2) }),
    table: {
      header: [
        "step",
        "cluster_gpus",
        "step_time_ms",
        "mfu_percent",
        ...names.map((name) => `${name.replace(/\W+/g, "_")}_ms`),
      ],
      rows: steps.map(({ label, results }) => [
        label,
        results.cluster_gpus,
        results.step_time_ms,
        results.mfu_percent,
        ...names.map((name) => stepParts(results.parts).find((part) => part.name === name)?.value ?? 0),
      ]),
    },
  };
}

const replicas = [1 / 4, 1 / 2, 1, 2, 4, 8];
const sizesShown = 5;
const usualModel = "llama-2-7b";

/** Where the time of a fixed layout goes as GPUs are added, and in smaller and larger models. */
export class StepGrowth extends SeenView {
  /** The step under each of some changes; impossible ones are left out. */
  private steps(changed: readonly Changed[]): Step[] {
    const { values, problems } = this.scenario.inputs("training_step");
    if (problems.length > 0) return [];
    const inputs = { ...values, cluster_gpus: 0, elasticities: false };
    const changes = changed.map(({ change }) => change);
    const found = overPossible(this.scenario.engine, "training_step", inputs, changes);
    return changed.flatMap(({ label, here }, at) => {
      const results = found[at];
      return results ? [{ label: label(results), results, here }] : [];
    });
  }

  /** Replicas are added; each GPU keeps its share of the batch. */
  private byGpus(): StackedBarsSpec | undefined {
    const data = this.scenario.number("data_parallel");
    const batch = this.scenario.number("global_batch_size");
    const whole = replicas.filter((times) => Number.isInteger(data * times) && Number.isInteger(batch * times));
    const steps = this.steps(
      whole.map((times) => ({
        label: ({ cluster_gpus }) => `${exact(cluster_gpus)} GPUs`,
        change: { data_parallel: data * times, global_batch_size: batch * times },
        here: times === 1,
      })),
    );
    const [first, last] = [steps[0], steps.at(-1)];
    if (!first || !last || steps.length < 2) return undefined;
    return bars(steps, "time", {
      id: "commcost-step-by-gpus",
      title: "The same layout on more GPUs.",
      summary: growthSummary(first.results, last.results),
    });
  }

  /** Models of the same family and kind around the chosen one. */
  private models(): readonly Preset[] {
    const all = modelPresets(this.scenario);
    const chosen = all.find(({ id }) => id === this.scenario.text("model")) ?? all.find(({ id }) => id === usualModel);
    const kind = ({ texts }: Preset) => Number(texts["num_experts"]) > 1;
    const size = ({ figures }: Preset) => Number.parseFloat(figures);
    const related = all
      .filter((model) => chosen && model.group === chosen.group && kind(model) === kind(chosen))
      .filter((model) => model === chosen || size(model) !== size(chosen!))
      .filter(
        (model, index, list) => model === chosen || list.findIndex((other) => size(other) === size(model)) === index,
      )
      .sort((a, b) => size(a) - size(b));
    const at = chosen ? related.indexOf(chosen) : 0;
    const from = Math.max(0, Math.min(related.length - sizesShown, at - Math.floor(sizesShown / 2)));
    return related.slice(from, from + sizesShown);
  }

  private bySize(): StackedBarsSpec | undefined {
    const steps = this.steps(
      this.models().map((model) => ({
        label: () => model.name,
        // The model fills its own shape in.
        change: { ...Object.fromEntries(Object.keys(model.texts).map((name) => [name, undefined])), model: model.id },
        here: model.id === this.scenario.text("model"),
      })),
    );
    if (steps.length < 2) return undefined;
    const ranked = [...steps].sort((a, b) => a.results.mfu_percent - b.results.mfu_percent);
    const [least, most] = [ranked[0]!.label, ranked.at(-1)!.label];
    return bars(steps, "share", {
      id: "commcost-step-by-model",
      title: "The same layout with other models.",
      summary: `${most} reaches the highest MFU of the family, ${least} the lowest.${steps.some(({ results }) => !results.fits) ? " Not all of them fit in memory." : ""}`,
    });
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.scenario) return nothing;
    const found = [this.byGpus(), this.bySize()].filter((spec) => spec !== undefined);
    if (found.length === 0) return nothing;
    return html`<section aria-labelledby="growth"><h2 id="growth">Where the time goes as things grow</h2>
      <div class="pairs">${found.map((spec) => html`<commcost-stacked-bars part="chart" .spec=${spec}></commcost-stacked-bars>`)}</div></section>`;
  }

  static override styles = [theme, base, unsafeCSS(styles)];
}

define("commcost-step-growth", StepGrowth);
