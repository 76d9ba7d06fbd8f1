import { unsafeCSS } from "lit";
import styles from "./drawing.css?inline";

/** The look of every drawing, small or with all that a chart has around it. */
export const drawingStyles = unsafeCSS(styles);
