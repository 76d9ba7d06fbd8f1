import { unsafeCSS } from "lit";
import styles from "./drawing.css?inline";

/** What every drawing looks like, small or with all that a chart has about it. */
export const drawingStyles = unsafeCSS(styles);
