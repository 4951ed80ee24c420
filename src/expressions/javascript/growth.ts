import type { Binary, Expression, Update } from "../core/ast.ts";
import { factsOf, outputs } from "../facts/facts.ts";
import { isPlain } from "./plain.ts";

/**
 * Whether the update of a `reduce` makes a new state of which nothing but the state has parts that it made itself: then these may be changed in place, and
 * a loop over n values does not copy n states.
 */
export const keepsState = (update: Expression): boolean => isGrowth(update) || changeIn(update) !== undefined;

/** `. + E`, where E has nothing of the state. */
export const isGrowth = (update: Expression): update is Binary =>
  update.kind === "binary" &&
  update.operator === "+" &&
  update.left.kind === "identity" &&
  isPlain(update.right) &&
  !factsOf(update.right).usesInput;

/** The change of one place, perhaps with variables bound that have nothing of the state. */
export function changeIn(update: Expression): Update | undefined {
  if (update.kind === "let") return factsOf(update.value).usesInput ? undefined : changeIn(update.body);
  return update.kind === "update" && outputs(update.path) !== "many" ? update : undefined;
}
