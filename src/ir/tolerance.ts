import type { Expression } from "../expressions/index.ts";
import { isObject, type Json, own } from "../json.ts";
import type { ErrorValue } from "./recovery.ts";
import type { Step } from "./workflow.ts";

/**
 * How many iterations of a loop may fail, whatever their error is: the result omits their values. One more fails the step
 * with `error`, as a failing iteration fails other loops. Each limit is constant or the value of a variable when the
 * step begins, and not negative; front ends ensure that. Without limits, none may fail.
 */
export interface Tolerance {
  readonly count?: number | Expression | undefined;
  /** Of all elements. */
  readonly percentage?: number | Expression | undefined;
  /** The member of each element with the array of what it stands for, each of which counts; by default, elements count. */
  readonly counted?: string | undefined;
  readonly error: Pick<ErrorValue, "name" | "message">;
}

/** How much the failure of an iteration counts. */
export function countOf(element: Json, counted: string | undefined): number {
  const list = counted !== undefined && isObject(element) ? own(element, counted) : undefined;
  return Array.isArray(list) ? list.length : 1;
}

/** The expressions of the limits that a step computes. */
export function computedTolerance(step: Step): readonly Expression[] {
  if (step.kind !== "foreach" || !step.tolerates) return [];
  const { count, percentage } = step.tolerates;
  return [count, percentage].flatMap((each) => (typeof each === "object" ? [each] : []));
}

/** Whether so many failures of the iterations are within the limits. */
export function isTolerated(
  failures: number,
  elements: number,
  { count, percentage }: { readonly count?: number | undefined; readonly percentage?: number | undefined },
): boolean {
  if (count === undefined && percentage === undefined) return false;
  return failures <= (count ?? failures) && (failures / elements) * 100 <= (percentage ?? 100);
}
