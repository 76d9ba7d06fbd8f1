import { css } from "lit";

/** Where answers are typed, judged and hinted at. */
export const entryStyles = css`
  :host { display: block; container-type: inline-size; }
  .answers { border-block: 1px solid var(--rule); padding: 0.5rem 0; }
  .entries { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 0.5rem 1.25rem; }
  .answer { display: grid; gap: 0.15rem; min-width: 0; align-content: start; }
  .answer label { font-family: var(--sans); font-size: var(--small); overflow-wrap: anywhere; }
  .answer code { color: var(--ink-soft); }
  .answer input { width: 100%; }
  .answer [aria-invalid] { border-color: var(--bad); }
  .verdict { font-size: 0.9375rem; min-height: 1.45em; }
  .actions { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
  .good { color: var(--good); }
  .bad { color: var(--bad); }
  .close { color: var(--warn); }
  .hint { margin: 0.15rem 0 0; padding-inline-start: 0.6rem; border-inline-start: 2px solid var(--accent); overflow-x: auto; }
  .hint b { font-weight: 600; }
`;
