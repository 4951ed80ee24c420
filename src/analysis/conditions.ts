import type { Expression } from "../expressions/index.ts";

/** Whether a condition is true for all data. */
export const holdsAlways = (when: Expression): boolean => when.kind === "literal" && when.value === true;

/** Whether a condition is not true for any data. */
export const holdsNever = (when: Expression): boolean => when.kind === "literal" && when.value !== true;
