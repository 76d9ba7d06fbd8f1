/** What a page calls an address that it vouches for; the library of types does not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

/** A worker's script out of this page, or the service worker: no other address is ever a script's. */
function own(address: string): string {
  if (address.startsWith("blob:") || address === "sw.js") return address;
  throw new TypeError(`${address.slice(0, 80)} is no script of commcost`);
}

function addressMaker(): (address: string) => string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  try {
    const policy = trustedTypes?.createPolicy("commcost", { createScriptURL: own });
    if (policy) return (address) => policy.createScriptURL(address);
  } catch {
    // The page allows no policy of that name: its own rules say what comes of that.
  }
  return own;
}

/** The address of a script of ours, as a page asks for it that trusts no mere text (`require-trusted-types-for 'script'`). */
export const scriptAddress = addressMaker();
