import type { CollectiveCostResults } from "#engine";
import { nothing, type TemplateResult, unsafeCSS } from "lit";
import { html } from "../../elements/html.js";
import { besides } from "../../elements/comparison.js";
import { choiceWord } from "../../elements/labels.js";
import { meaning } from "../../elements/meaning.js";
import type { Scenario } from "../../state/scenario.js";
import { bandwidth, capital, exact, significant } from "../../state/format.js";
import type { Sizes } from "../../state/sizes.js";
import { type Algorithm, timeText } from "../../figures/collective-words.js";
import styles from "./closed-forms.css?inline";

/** An algorithm and what it costs. */
interface Priced {
  algorithm: Algorithm;
  cost: CollectiveCostResults;
}

type NumericResult = {
  [Name in keyof CollectiveCostResults]: CollectiveCostResults[Name] extends number ? Name : never;
}[keyof CollectiveCostResults];

/** A row of the table; `ofBytes`: meaningless for a barrier, which carries none. */
interface Quantity {
  name: string;
  of: NumericResult;
  format: (value: number) => string;
  ofBytes?: boolean;
}

const quantitiesOf = ({ bytes }: Sizes): Quantity[] => [
  { name: "Rounds", of: "rounds", format: exact },
  { name: "Sent by the GPU that sends most", of: "sent_bytes_per_rank", format: bytes, ofBytes: true },
  { name: "Added by the GPU that adds most", of: "reduced_bytes_per_rank", format: bytes, ofBytes: true },
  { name: "Time", of: "time_us", format: timeText },
  { name: "… latency", of: "latency_time_us", format: timeText, ofBytes: true },
  { name: "… moving bytes", of: "transfer_time_us", format: timeText, ofBytes: true },
  { name: "… adding bytes", of: "reduce_time_us", format: timeText, ofBytes: true },
  { name: "Lower bound, with its ports", of: "lower_bound_us", format: timeText },
  { name: "Algorithm bandwidth", of: "algorithm_bandwidth_gb_per_sec", format: bandwidth, ofBytes: true },
  { name: "Bus bandwidth", of: "bus_bandwidth_gb_per_sec", format: bandwidth, ofBytes: true },
];

/** The closed forms of the algorithms shown, evaluated next to each other; a barrier has only rounds. */
export function closedForms(
  scenario: Scenario,
  { collective, message_size_bytes: message, ranks }: Record<string, unknown>,
  methods: readonly Priced[],
  weightless: boolean,
  pinned: CollectiveCostResults | undefined,
): TemplateResult {
  const rows = quantitiesOf(scenario.sizes).filter(({ ofBytes }) => !(weightless && ofBytes));
  return html`<div class="costs"><div class="scroll" tabindex="0" role="group" aria-label="Closed forms">
    <table class="comparison">
      <thead><tr><th scope="col"><span class="visually-hidden">Quantity</span></th>
        ${methods.map(({ algorithm }) => html`<th scope="col">${capital(choiceWord(scenario, "algorithm", algorithm))}</th>`)}
        ${pinned ? html`<th scope="col">Against A</th>` : nothing}</tr></thead>
      <tbody>${rows.map(
        ({ name, of, format }) =>
          html`<tr><th scope="row">${meaning(scenario, "collective_cost", of, name)}</th>${methods.map(
            ({ cost }) => html`<td>${format(cost[of])}</td>`,
          )}${
            pinned
              ? html`<td data-beside>${besides(methods[0]!.cost[of], pinned[of], (value) => format(value))}</td>`
              : nothing
          }</tr>`,
      )}</tbody>
    </table></div>
    <div><dl class="forms">${methods.map(
      ({ algorithm, cost }) => html`<div><dt>${capital(choiceWord(scenario, "algorithm", algorithm))}</dt>
      <dd>${cost.form} <span class="soft small">${cost.source}${cost.published_form === "" ? nothing : html`; published: ${cost.published_form}`}</span></dd></div>`,
    )}</dl>
    ${shardNote(scenario, String(collective), Number(message), Number(ranks), methods[0]!)}
    <p class="small soft">p GPUs, a message of n bytes, k pieces, m groups of g; α latency, β time a byte moved, γ time a byte added. Links carry
      both ways at once; a GPU’s messages of one round share a latency and follow each other through its port.</p></div></div>`;
}

/** What a rank gives or ends up with is a shard; what it sends is more, by a factor that some papers leave out. */
function shardNote(
  { sizes }: Scenario,
  collective: string,
  message: number,
  ranks: number,
  { cost }: Priced,
): TemplateResult | typeof nothing {
  const whose = { all_gather: "gives", reduce_scatter: "ends with" }[collective];
  if (!whose || ranks < 2) return nothing;
  const shard = message / ranks;
  return html`<p class="small" data-fact="shard">Each GPU ${whose} a shard of ${sizes.bytes(shard)}, 1/${exact(ranks)} of the message, and the one that sends most sends
    <b class="number">${significant(cost.sent_bytes_per_rank / shard, 4)} times</b> that. Tables that list the shard leave this factor out.</p>`;
}

export const closedFormStyles = unsafeCSS(styles);
