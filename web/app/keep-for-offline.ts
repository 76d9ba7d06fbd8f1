import { scriptAddress } from "../state/trusted.js";

/** Keeps the site for offline use, which is a comfort: where storage is refused the page calculates all the same. */
export async function keepForOffline(): Promise<void> {
  if (!/^https?:$/.test(location.protocol) || new URLSearchParams(location.search).has("no-sw")) return;
  try {
    // In a sandbox already the look at it throws.
    await navigator.serviceWorker?.register(scriptAddress("sw.js"));
  } catch {
    // A comfort less.
  }
}
