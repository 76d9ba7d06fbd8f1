/**
 * The address of another page of the site. Only the hosted page, which alone has a manifest, has the site around it: in
 * one file, in a frame and in an element of somebody's page there is none.
 */
export function siteAddress(path: string): string | undefined {
  const manifest = document.querySelector<HTMLLinkElement>('head > link[rel="manifest"]');
  // A host page may have its own manifest.
  if (!manifest || !document.querySelector("commcost-app:not([embed])")) return undefined;
  return new URL(path, manifest.href).href;
}
