import { deadCase } from "../diagnostics/flow.ts";
import { type Expression, printExpression } from "../expressions/index.ts";
import { handlersOf, retriesOf, stepsOf } from "../ir/walk.ts";
import type { Program } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";

/** Reports conditions that an earlier one decides. */
export function checkCases({ workflows }: Program, report: Report): void {
  for (const workflow of workflows) {
    for (const step of stepsOf(workflow)) {
      if (step.kind === "choose") checkInTurn(step.cases, report);
      checkInTurn(retriesOf(step), report);
      checkInTurn(handlersOf(step), report);
    }
  }
}

interface CaseCondition {
  readonly when: Expression;
  readonly span: Span;
}

function checkInTurn(conditions: readonly CaseCondition[], report: Report): void {
  const seen = new Map<string, Span>();
  let always: Span | undefined;
  for (const { when, span } of conditions) {
    const text = conditions.length > 1 ? printExpression(when) : "";
    const first = seen.get(text);
    if (always) report(deadCase(span, { because: "always" }, [{ message: "This always holds.", span: always }]));
    else if (holdsNever(when)) report(deadCase(span, { because: "never" }));
    else if (first)
      report(deadCase(span, { because: "equal" }, [{ message: "The same condition is here.", span: first }]));
    else seen.set(text, span);
    if (holdsAlways(when)) always ??= span;
  }
}

/** Whether a condition is always true. */
export const holdsAlways = (when: Expression): boolean => when.kind === "literal" && when.value === true;

/** Whether a condition is never true. */
export const holdsNever = (when: Expression): boolean => when.kind === "literal" && when.value !== true;
