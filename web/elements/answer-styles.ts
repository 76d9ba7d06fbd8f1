import { unsafeCSS } from "lit";
import styles from "./answer-styles.css?inline";

/** Results side by side, each exact and for people. */
export const resultStyles = unsafeCSS(styles);
