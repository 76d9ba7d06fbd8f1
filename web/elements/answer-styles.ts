import { css } from "lit";

/** Results side by side, each exact and for people. */
export const resultStyles = css`
  .results { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: 0 1.25rem; margin: 0 0 1.25rem; }
  .results div { border-top: 1px solid var(--rule-strong); padding: 0.4rem 0 0.7rem; min-width: 0; }
  .results dt { font-family: var(--sans); font-size: var(--small); }
  .results dt code { color: var(--ink-soft); }
  .results dd { margin: 0.15rem 0 0; display: grid; }
  .results .exact { font-size: 1.25rem; overflow-wrap: anywhere; }
  .results .human { color: var(--ink-soft); font-size: var(--small); font-family: var(--sans); }
`;
