/**
 * For pages that show commcost in a frame: lets the frame's height follow its content.
 *   import { followHeight } from "./commcost-embed.js";
 *   followHeight(document.querySelector("iframe"));
 * A message counts only when it comes from that very frame (a sandboxed frame's origin is "null", so origin alone
 * proves nothing) and says a sane height. Returns a function that stops following.
 */
export function followHeight(frame, { least = 120, greatest = 12000 } = {}) {
  const listen = (event) => {
    if (event.source !== frame.contentWindow) return;
    const { type, v, height } = event.data ?? {};
    if (type !== "commcost:height" || v !== 1 || !Number.isFinite(height)) return;
    frame.style.height = `${Math.min(greatest, Math.max(least, height))}px`;
  };
  addEventListener("message", listen);
  return () => removeEventListener("message", listen);
}
