import { inferDataFlow } from "../../analysis/types/flow.ts";
import { childrenOf, type Expression, freeVariables } from "../../expressions/index.ts";
import { expressionsOf, innerScopes, stepsOf, successors } from "../../ir/walk.ts";
import { type Assign, programOf, type Step, type Workflow } from "../../ir/workflow.ts";
import { memberOf, type Type, typeNameOf } from "../../types/index.ts";
import { type Context, contextName, dataName } from "./context.ts";
import { contextBeforeExport, droppedExports, droppedMembers, memberOfArray } from "./diagnostics/data.ts";

/** A read of a member of the data or the context. */
interface MemberRead {
  readonly variable: string;
  readonly name: string;
}

/** Types of variables before steps. */
type TypeAt = (step: Step, variable: string) => Type | undefined;

/** Larger workflows, such as those with many inlined functions, are not checked. */
const maxSteps = 2_000;

/** Reports reads of what a task replaced before, of members of arrays, and of a context without exports. */
export function checkReplacedData(context: Context, workflow: Workflow): void {
  const steps = new Map(stepsOf(workflow).map((each) => [each.id, each] as const));
  if (steps.size > maxSteps) return;
  const before = inferDataFlow(programOf([workflow])).get(workflow)?.before;
  const typeAt: TypeAt = ({ id }, variable) => before?.get(id)?.get(variable);
  const reads = new Map([...steps.values()].map((each) => [each, expressionsOf(each).flatMap(readsIn)] as const));
  for (const [each, found] of reads) {
    for (const { variable, name } of found) {
      const type = typeAt(each, variable);
      const kind = type && typeNameOf(type);
      if (variable === dataName && kind === "array") context.report(memberOfArray(each.span, { name }));
      if (variable === contextName && kind === "null") context.report(contextBeforeExport(each.span, {}));
    }
    const [value] = each.kind === "assign" ? each.values : [];
    const span = value && context.replacements.get(value.value);
    if (each.kind !== "assign" || !span) continue;
    const dropped = droppedBy(each, typeAt);
    const lost = dropped && lostReads(each, dropped, steps, reads, typeAt);
    if (!lost) continue;
    const kindOf = dropped.variable === dataName ? droppedMembers : droppedExports;
    context.report(kindOf(span, { name: lost }));
  }
}

/** The reads in an expression, without those that may fail. */
function readsIn(expression: Expression): readonly MemberRead[] {
  if (expression.kind === "try" || (expression.kind === "access" && expression.optional)) return [];
  const inner = childrenOf(expression).flatMap(({ expression: child }) => readsIn(child));
  if (expression.kind !== "access" || expression.source.kind !== "variable" || expression.key.kind !== "literal")
    return inner;
  const { name: variable } = expression.source;
  const name = expression.key.value;
  return typeof name === "string" && (variable === dataName || variable === contextName)
    ? [...inner, { variable, name }]
    : inner;
}

/** A replaced value, and whether a member of it existed before. */
interface Replacement {
  readonly variable: string;
  had(name: string): boolean;
}

/** `set` drops what the data may have; an export drops what earlier exports set. */
function droppedBy(assignment: Assign, typeAt: TypeAt): Replacement | undefined {
  const [{ variable, value }] = assignment.values as readonly [Assign["values"][number]];
  const type = typeAt(assignment, variable);
  if (!type || (variable === contextName && freeVariables(value).has(contextName))) return undefined;
  const wanted = variable === dataName ? ["always", "maybe"] : ["always"];
  return { variable, had: (name) => wanted.includes(memberOf(type, name).presence) };
}

/** A member that is read before the value is replaced again, and that no value has there. */
function lostReads(
  from: Assign,
  { variable, had }: Replacement,
  steps: ReadonlyMap<string, Step>,
  reads: ReadonlyMap<Step, readonly MemberRead[]>,
  typeAt: TypeAt,
): string | undefined {
  const waiting = new Set([from.next.name]);
  for (const id of waiting) {
    const step = steps.get(id);
    if (!step) continue;
    const type = typeAt(step, variable);
    const isLost = ({ variable: read, name }: MemberRead): boolean =>
      read === variable && type !== undefined && isAbsent(type, name, variable) && had(name);
    const lost = reads.get(step)?.find(isLost);
    if (lost) return lost.name;
    if (step.kind === "assign" && step.values.some((each) => each.variable === variable)) continue;
    const inner = innerScopes(step);
    for (const { entry } of inner) waiting.add(entry.name);
    if (step.kind !== "attempt") for (const next of successors(step)) waiting.add(next.name);
  }
  return undefined;
}

/** Whether no value has the member. An export of unknown form is taken to lack what was exported before. */
function isAbsent(type: Type, name: string, variable: string): boolean {
  const { presence } = memberOf(type, name);
  return variable === contextName ? presence !== "always" : presence === "never" && typeNameOf(type) === "object";
}
