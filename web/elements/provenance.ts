import type { Provenance } from "./provenance-request.js";
import { writeLink } from "../state/link.js";
import type { Session } from "../state/session.js";
import { scenarioWords } from "./scenario-words.js";

/** Where the page with this scenario is; of an element in somebody's own page nobody can say. */
function addressOf(scenario: Session): string | undefined {
  const app = document.querySelector<HTMLElement & { readonly link: string }>("commcost-app");
  if (!app) return undefined;
  // The page's address takes edits only once they pause.
  return app.hasAttribute("embed") ? new URL(`./${writeLink(scenario, {})}`, location.href).href : app.link;
}

/** What charts of a scenario say of themselves once they have left the page; `words` are the scenario's. */
export function provenanceOf(scenario: Session, words: readonly string[] = scenarioWords(scenario)): Provenance {
  const link = addressOf(scenario);
  return {
    scenario: words.join(" · "),
    source: "Computed with commcost",
    ...(link && { link }),
  };
}
