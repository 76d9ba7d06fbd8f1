// What Serve shows far below its answer, in one file that loads after it.
import "../../charts/bar-chart.js";
import "../../charts/stacked-bars.js";
import "./deployment-launch.js";

export { kernelCurves } from "./kernel-curves.js";
export { servedRoofline } from "./roofline.js";
export { messagesSection } from "./messages.js";
