import { nothing, render } from "lit";
import { subjectOf } from "../app/subject.js";
import { viewNamed } from "../app/views.js";
import { backLink, hashOf } from "../elements/back-link.js";
import { html } from "../elements/html.js";
import type { ScenarioView } from "../elements/scenario-view.js";
import type { Session } from "../state/session.js";

/**
 * Adds a line below a view in another page: what its answer is about, if the inputs are left out, and with `base` a
 * link that opens commcost with these numbers. A figure shows both itself; an exercise has neither.
 */
export function linkBack(view: ScenarioView, scenario: Session, name: string): void {
  if (view.localName === "commcost-figure") return;
  const place = document.createElement("p");
  place.className = "back";
  const root = view.shadowRoot!;
  const draw = () => {
    // A view that redraws itself clears what follows it.
    if (root.lastChild !== place) root.append(place);
    if (view.hasAttribute("exercise")) return render(nothing, place);
    const subject = subjectOf(scenario, viewNamed(name), view.parts);
    const link = backLink(view.base, () => hashOf(scenario, name), viewNamed(name)?.title ?? name);
    place.hidden = subject === "" && link === nothing;
    return render(html`${subject} ${link}`, place);
  };
  view.addController({ hostUpdated: () => void draw() });
  draw();
}
