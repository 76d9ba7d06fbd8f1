import { scriptAddress } from "../state/trusted.js";

/** Keeps the site for offline use, which is optional: if storage is refused, the page still calculates. */
export async function keepForOffline(): Promise<void> {
  if (!/^https?:$/.test(location.protocol) || new URLSearchParams(location.search).has("no-sw")) return;
  try {
    // In a sandbox, even reading the property throws.
    await navigator.serviceWorker?.register(scriptAddress("sw.js"));
  } catch {
    // The page works without it.
  }
}
