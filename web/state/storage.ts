/** Small comforts that outlive a visit. In a sandbox or a private window storage throws: then they do not. */

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`commcost:${name}`, value);
  } catch {
    // Comfort only.
  }
}

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`commcost:${name}`);
  } catch {
    return null;
  }
}
