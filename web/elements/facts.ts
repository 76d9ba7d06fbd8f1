import { unsafeCSS } from "lit";
import styles from "./facts.css?inline";

/** Figures with their names, side by side as far as there is room. */
export const factsStyles = unsafeCSS(styles);
