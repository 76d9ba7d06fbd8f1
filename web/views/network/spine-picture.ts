import type { PredictCollectiveResults } from "#engine";
import { nothing, svg, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { exact, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";

const mostPods = 6;
const mostNodes = 8;
const square = 13;
const gap = 3;

/** The machine's leaves or pods under their spine, the group's nodes in them, and what the spine leaves of a card. */
export function spinePicture(
  scenario: Scenario,
  results: PredictCollectiveResults,
  gpus: number,
): TemplateResult | typeof nothing {
  if (results.nodes <= 1) return nothing;
  const pod = scenario.number("pod_gpus") * Math.min(scenario.number("rails"), scenario.number("gpus_per_node"));
  const ratio = scenario.number("oversubscription");
  const share = results.spine_share_percent;
  const title = html`<h2 id="spine-title">Where the ranks are</h2>`;
  if (!(pod > 0))
    return html`<section aria-labelledby="spine-title">${title}<p class="soft">No pods are given, so all ${exact(results.nodes)} nodes reach each other at their cards’ full rate.
      GPUs per pod, rails and oversubscription are under “GPU, node and network”.</p></section>`;
  const inPod = results.ranks_in_pod;
  const pods = Math.ceil(gpus / inPod);
  const nodesInPod = Math.max(1, Math.round((inPod * results.nodes) / gpus));
  const drawnPods = Math.min(pods, mostPods);
  const drawnNodes = Math.min(nodesInPod, mostNodes);
  const podWidth = drawnNodes * (square + gap) + gap + (nodesInPod > drawnNodes ? 16 : 0);
  const width = Math.max(220, drawnPods * (podWidth + 14) + (pods > drawnPods ? 84 : 0));
  const crossing = pods > 1;
  const uplink = Math.max(1, 6 / Math.sqrt(ratio));
  const words = crossing
    ? `The ${exact(gpus)} ranks lie in ${exact(pods)} pods, ${exact(inPod)} in each, so the collective crosses the spine. While every group of this kind sends, it leaves each network card ${significant(share, 3)} % of its rate.`
    : `All ${exact(gpus)} ranks lie in one pod: the collective doesn’t cross the spine${ratio > 1 ? `, and its oversubscription of ${significant(ratio, 3)} takes nothing from it` : ""}.`;
  return html`<section aria-labelledby="spine-title">${title}
    <p data-fact="spine">${words}</p>
    <svg class="spine" viewBox="0 0 ${width} 108" role="img" aria-label=${words}>
      <rect class="switch" x="4" y="16" width=${width - 8} height="14" rx="3" />
      <text x="4" y="10">spine${ratio > 1 ? `, 1:${significant(ratio, 3)}` : ""}</text>
      ${Array.from({ length: drawnPods }, (_, index) => {
        const x = 4 + index * (podWidth + 14);
        const middle = x + podWidth / 2;
        return svg`<line class=${crossing ? "crossing" : "uplink"} x1=${middle} x2=${middle} y1="30" y2="52" stroke-width=${uplink} />
          <rect class="switch" x=${x} y="52" width=${podWidth} height="10" rx="3" />
          <rect class="pod" x=${x} y="66" width=${podWidth} height=${square + 2 * gap} rx="3" />
          ${Array.from({ length: drawnNodes }, (__, node) => svg`<rect class="node" x=${x + gap + node * (square + gap)} y=${66 + gap} width=${square} height=${square} />`)}
          ${nodesInPod > drawnNodes ? svg`<text x=${x + gap + drawnNodes * (square + gap)} y=${66 + gap + 10}>…</text>` : nothing}
          <text x=${middle} y="101" text-anchor="middle">${index === 0 ? `${exact(nodesInPod)} ${nodesInPod === 1 ? "node" : "nodes"}` : ""}</text>`;
      })}
      ${pods > drawnPods ? svg`<text x=${4 + drawnPods * (podWidth + 14)} y="80">and ${exact(pods - drawnPods)} more</text>` : nothing}
    </svg></section>`;
}
