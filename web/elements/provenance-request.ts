/** What a picture states about itself once it has left the page. */
export interface Provenance {
  /** The scenario in one line. */
  scenario?: string;
  /** Who computed it. */
  source: string;
  /** Where it can be seen and changed. */
  link?: string;
}

/** A chart asks its surroundings where its numbers come from; the nearest ancestor that knows answers. */
export class ProvenanceRequest extends Event {
  static readonly type = "commcost-provenance";
  answer: Provenance = { source: "commcost" };

  constructor() {
    super(ProvenanceRequest.type, { bubbles: true, composed: true });
  }
}

/** Lets `answer` speak for all charts within an element. */
export function speaksFor(element: HTMLElement, answer: () => Provenance): void {
  element.addEventListener(ProvenanceRequest.type, (event) => {
    event.stopPropagation();
    (event as ProvenanceRequest).answer = answer();
  });
}
