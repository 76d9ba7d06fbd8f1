import { css } from "lit";

/** Figures with their names, side by side as far as there is room. */
export const factsStyles = css`
  .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 50% - 0.5rem), 1fr)); gap: 0 1rem; margin: 0; }
  .facts div { border-top: 1px solid var(--rule); padding: 0.3rem 0 0.5rem; min-width: 0; }
  .facts dt { font-family: var(--sans); font-size: 0.75rem; color: var(--ink-soft); }
  .facts dd { margin: 0.1rem 0 0; font-size: 1.0625rem; }
`;
