import type { OverlapGainResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import type { LineChartSpec } from "../../charts/line-chart.js";
import { fieldControl, problemSummary } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { exact, microsecondUnits, percent, significant, us } from "../../state/format.js";
import type { Answer } from "../../state/run.js";
import type { Session } from "../../state/session.js";

/** Inputs of this section alone. */
const channelFields = ["channels", "channel_gb_per_sec"] as const;

/** The product that it competes with: a layer's first MLP matrix on one of the GPUs, and its tokens. */
export function productOf(scenario: Session): Record<string, unknown> {
  const number = (name: string, otherwise: number) => {
    const value = scenario.number(name);
    return value >= 1 ? value : otherwise;
  };
  const hidden = number("hidden_size", 4096);
  const group = number("tensor_parallel", 1);
  return {
    product_rows: number("batch_size", 1) * number("sequence_length", 1),
    product_columns: Math.max(1, Math.round(number("ffn_hidden_size", 4 * hidden) / group)),
    product_depth: hidden,
  };
}

function chart(session: Session, inputs: Record<string, unknown>, results: OverlapGainResults): LineChartSpec {
  const most = results.multiprocessors > 0 ? Math.floor(results.multiprocessors * 0.6) : 64;
  const values = Array.from({ length: most }, (_, index) => index + 1);
  const sweep = session.engine.sweep({ calculation: "overlap_gain", inputs, axes: [{ field: "channels", values }] });
  const line = (name: string) => values.map((x, index) => ({ x, y: sweep.results[name]![index]! }));
  const gains = sweep.results["gain_percent"]!;
  const pays = values.filter((_, index) => gains[index]! > 0);
  const best = values[gains.indexOf(Math.max(...gains))]!;
  const summary =
    pays.length === 0
      ? "At no number of channels does overlap pay."
      : pays.length === values.length
        ? `Overlap pays at every number of channels shown, most at ${exact(best)}.`
        : `Overlap pays from ${exact(pays[0]!)} to ${exact(pays.at(-1)!)} channels, most at ${exact(best)}.`;
  return {
    id: "commcost-overlap-channels",
    title: "Product and collective, by the collective’s channels.",
    summary,
    x: { label: "Channels (SMs taken)", scale: "linear", format: exact },
    y: { label: "Time", scale: "linear", format: us, units: microsecondUnits },
    series: [
      { name: "one after the other", color: "waiting", dash: "6 3", points: line("sequential_us") },
      { name: "at the same time", color: "communication", points: line("overlapped_us") },
    ],
    here: {
      x: inputs["channels"] as number,
      y: results.overlapped_us,
      label: us(results.overlapped_us),
      drag: { label: "Channels", least: 1, most, format: exact },
    },
    table: {
      header: ["channels", "overlapped_us", "sequential_us", "gain_percent", "slowdown_percent"],
      rows: values.map((value, index) => [
        value,
        ...["overlapped_us", "sequential_us", "gain_percent", "slowdown_percent"].map(
          (name) => sweep.results[name]![index]!,
        ),
      ]),
    },
  };
}

/** What a collective takes from a concurrent product, and when overlapping them stops paying. */
export function channelsSection(session: Session, answer: Answer<OverlapGainResults>): TemplateResult {
  const { results, problems } = answer;
  const inputs = answer.problems ? {} : answer.inputs;
  return html`<section aria-labelledby="channels-title">
    <div class="titled"><h2 id="channels-title">What the collective takes from compute</h2>${formulaLink("overlap_gain")}</div>
    <form class="controls" @submit=${(event: Event) => event.preventDefault()} aria-label="Channels">
      ${channelFields.map((name) => fieldControl(session, name, problems ?? []))}</form>
    ${problems ? problemSummary(session, problems, channelFields) : nothing}
    ${
      results
        ? html`<p data-fact="channels">${
            results.communication_us === 0
              ? "With TP 1 no collective runs, so nothing is taken from compute."
              : html`While it runs, the layer’s MLP product is <b class="number">${percent(results.slowdown_percent)}</b> slower${
                  results.multiprocessors > 0
                    ? html`: ${exact(Math.min(inputs["channels"] as number, results.multiprocessors))} of ${exact(results.multiprocessors)} multiprocessors and
                ${significant(results.memory_gb_per_sec, 3)} GB/s of memory bandwidth go to the collective`
                    : nothing
                }. Overlap ${results.gain_percent > 0 ? html`saves <b class="number">${percent(results.gain_percent)}</b> of the time of one after the other` : html`costs <b class="number">${percent(-results.gain_percent)}</b> more than one after the other`}.`
          } <span class="soft">Estimated: no constant of this is fitted. Published overlap slows products by 19 % in the mean, 40 % at most (arXiv:2507.03114).</span></p>
      ${
        results.communication_us > 0
          ? html`<div class="single"><commcost-line-chart part="chart" .spec=${chart(session, inputs, results)}
          @change=${({ detail }: CustomEvent<{ x: number }>) => session.set({ channels: String(Math.max(1, Math.round(detail.x))) })}></commcost-line-chart></div>`
          : nothing
      }`
        : nothing
    }
  </section>`;
}
