import { computeLiveness, createDataFlowGraph, type Liveness } from "../../../src/cfg/index.ts";
import { type Expression, effectsOf, literal, mayThrow } from "../../../src/expressions/index.ts";
import type { Scope, Step } from "../../../src/ir/workflow.ts";
import { nullType } from "../../../src/types/index.ts";
import type { SelectionContext } from "./context.ts";

/**
 * A branch or iteration whose result nothing reads, without what only computes the result.
 *
 *   Mail: call mail(…) -> result; data := assignResult($data, $result, "mail"); end with $data
 *   → Mail: call mail(…); end with null
 */
export function withoutResult(scope: Scope, flow: SelectionContext): Scope {
  const ended = { ...scope, steps: scope.steps.map(endWithNull) };
  const assigned = dropUnread(ended, (step, live) => dropAssignments(step, live, flow));
  return dropUnread(assigned, dropBinding);
}

const endWithNull = (step: Step): Step =>
  step.kind === "end" && step.extent === "scope" && step.outcome === "leave" && !effectsOf(step.value).canFail
    ? { ...step, value: literal(null) }
    : step;

function dropUnread(scope: Scope, drop: (step: Step, live: Liveness) => Step): Scope {
  const live = computeLiveness(createDataFlowGraph(scope));
  return { ...scope, steps: scope.steps.map((step) => drop(step, live)) };
}

function dropAssignments(step: Step, live: Liveness, { knownTypes }: SelectionContext): Step {
  const variables = knownTypes.get(step.id);
  if (step.kind !== "assign" || !variables) return step;
  const isRead = (name: string): boolean => live.get(step.next.name)?.has(name) ?? true;
  const values = step.values.filter(
    ({ variable, value }) => isRead(variable) || !isBounded(value) || mayThrow(value, { input: nullType, variables }),
  );
  return { ...step, values };
}

const dropBinding = (step: Step, live: Liveness): Step =>
  step.kind === "call" && step.bind !== undefined && live.get(step.next.name)?.has(step.bind) === false
    ? { ...step, bind: undefined }
    : step;

/** Whether an expression cannot exceed a limit: it only reads members and merges objects. */
function isBounded(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "variable":
      return true;
    case "call":
      return boundedCalls.has(expression.name) && expression.args.every(isBounded);
    default:
      return false;
  }
}

const boundedCalls: ReadonlySet<string> = new Set(["assign", "assignResult", "place"]);
