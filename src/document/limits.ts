/** How many lists and objects may stand in each other; no workflow comes near it, and no later stage need fear recursion. */
export const depthLimit = 100;

/** How many faults of one text are reported. */
export const faultLimit = 100;

/** How many values a document may have with its aliases written out; in proportion to its text, so that every stage stays linear in it. */
export function valueLimit(text: string): number {
  return 10_000 + text.length;
}
