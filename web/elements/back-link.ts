import { nothing, type TemplateResult } from "lit";
import { settingNames, writeLink } from "../state/link.js";
import type { Session } from "../state/session.js";
import { html } from "./html.js";

/** The hash of the page's address that opens a view with a scenario's inputs and settings. */
export function hashOf(scenario: Session, view: string): string {
  const settings = Object.fromEntries(settingNames.map((name) => [name, scenario.text(name)]));
  return writeLink(scenario, { ...settings, view });
}

/**
 * A link from an article back to the page at `base`, which provides its hash when the link is followed; nothing without
 * an address that a browser opens.
 */
export function backLink(base: string | undefined, hash: () => string, title: string): TemplateResult | typeof nothing {
  if (!base || !URL.canParse(base, document.baseURI)) return nothing;
  const address = new URL(base, document.baseURI);
  if (!/^(https?|file):$/.test(address.protocol)) return nothing;
  const follow = (event: Event) => {
    const target = new URL(address);
    if (target.pathname.endsWith("/")) target.pathname += "index.html";
    target.hash = hash();
    (event.currentTarget as HTMLAnchorElement).href = target.href;
  };
  return html`<a href=${address.href} target="_blank" rel="noopener" @pointerdown=${follow} @focus=${follow} @click=${follow}
    aria-label=${`Open with these numbers: ${title}`}>Open with these numbers</a>`;
}
