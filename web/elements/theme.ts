import { unsafeCSS } from "lit";
import { properties } from "./tokens.js";
import themeText from "./theme.css?inline";
import baseText from "./base.css?inline";

const declared = Object.entries(properties).map(([name, value]) => `--${name}:var(--commcost-${name},${value})`);

/** The design's tokens. Each can be set from outside as --commcost-…; the colour scheme is that of the page around it. */
export const theme = unsafeCSS(`:host{${declared.join(";")}}${themeText}`);

/** Type and controls shared by all views. */
export const base = unsafeCSS(baseText);
