import type { PredictCollectiveResults } from "#engine";
import { nothing, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { fieldControl } from "../../elements/field.js";
import { formulaLink } from "../../elements/formula-link.js";
import { meaning } from "../../elements/meaning.js";
import { bandwidth, dashed, exact, significant } from "../../state/format.js";
import { linkRate } from "../../state/machine.js";
import { run } from "../../state/run.js";
import type { Session } from "../../state/session.js";

/** Algorithm and bus bandwidth, each from the other, for every collective; and how the latter can exceed the wire. */
export function bandwidths(scenario: Session, results: PredictCollectiveResults, collective: string): TemplateResult {
  const rate = Number(results.bus_bandwidth_gb_per_sec.toPrecision(4));
  const typed = !["", scenario.defaultText("rate_gb_per_sec")].includes(scenario.text("rate_gb_per_sec"));
  const { results: converted, problems = [] } = run(
    scenario,
    "bandwidth_conversions",
    typed ? {} : { rate_gb_per_sec: rate },
  );
  const shown = typed ? scenario.number("rate_gb_per_sec") : rate;
  const rows = converted?.conversions ?? [];
  const reduced = rows.find((row) => row.in_network_link_gb_per_sec > 0);
  const link = linkRate(scenario);
  const head = (path: string, name: string) => meaning(scenario, "bandwidth_conversions", `conversions.${path}`, name);
  const figure = (value: number, factor: number) => (factor > 0 ? significant(value) : "—");
  return html`<section aria-labelledby="bandwidths-title">
    <div class="titled"><h2 id="bandwidths-title">Algorithm and bus bandwidth</h2>${formulaLink("bandwidth_conversions")}</div>
    <div class="columns"><div><p>The algorithm bandwidth is message over time: what you wait for. nccl-tests multiplies it by the share of the message that
      a ring sends over each link, so that one number, the <i>bus bandwidth</i>, can be compared with the link’s rate whatever the
      collective and the number of GPUs.</p>
    <div class="fields">${fieldControl(scenario, "rate_gb_per_sec", problems, { follows: String(rate) })}</div>
    ${
      reduced
        ? html`<p><b>Bus bandwidth above the wire.</b> The factor is a ring’s, and stays so when the switches add on the
      way (NVLink SHARP). Then a GPU sends its message once, with the share it has reduced for the others, and gets the sum back: at a bus bandwidth of
      ${bandwidth(shown)} its link carries only ${bandwidth(reduced.in_network_link_gb_per_sec)} each way${
        results.algorithm === "in_network" && link ? html`, of ${bandwidth(link)}` : nothing
      }. The number is then no longer a load of the wire, but
      says how quick a ring would have to be to keep up.</p>`
        : nothing
    }
    </div>
    ${
      rows.length > 0
        ? html`<div class="scroll" tabindex="0" role="group" aria-label="Conversions"><table>
      <thead><tr><th scope="col">On ${exact(scenario.number("num_gpus"))} GPUs</th><th scope="col">${head("factor", "bus over algorithm")}</th>
        <th scope="col">${head("bus_bandwidth_gb_per_sec", `algorithm ${significant(shown)} is bus`)}</th><th scope="col">${head("algorithm_bandwidth_gb_per_sec", `bus ${significant(shown)} is algorithm`)}</th></tr></thead>
      <tbody>${rows.map(
        (row) => html`<tr class=${row.collective === collective ? "chosen" : ""}>
        <th scope="row">${dashed(row.collective)}</th><td>${figure(row.factor, row.factor)}</td>
        <td>${figure(row.bus_bandwidth_gb_per_sec, row.factor)}</td><td>${figure(row.algorithm_bandwidth_gb_per_sec, row.factor)}</td></tr>`,
      )}</tbody>
    </table></div>`
        : nothing
    }
    </div>
  </section>`;
}
