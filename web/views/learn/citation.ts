import type { Session } from "../../state/session.js";
import { provenanceOf } from "../../elements/provenance.js";

/** When the article was last rewritten. */
export const published = { words: "26 November 2026", year: 2026, month: 11 };

declare const VERSION: string;
/** Of commcost. */
export const version = VERSION;

/** The article as a reference, with the numbers that are shown. */
export function citation(scenario: Session): string {
  const { link } = provenanceOf(scenario);
  return [
    "@misc{commcost-split,",
    "  title = {What it costs to split a model},",
    "  author = {{The commcost authors}},",
    `  year = {${published.year}},`,
    `  note = {commcost ${version}${scenario.alone ? "" : `, ${scenario.text("model") || "custom model"} on ${scenario.text("system") || "custom hardware"}`}},`,
    ...(link ? [`  url = {${link}},`] : []),
    "}",
  ].join("\n");
}
