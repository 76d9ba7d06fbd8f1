/**
 * The address of another page of the site. Only the hosted page, the only one with a manifest, has the site around it:
 * a single file, a frame and an element in another page do not.
 */
export function siteAddress(path: string): string | undefined {
  const manifest = document.querySelector<HTMLLinkElement>('head > link[rel="manifest"]');
  // A host page may have its own manifest.
  if (!manifest || !document.querySelector("commcost-app:not([embed])")) return undefined;
  return new URL(path, manifest.href).href;
}
