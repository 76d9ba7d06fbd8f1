import { css } from "lit";
import { subjectColors } from "./colors.js";

/** Colours, type and measures. Each can be set from outside as --commcost-…; the colour scheme is that of the page around it. */
export const theme = css`
  [data-left-out] { display: none !important; }
  ${subjectColors}
  :host {
    color-scheme: var(--commcost-color-scheme, inherit);
    --paper: var(--commcost-paper, light-dark(#fffefb, #15171a));
    --paper-raised: var(--commcost-paper-raised, light-dark(#f6f4ee, #1d2024));
    --ink: var(--commcost-ink, light-dark(#1b1b1a, #e9e7e2));
    --ink-soft: var(--commcost-ink-soft, light-dark(#5a5853, #a9a69f));
    --rule: var(--commcost-rule, light-dark(#d9d5cb, #35393f));
    --rule-strong: var(--commcost-rule-strong, light-dark(#8d887c, #6d7178));
    --accent: var(--commcost-accent, light-dark(#0b5c8f, #6cb8ea));
    --good: var(--commcost-good, light-dark(#1c6b3c, #6fcf97));
    --bad: var(--commcost-bad, light-dark(#a3271b, #ff9a8d));
    --bad-wash: var(--commcost-bad-wash, light-dark(#fbece9, #33201f));
    --warn: var(--commcost-warn, light-dark(#7a5200, #e8b85c));
    --serif: var(--commcost-serif, "Iowan Old Style", "Palatino Linotype", Palatino, "TeX Gyre Pagella", "Book Antiqua", Georgia, serif);
    --sans: var(--commcost-sans, system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif);
    --mono: var(--commcost-mono, ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace);
    --small: var(--commcost-small, 0.8125rem);
    color: var(--ink);
    font-family: var(--serif);
    line-height: 1.45;
  }
  *, *::before, *::after { box-sizing: border-box; }
  [hidden] { display: none !important; }
`;

/** Type and controls shared by all views. */
export const base = css`
  h2, h3, h4 { font-weight: 600; line-height: 1.2; margin: 0; text-wrap: balance; }
  h2 { font-size: 1.1875rem; }
  h3 { font-size: 1rem; }
  h4 { font-size: 0.9375rem; }
  .titled { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; justify-content: space-between; }
  p { margin: 0.5rem 0; max-width: 68ch; }
  a { color: var(--accent); text-underline-offset: 0.15em; }
  code, .code { font-family: var(--mono); font-size: 0.86em; overflow-wrap: anywhere; }
  small, .small { font-size: var(--small); }
  .soft { color: var(--ink-soft); }
  .formula-link { font-family: var(--sans); }
  .number { font-variant-numeric: tabular-nums lining-nums; }

  button, select, input, summary { font: inherit; color: inherit; }
  button, select, input:not([type="range"], [type="checkbox"], [type="radio"]) {
    background: var(--paper); border: 1px solid var(--rule-strong); border-radius: 3px; min-height: 2rem; padding: 0.2rem 0.5rem;
    font-family: var(--sans); font-size: 0.875rem;
  }
  input[type="checkbox"], input[type="radio"] { accent-color: var(--accent); width: 1.15rem; height: 1.15rem; margin: 0; }
  input[type="range"] { accent-color: var(--accent); min-height: 1.5rem; }
  button { cursor: pointer; }
  button:hover { border-color: var(--accent); color: var(--accent); }
  button.plain { border-color: transparent; background: none; color: var(--accent); padding-inline: 0.35rem; min-height: 1.75rem; }
  button.plain:hover { border-color: var(--rule-strong); }
  :is(button, select, input, summary, a, [tabindex]):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  button:disabled { opacity: 0.5; cursor: default; }
  input[readonly] { border-style: dotted; background: var(--paper-raised); }
  summary { cursor: pointer; min-height: 1.5rem; font-family: var(--sans); font-size: var(--small); color: var(--accent); }

  fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
  legend { padding: 0; font-family: var(--sans); font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--ink-soft); }

  table { border-collapse: collapse; font-family: var(--sans); font-size: var(--small); font-variant-numeric: tabular-nums; }
  caption { text-align: start; color: var(--ink-soft); padding-block: 0.25rem; }
  th, td { padding: 0.2rem 0.75rem 0.2rem 0; text-align: end; vertical-align: baseline; }
  th { font-weight: 600; border-bottom: 1px solid var(--rule-strong); }
  tbody th { font-weight: 400; border-bottom: 0; }
  td:first-child, th:first-child, td.text, th.text { text-align: start; }
  tbody tr { border-bottom: 1px solid var(--rule); }
  /* What goes on beyond an edge throws a shadow there. */
  .scroll { overflow-x: auto; max-width: 100%;
    background:
      linear-gradient(to right, var(--paper) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local,
      linear-gradient(to left, var(--paper) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
      linear-gradient(to right, color-mix(in oklab, var(--ink) 24%, transparent), transparent) 0 0 / 0.7rem 100% no-repeat scroll,
      linear-gradient(to left, color-mix(in oklab, var(--ink) 24%, transparent), transparent) 100% 0 / 0.7rem 100% no-repeat scroll; }
  .scroll.tall { max-height: 22rem; overflow-y: auto; }
  math { font-size: 1.05em; }

  .visually-hidden {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  @media print {
    button, .no-print { display: none !important; }
    /* Inputs are read on paper: values without boxes. */
    select, input:not([type="range"], [type="checkbox"], [type="radio"]) { border: 0; padding: 0; min-height: 0; appearance: none; font-weight: 600; }
    .scroll.tall { max-height: none; }
  }
`;
