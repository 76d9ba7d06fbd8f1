import type { Session } from "../../state/session.js";
import { provenanceOf } from "../../elements/provenance.js";

/** When the article was last rewritten. */
export const published = { words: "24 November 2026", year: 2026, month: 11 };

declare const VERSION: string;

/** The article as a reference, with the numbers that are shown. */
export function citation(scenario: Session): string {
  const { link } = provenanceOf(scenario);
  return [
    "@misc{commcost-split,",
    "  title = {What it costs to split a model},",
    "  author = {{The commcost authors}},",
    `  year = {${published.year}},`,
    `  note = {commcost ${VERSION}${scenario.alone ? "" : `, ${scenario.text("model") || "custom model"} on ${scenario.text("system") || "custom hardware"}`}},`,
    ...(link ? [`  url = {${link}},`] : []),
    "}",
  ].join("\n");
}
