/** Small conveniences that outlive a visit. In a sandbox or a private window storage throws, and they do not. */

export function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`commcost:${name}`, value);
  } catch {
    // Only a convenience.
  }
}

export function recall(name: string): string | null {
  try {
    return localStorage.getItem(`commcost:${name}`);
  } catch {
    return null;
  }
}
