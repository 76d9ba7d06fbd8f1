/** An address that a page trusts; the type library does not know it yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (address: string) => string },
  ): { createScriptURL(address: string): string };
}

/** A worker's script from this page, or the service worker: no other address is ever trusted as a script. */
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
    // The page does not allow a policy of that name: its own rules decide what follows.
  }
  return own;
}

/** The address of one of our scripts, for pages that do not trust plain text (`require-trusted-types-for 'script'`). */
export const scriptAddress = addressMaker();
