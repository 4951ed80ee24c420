import type { Expression } from "../expressions/index.ts";
import type { Step } from "./workflow.ts";

/**
 * How many iterations run at once: constant, or the value of a variable when the step begins, an integer from 1 to
 * `most`; front ends ensure that.
 */
export type Width = number | ComputedWidth;

/** A width that a variable has. */
export interface ComputedWidth {
  readonly value: Expression;
  readonly most: number;
}

/** The largest possible width; infinite without one. */
export const mostOf = (width: Width | undefined): number =>
  width === undefined ? Number.POSITIVE_INFINITY : typeof width === "number" ? width : width.most;

/** The expression of the width that a step computes. */
export function computedWidth(step: Step): readonly Expression[] {
  return step.kind === "foreach" && step.width !== undefined && typeof step.width !== "number"
    ? [step.width.value]
    : [];
}
