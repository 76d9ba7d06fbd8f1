/** Shares of a step as the projection's inputs. */
export function sharesOf(compute: number, communication: number): Record<string, string> {
  return { compute_share: compute.toFixed(4), communication_share: communication.toFixed(4) };
}
