import { unsafeCSS } from "lit";
import styles from "./entry-styles.css?inline";

/** Where answers are typed, judged and hinted at. */
export const entryStyles = unsafeCSS(styles);
