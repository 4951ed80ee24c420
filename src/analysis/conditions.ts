import type { Expression } from "../expressions/index.ts";

/** Whether a condition is known to be true whatever the data. */
export const holdsAlways = (when: Expression): boolean => when.kind === "literal" && when.value === true;

/** Whether a condition is known not to be true whatever the data. */
export const holdsNever = (when: Expression): boolean => when.kind === "literal" && when.value !== true;
