import type { Provenance } from "./provenance-request.js";
import { writeLink } from "../state/link.js";
import type { Session } from "../state/session.js";
import { scenarioWords } from "./scenario-words.js";

/** The address of the page with this scenario; unknown for an element in another page. */
function addressOf(scenario: Session): string | undefined {
  const app = document.querySelector<HTMLElement & { readonly link: string }>("commcost-app");
  if (!app) return undefined;
  // The page's address takes edits only after a pause.
  return app.hasAttribute("embed") ? new URL(`./${writeLink(scenario, {})}`, location.href).href : app.link;
}

/** What charts of a scenario state about themselves once they have left the page; `words` describe the scenario. */
export function provenanceOf(scenario: Session, words: readonly string[] = scenarioWords(scenario)): Provenance {
  const link = addressOf(scenario);
  return {
    scenario: words.join(" · "),
    source: "Computed with commcost",
    ...(link && { link }),
  };
}
