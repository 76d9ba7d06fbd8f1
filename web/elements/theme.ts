import { unsafeCSS } from "lit";
import { subjectColors } from "./colors.js";
import themeText from "./theme.css?inline";
import baseText from "./base.css?inline";

/** Colours, type and measures. Each can be set from outside as --commcost-…; the colour scheme is that of the page around it. */
export const theme = unsafeCSS(subjectColors + themeText);

/** Type and controls shared by all views. */
export const base = unsafeCSS(baseText);
