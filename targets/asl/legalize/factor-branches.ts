import {
  call,
  type Expression,
  equalExpressions,
  literal,
  member,
  object,
  variable,
} from "../../../src/expressions/index.ts";
import { assignedVariables, exits, handlersOf, innerScopes, namesRead, stepsById } from "../../../src/ir/walk.ts";
import type { Assign, Branch, End, Fork, Scope, Step, Workflow } from "../../../src/ir/workflow.ts";
import { type Type, typeNameOf } from "../../../src/types/index.ts";
import { replaceSteps } from "./replace-steps.ts";

/** The types of variables before a step. */
type TypesBefore = ReadonlyMap<string, { get(name: string): Type | undefined }>;

/**
 * Lets branches return the member that each places in the data. Otherwise they return the whole data, and the join
 * compares it with the data before. The names of the members must differ.
 *
 *   fork a: { data := place($data, ["x"], $r); end with $data } -> results
 *   data := mergeResult($data, difference($results.a, $data), "a")
 *   → fork a: { data := $r; end with $data } -> results; data := merge($data, { x: $results.a })
 */
export function factorBranches(workflow: Workflow, typesBefore: () => TypesBefore): Workflow {
  const joins = new Map<string, Join>();
  for (const scope of scopesWithin(workflow.body)) for (const join of joinsIn(scope)) joins.set(join.fork.id, join);
  if (joins.size === 0) return workflow;
  const types = typesBefore();
  const isObject = ({ fork, data }: Join) => {
    const type = types.get(fork.id)?.get(data);
    return type !== undefined && typeNameOf(type) === "object";
  };
  const factored = [...joins.values()].filter(isObject);
  const byFork = new Map(factored.map((join) => [join.fork.id, join]));
  const byAssignment = new Map(factored.map((join) => [join.assignment.id, join]));
  const parts = new Map(factored.flatMap(({ placements }) => placements).map((part) => [part.assignment.id, part]));
  if (byFork.size === 0) return workflow;
  return replaceSteps(workflow, (step) => {
    const part = step.kind === "assign" ? parts.get(step.id) : undefined;
    if (part) return [{ ...part.assignment, values: [{ variable: part.data, value: part.value }] }];
    const join = step.kind === "assign" ? byAssignment.get(step.id) : undefined;
    return [join ? joinedTogether(join) : step];
  });
}

/** A fork whose branches place one member each, and the assignment that joins them. */
interface Join {
  readonly fork: Fork;
  readonly assignment: Assign;
  readonly data: string;
  readonly placements: readonly Placement[];
}

interface Placement {
  readonly branch: string;
  readonly assignment: Assign;
  readonly data: string;
  readonly name: string;
  readonly value: Expression;
}

function joinedTogether({ fork, assignment, data, placements }: Join): Assign {
  const results = variable(fork.bind!);
  const members = placements.map(({ branch, name }) => [name, member(results, branch)] as const);
  const [value] = assignment.values;
  return { ...assignment, values: [{ ...value!, value: call("merge", variable(data), object(members)) }] };
}

const scopesWithin = (scope: Scope): readonly Scope[] => [
  scope,
  ...scope.steps.flatMap((step) => (step.kind === "attempt" ? [] : innerScopes(step).flatMap(scopesWithin))),
];

function joinsIn(scope: Scope): readonly Join[] {
  return scope.steps.flatMap((step) => {
    const join = step.kind === "fork" ? joinOf(step, scope) : undefined;
    return join ? [join] : [];
  });
}

function joinOf(fork: Fork, scope: Scope): Join | undefined {
  const { bind: results, branches, join, handlers, next } = fork;
  const assignment = scope.steps.find(({ id }) => id === next.name);
  if (join.kind !== "all" || results === undefined || handlers.length > 0) return undefined;
  if (assignment?.kind !== "assign" || assignment.values.length !== 1) return undefined;
  const sources = scope.steps.filter((step) => exits(step).some(({ name }) => name === assignment.id));
  if (sources.length !== 1 || isReadAfter(assignment, results, scope)) return undefined;
  const [{ variable: data, value }] = assignment.values as readonly [Assign["values"][number]];
  const placements = branches.map((branch) => placementOf(branch, data));
  const names = placements.map((each) => each?.name);
  if (!placements.every((each) => each !== undefined) || new Set(names).size < names.length) return undefined;
  return equalExpressions(value, joinExpression(branches, data, results))
    ? { fork, assignment, data, placements }
    : undefined;
}

/** How Serverless Workflow joins branches; see `mergeBranches`. */
const joinExpression = (branches: readonly Branch[], data: string, results: string): Expression =>
  branches.reduce<Expression>(
    (target, { name }) =>
      call("mergeResult", target, call("difference", member(variable(results), name), variable(data)), literal(name)),
    variable(data),
  );

/** A branch begins with the data, and its only assignment to it, right before its only end, places one member. */
function placementOf({ name: branch, scope }: Branch, outer: string): Placement | undefined {
  const ends = scope.steps.filter((step): step is End => step.kind === "end");
  const [end] = ends;
  if (!end || ends.length > 1 || end.outcome !== "leave" || end.extent !== "scope") return undefined;
  const data = end.value.kind === "variable" ? end.value.name : undefined;
  const initial = scope.variables.find(({ name }) => name === data)?.initial;
  const assignments = stepsWithin(scope).filter((step) => data !== undefined && assignedVariables(step).includes(data));
  const [assignment] = assignments;
  const before = scope.steps.filter((step) => exits(step).some(({ name }) => name === end.id));
  if (data === undefined || initial?.kind !== "variable" || initial.name !== outer) return undefined;
  if (assignment?.kind !== "assign" || assignments.length > 1 || before.length !== 1 || before[0] !== assignment)
    return undefined;
  const [only, ...others] = assignment.values;
  const placed = only && others.length === 0 ? placedIn(only.value, data) : undefined;
  return placed && { branch, assignment, data, ...placed };
}

function placedIn(value: Expression, data: string): Pick<Placement, "name" | "value"> | undefined {
  if (value.kind !== "call" || value.name !== "place") return undefined;
  const [target, path, placed] = value.args;
  const names = path?.kind === "literal" && Array.isArray(path.value) ? path.value : [];
  const [name] = names;
  if (target?.kind !== "variable" || target.name !== data || names.length !== 1 || typeof name !== "string")
    return undefined;
  return placed && name !== "__proto__" ? { name, value: placed } : undefined;
}

const stepsWithin = (scope: Scope): readonly Step[] =>
  scope.steps.flatMap((step) => [step, ...innerScopes(step).flatMap(stepsWithin)]);

/** Whether a step after `from` may read the value that the variable has now. */
function isReadAfter(from: Step, name: string, scope: Scope): boolean {
  const steps = stepsById(scope);
  const seen = new Set<string>();
  const waiting = exits(from).map((reference) => reference.name);
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const step = steps.get(id);
    if (!step || seen.has(id)) continue;
    seen.add(id);
    if (readsWithin(step, name)) return true;
    const isReplaced = assignedVariables(step).includes(name);
    const next = isReplaced ? handlersOf(step).map((handler) => handler.next) : exits(step);
    waiting.push(...next.map((reference) => reference.name));
  }
  return false;
}

const readsWithin = (step: Step, name: string): boolean =>
  namesRead(step).has(name) || innerScopes(step).some((scope) => scope.steps.some((each) => readsWithin(each, name)));
