import type { PredictCollectiveResults } from "#engine";
import { nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { html } from "../../elements/html.js";
import { exact, significant } from "../../state/format.js";
import type { Scenario } from "../../state/scenario.js";
import { placeSummary } from "./sentences.js";

const mostPods = 6;
/** Nodes drawn in total: for six pods two each, so that the text stays readable on a phone. */
const mostNodes = 12;
const square = 13;
const gap = 3;
const between = 14;
const mostGpus = 16;

type Line = [x1: number, y1: number, x2: number, y2: number];
const wired = (lines: readonly Line[], crossing: boolean, width = 1.5) =>
  lines.map(
    ([x1, y1, x2, y2]) =>
      svg`<line class=${crossing ? "crossing" : "uplink"} x1=${x1} y1=${y1} x2=${x2} y2=${y2} stroke-width=${width} />`,
  );

/** Links of GPUs that no switch joins, by their places: all of a mesh, the quads and pairs of a cube mesh, bridges. */
function linksOf(topology: PredictCollectiveResults["topology"], gpus: number): [number, number][] {
  const pairs = Array.from({ length: gpus }, (_, one) =>
    Array.from({ length: gpus - one - 1 }, (__, other) => [one, one + other + 1] as [number, number]),
  ).flat();
  if (topology === "mesh") return pairs;
  if (topology === "cube_mesh")
    return pairs.filter(([one, other]) => Math.floor(one / 4) === Math.floor(other / 4) || other - one === 4);
  return pairs.filter(([one, other]) => other === one + 1 && one % 2 === 0);
}

/** The GPUs of a group in one node or pod of a torus, and what joins them. */
function insidePicture({ topology, algorithm }: PredictCollectiveResults, gpus: number): SVGTemplateResult {
  const count = Math.min(gpus, mostGpus);
  const x = (index: number) => 10 + index * (square + 12);
  const middle = (index: number) => x(index) + square / 2;
  const width = x(count) + (gpus > count ? 88 : 0);
  const squares = Array.from(
    { length: count },
    (_, index) => svg`<rect class="node" x=${x(index)} y="56" width=${square} height=${square} />`,
  );
  const more =
    gpus > count ? svg`<text x=${x(count)} y="67">and ${exact(gpus - count)} more</text>` : (nothing as never);
  const bar = (name: string) => svg`<rect class="switch" x="4" y="16" width=${x(count) - 8} height="12" rx="3" />
    <text x="4" y="10">${name}</text>
    ${wired(
      Array.from({ length: count }, (_, index): Line => [middle(index), 28, middle(index), 56]),
      gpus > 1,
    )}`;
  const arcs = (links: [number, number][]) =>
    links.map(
      ([one, other]) =>
        svg`<path class="crossing" fill="none" d="M${middle(one)} 56Q${(middle(one) + middle(other)) / 2} ${56 - Math.min(80, 10 * (other - one))} ${middle(other)} 56" />`,
    );
  const inside = {
    switched: () => bar(algorithm === "in_network" ? "switch of the node, which adds" : "switch of the node"),
    host: () => bar("PCIe and host"),
    bridge_pair: () => [bar("PCIe and host"), arcs(linksOf(topology, count))],
    mesh: () => arcs(linksOf(topology, count)),
    cube_mesh: () => arcs(linksOf(topology, count)),
    torus: () => [
      wired(
        Array.from({ length: count - 1 }, (_, at): Line => [x(at) + square, 62, x(at + 1), 62]),
        true,
      ),
      count > 2 ? svg`<path class="crossing" fill="none" d="M${middle(0)} 56V36H${middle(count - 1)}V56" />` : nothing,
      svg`<text x="4" y="10">axis of a torus</text>`,
    ],
  }[topology]();
  return svg`<svg class="spine" viewBox="0 0 ${width} 76" width=${width * 1.2} aria-hidden="true">${inside}${squares}${more}</svg>`;
}

/** How many pods are drawn, those under one group of spines together. */
function drawn(pods: number, podsBelow: number) {
  const spines = Math.ceil(pods / podsBelow);
  const below = Math.min(podsBelow, spines > 1 ? mostPods / 2 : mostPods);
  return { spines, below, groups: Math.min(spines, Math.floor(mostPods / below)) };
}

/** The machine's leaves, spines and core over the group's nodes, with what the collective crosses drawn out. */
function abovePicture(scenario: Scenario, results: PredictCollectiveResults, gpus: number): SVGTemplateResult {
  const { nodes, ranks_in_pod, ranks_in_superpod } = results;
  const rails = Math.min(scenario.number("rails"), scenario.number("gpus_per_node"));
  const [ratio, coreRatio] = [scenario.number("oversubscription"), scenario.number("core_oversubscription")];
  const inPod = ranks_in_pod > 0 ? ranks_in_pod : ranks_in_superpod;
  const pods = Math.ceil(gpus / inPod);
  const { spines, below, groups } = drawn(pods, ranks_in_superpod > 0 ? Math.ceil(ranks_in_superpod / inPod) : pods);
  const nodesInPod = Math.max(1, Math.round((inPod * nodes) / gpus));
  const shown = below * groups;
  const drawnNodes = Math.min(nodesInPod, Math.max(2, Math.floor(mostNodes / shown)));
  const podWidth = Math.max(
    drawnNodes * (square + gap) + gap + (nodesInPod > drawnNodes ? 16 : 0),
    ranks_in_pod > 0 ? rails * 7 : 0,
    46,
  );
  const width = Math.max(220, shown * (podWidth + between) + (pods > shown ? 92 : 0));
  const core = ranks_in_superpod > 0;
  const thick = (of: number) => Math.max(1, 6 / Math.sqrt(of));
  const top = core ? 46 : 0;
  const leaves = ranks_in_pod > 0;
  const leafWidth = podWidth / rails;
  const groupWidth = below * (podWidth + between) - between;
  return svg`<svg class="spine" viewBox="0 0 ${width} ${top + 110}" width=${width * 1.2} aria-hidden="true">
    ${
      core
        ? svg`<rect class="switch" x="4" y="16" width=${width - 8} height="14" rx="3" /><text x="4" y="10">core${coreRatio > 1 ? `, 1:${significant(coreRatio, 3)}` : ""}</text>`
        : nothing
    }
    ${Array.from({ length: groups }, (_, group) => {
      const left = 4 + group * below * (podWidth + between);
      return svg`${core ? wired([[left + groupWidth / 2, 30, left + groupWidth / 2, top + 16]], spines > 1, thick(coreRatio)) : nothing}
        <rect class="switch" x=${left} y=${top + 16} width=${core ? groupWidth : width - 8} height="14" rx="3" />
        ${group === 0 ? svg`<text x=${left} y=${top + 10}>spine${leaves && ratio > 1 ? `, 1:${significant(ratio, 3)}` : ""}</text>` : nothing}`;
    })}
    ${Array.from({ length: shown }, (_, index) => {
      const x = 4 + index * (podWidth + between);
      const middle = x + podWidth / 2;
      return svg`${wired([[middle, top + 30, middle, top + 52]], pods > 1, thick(leaves ? ratio : 1))}
        ${
          leaves
            ? Array.from(
                { length: rails },
                (__, leaf) =>
                  svg`<rect class="switch" x=${x + leaf * leafWidth} y=${top + 52} width=${leafWidth - (rails > 1 ? 1.5 : 0)} height="10" rx="2" />`,
              )
            : nothing
        }
        <rect class="pod" x=${x} y=${top + 66} width=${podWidth} height=${square + 2 * gap} rx="3" />
        ${Array.from({ length: drawnNodes }, (__, node) => svg`<rect class="node" x=${x + gap + node * (square + gap)} y=${top + 66 + gap} width=${square} height=${square} />`)}
        ${nodesInPod > drawnNodes ? svg`<text x=${x + gap + drawnNodes * (square + gap)} y=${top + 66 + gap + 10}>…</text>` : nothing}
        <text x=${x} y=${top + 104}>${index === 0 ? `${exact(nodesInPod)} ${nodesInPod === 1 ? "node" : "nodes"}${leaves && rails > 1 ? `, ${exact(rails)} rails` : ""}` : ""}</text>`;
    })}
    ${pods > shown ? svg`<text x=${4 + shown * (podWidth + between)} y=${top + 80}>and ${exact(pods - shown)} more</text>` : nothing}
  </svg>`;
}

/** Where the ranks of a collective are: what joins those of a node, and what is above the nodes. */
export function spinePicture(
  scenario: Scenario,
  results: PredictCollectiveResults,
  gpus: number,
): TemplateResult | typeof nothing {
  if (gpus <= 1) return nothing;
  const words = placeSummary(results, gpus);
  const inside = Math.max(1, Math.round(gpus / results.nodes));
  const above = results.nodes > 1 && (results.ranks_in_pod > 0 || results.ranks_in_superpod > 0);
  return html`<section aria-labelledby="spine-title"><h2 id="spine-title">Where the GPUs are</h2>
    <p data-fact="spine">${words}</p>
    ${results.nodes > 1 && !above ? html`<p class="soft">GPUs per pod, rails, oversubscription and a core above the spines are under “GPU, node and network”.</p>` : nothing}
    <div role="img" aria-label=${words}>
    ${above ? abovePicture(scenario, results, gpus) : nothing}
    ${inside > 1 ? insidePicture(results, inside) : nothing}</div></section>`;
}
