import { stillName, type FigureKind } from "../figures/catalog.js";
import type { View } from "./views.js";
import { usualSandbox } from "./frame-options.js";

/** What is embedded: a view or a figure, its inputs as in a link, and its options. */
export interface Embedded {
  view?: View;
  figure?: FigureKind;
  inputs: readonly (readonly [string, string])[];
  options: { compact?: boolean; readonly?: boolean; parts?: string; colors?: string };
}

/** The digest of commcost-element-whole.js as it was built with this page; empty if there is none next to it. */
declare const ELEMENT_INTEGRITY: string;

/** The script of all elements in one file, which a browser can check; nothing if there is none next to this page. */
export const wholeScript = (site: string): string | undefined =>
  ELEMENT_INTEGRITY === ""
    ? undefined
    : `<script type="module" src="${site}commcost-element-whole.js" integrity="${ELEMENT_INTEGRITY}" crossorigin="anonymous"></script>`;

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const titleOf = ({ view, figure }: Embedded): string => (view ?? figure)!.title;

/** The element with the script that defines it; a figure contains the still picture that is shown until then. */
export function tagCode(embedded: Embedded, site: string): string {
  const { view, figure, inputs, options } = embedded;
  const name = view ? `commcost-${view.id}` : "commcost-figure";
  const attributes = [...(figure ? [["of", figure.id]] : []), ["base", site], ...Object.entries(options), ...inputs]
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escaped(String(value))}"`))
    .join("");
  const still = figure ? `<img src="${stillName(figure)}" alt="${escaped(figure.title)}">` : "";
  return `<script type="module" src="${site}commcost-element.js"></script>\n<${name}${attributes}>${still}</${name}>`;
}

/** A frame that stands alone: its height is a guess. */
export function frameCode(embedded: Embedded, site: string): string {
  const { view, figure, inputs, options } = embedded;
  const query = new URLSearchParams([
    view ? ["view", view.id] : ["figure", figure!.id],
    ...Object.entries(options).map(([key, value]) => [key, String(value)]),
    ...inputs.map(([key, value]) => [key, value]),
  ]);
  const height = figure ? 460 : options.parts ? 480 : 960;
  return `<iframe src="${escaped(`${site}embed.html?${query}`)}"
  title="commcost: ${escaped(titleOf(embedded))}" sandbox="${usualSandbox}" allow="clipboard-write" loading="lazy" width="100%" height="${height}"></iframe>`;
}

/** A frame whose height follows, made by a script. */
export function mountCode(embedded: Embedded, site: string): string {
  const { view, figure, inputs, options } = embedded;
  const said = {
    ...(view ? { view: view.id } : { figure: figure!.id }),
    ...options,
    title: `commcost: ${titleOf(embedded)}`,
    ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs) }),
  };
  // What a reader has typed must not be able to end the script.
  const written = JSON.stringify(said, null, 1).replace(/\n\s*/g, " ").replaceAll("<", "\\u003c");
  return `<div id="commcost"></div>
<script type="module">
  import { mount } from "${site}commcost-embed.js";
  mount("#commcost", ${written});
</script>`;
}
