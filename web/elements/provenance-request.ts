/** What a picture says of itself once it has left the page. */
export interface Provenance {
  /** The scenario in one line. */
  scenario?: string;
  /** Who computed it. */
  source: string;
  /** Where it can be seen and changed. */
  link?: string;
}

/** A chart asks whoever stands around it where its numbers come from; the nearest who knows answers. */
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
