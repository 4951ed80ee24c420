import { createDataFlowGraph, type DataFlowEdge, type DataFlowNode, mayFail } from "../../../src/cfg/index.ts";
import { canFail, type Expression, mayThrow, simplify } from "../../../src/expressions/index.ts";
import { ownExpressions } from "../../../src/ir/walk.ts";
import type { Scope, Step } from "../../../src/ir/workflow.ts";
import { any, anyObject, nullType, objectOf } from "../../../src/types/index.ts";
import type { Module } from "./module.ts";

/**
 * The steps of a scope and its attempts that set the pointer of the flow: those whose errors get problem details with
 * it, unless the steps before them have the same one on every path.
 */
export function pointingSteps(scope: Scope, module: Module): ReadonlySet<string> {
  if (module.workflow.problems === undefined) return new Set();
  const graph = createDataFlowGraph(scope);
  const raising = new Set([...graph.values()].flatMap(({ step }) => (mayRaise(step, module) ? [step.id] : [])));
  const before = pointersBefore(scope, graph, raising);
  return new Set([...raising].filter((id) => graph.get(id)!.step.origin.pointer !== before.get(id)));
}

/** Whether an error of the step itself may leave it. */
function mayRaise(step: Step, module: Module): boolean {
  if (step.origin.pointer === undefined) return false;
  switch (step.kind) {
    case "call":
    case "invoke":
      return true;
    case "attempt":
      if (step.timeout !== undefined || step.retries.some(({ when }) => mayFailForProblem(when))) return true;
      break;
    case "end":
      if (step.outcome === "fail") return true;
      break;
    case "choose":
      if (!step.otherwise) return true;
      break;
    default:
  }
  return ownExpressions(step).some((expression) => mayFailAt(step.id, expression, module));
}

/** Whether an expression may fail at a step. */
export const mayFailAt = (step: string, expression: Expression, { counters, proven }: Module): boolean =>
  mayFail(expression, counters) &&
  mayThrow(simplify(expression), { input: nullType, variables: proven.get(step) ?? new Map() });

/** Whether a condition over an error with problem details may fail. */
export const mayFailForProblem = (when: Expression): boolean =>
  canFail(when) && mayThrow(simplify(when), { input: nullType, variables: problemVariables });

const problemVariables = new Map([["error", objectOf(new Map([["data", { type: anyObject, required: true }]]), any)]]);

/** A pointer, if the flow has the same one on all paths. */
type Known = string | undefined;

/** The pointers of the flow before the steps that are reached. */
function pointersBefore(
  { entry }: Scope,
  graph: ReadonlyMap<string, DataFlowNode>,
  raising: ReadonlySet<string>,
): ReadonlyMap<string, Known> {
  const before = new Map<string, Known>([[entry.name, undefined]]);
  const pending = new Set([entry.name]);
  for (const id of pending) {
    pending.delete(id);
    const { step, edges } = graph.get(id)!;
    const own = raising.has(id) ? step.origin.pointer : before.get(id);
    for (const edge of edges) {
      const after = keepsPointer(step, edge) ? own : undefined;
      const known = before.get(edge.to);
      if (before.has(edge.to) && (known === undefined || known === after)) continue;
      before.set(edge.to, before.has(edge.to) ? undefined : after);
      pending.add(edge.to);
    }
  }
  return before;
}

/** An attempt may have a flow of its own, and an error may come from any step of its body. */
const keepsPointer = ({ id, kind }: Step, { definedBy, restored }: DataFlowEdge): boolean =>
  kind !== "attempt" && !restored && (definedBy === undefined || definedBy.owner === id);
