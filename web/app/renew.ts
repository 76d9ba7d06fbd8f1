/** If a host has not answered after this time, ms, it counts as unreachable. */
const patience = 5000;

const answers = async (address: string, cache: RequestCache): Promise<boolean> => {
  try {
    const answer = await fetch(address, { cache, signal: AbortSignal.timeout(patience) });
    // Only what was read to its end is kept, and frees a service worker.
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
};

/**
 * Reloads the page if its host answers, and returns whether it does. A browser takes scripts that it has fetched before
 * from its cache, damaged or not: they are fetched into it first.
 */
export async function renew(): Promise<boolean> {
  const page = location.href.replace(/#.*/, "");
  if (!(await answers(page, "no-store"))) return false;
  const site = new URL("./", page).href;
  const fetched = performance.getEntriesByType("resource").map(({ name }) => name);
  await Promise.all(
    [...new Set(fetched)].filter((name) => name.startsWith(site)).map((name) => answers(name, "reload")),
  );
  location.reload();
  return true;
}
