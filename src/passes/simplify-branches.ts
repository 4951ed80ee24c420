import {
  canFail,
  type Expression,
  equalExpressions,
  inferType,
  printExpression,
  simplify,
  type VariableTypes,
} from "../expressions/index.ts";
import { maxRetries } from "../ir/recovery.ts";
import { mapKeeping, mapScopes, withSteps } from "../ir/walk.ts";
import type { Choose, Retry, Step, Workflow } from "../ir/workflow.ts";
import { anyObject, truthOf, typeNameOf } from "../types/index.ts";

/**
 * Removes cases, retries and handlers whose condition never holds, and everything after one whose condition always
 * holds. A choice without cases becomes an
 * empty assignment.
 */
export const simplifyBranches = {
  name: "simplify-branches",
  run: <W extends Workflow>(workflow: W): W => simplifyBranchesWithin(workflow, new Map()),
};

/** Like `simplifyBranches`, with types of variables before each step, by id. */
export const simplifyBranchesWithin = <W extends Workflow>(
  workflow: W,
  typesBefore: ReadonlyMap<string, VariableTypes>,
): W =>
  mapScopes(workflow, (scope) =>
    withSteps(
      scope,
      mapKeeping(scope.steps, (step) => simplifyStep(step, typesBefore.get(step.id))),
    ),
  );

function simplifyStep(step: Step, types: VariableTypes | undefined): Step {
  if (step.kind === "choose") return simplifyChoice(step, types);
  if (!("handlers" in step)) return step;
  const retries = keepSame(step.retries, dropTrailingIdle(removeDecided(step.retries, errorTypes).possible));
  const handlers = keepSame(step.handlers, removeDecided(step.handlers, errorTypes).possible);
  return retries === step.retries && handlers === step.handlers ? step : { ...step, retries, handlers };
}

function simplifyChoice(step: Choose, types: VariableTypes | undefined): Step {
  const { possible, always } = removeDecided(step.cases, types);
  const cases = keepSame(step.cases, always ? possible.slice(0, -1) : possible);
  const otherwise = always?.next ?? step.otherwise;
  if (cases === step.cases && otherwise === step.otherwise && cases.length > 0) return step;
  if (cases.length > 0 || !otherwise) return { ...step, cases, otherwise };
  const { id, origin, span } = step;
  return { kind: "assign", id, origin, span, values: [], next: otherwise };
}

/** Returns the earlier array if the elements of the later one are the same. */
const keepSame = <T>(before: readonly T[], after: readonly T[]): readonly T[] =>
  after.length === before.length && after.every((each, i) => each === before[i]) ? before : after;

/**
 * The conditions that may decide, simplified, without repetitions; `always` is the one that always holds, which is then
 * the last.
 */
function removeDecided<T extends { readonly when: Expression }>(
  conditions: readonly T[],
  types: VariableTypes = new Map(),
): { readonly possible: readonly T[]; readonly always: T | undefined } {
  const possible: T[] = [];
  const tested = new Map<string, Expression[]>();
  for (const each of conditions) {
    const when = simplify(each.when);
    if (when.kind === "literal" && when.value === true)
      return { possible: [...possible, withCondition(each, when)], always: each };
    const printed = printExpression(when);
    const similar = tested.get(printed) ?? [];
    if (isNever(when, types) || similar.some((before) => equalExpressions(before, when))) continue;
    tested.set(printed, [...similar, when]);
    possible.push(withCondition(each, when));
  }
  return { possible, always: undefined };
}

const withCondition = <T extends { readonly when: Expression }>(each: T, when: Expression): T =>
  when === each.when ? each : { ...each, when };

/** Without them, the errors they match are not retried either. */
const dropTrailingIdle = (retries: readonly Retry[]): readonly Retry[] =>
  retries.slice(0, retries.findLastIndex((each) => maxRetries(each) > 0 || canFail(each.when)) + 1);

const errorTypes: VariableTypes = new Map([["error", anyObject]]);

/** Cannot fail and is never true, the only value that counts as holding. */
function isNever(when: Expression, types: VariableTypes): boolean {
  if (when.kind === "literal" || canFail(when)) return when.kind === "literal";
  const type = inferType(when, types);
  const typeName = typeNameOf(type);
  return truthOf(type) === "never" || (typeName !== undefined && typeName !== "boolean");
}
