import type { DataFlow } from "../../../src/analysis/types/flow.ts";
import {
  call,
  canFail,
  type Expression,
  effectsOf,
  evaluateOne,
  freeVariables,
  literal,
  member,
  object,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { type WorkflowNames, workflowNames } from "../../../src/ir/names.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
import { mostOf } from "../../../src/ir/width.ts";
import type {
  Assign,
  Attempt,
  Call,
  Choose,
  End,
  ForEach,
  Fork,
  Scope,
  Step,
  Workflow,
} from "../../../src/ir/workflow.ts";
import { derivedOrigin } from "../../../src/passes/index.ts";
import type { Span } from "../../../src/text/source.ts";
import { any } from "../../../src/types/index.ts";
import { distributedMapFailed } from "../errors.ts";
import { intrinsics } from "../intrinsics.ts";
import { hasName } from "../own-errors.ts";
import { isLegalAndTotal } from "./legality.ts";
import { conditionalCheckFailed } from "./quorums.ts";
import { replaceSteps } from "./replace-steps.ts";

/** The maximum concurrency of an inline Map. */
export const maxInlineConcurrency = 40;

/** The maximum concurrency of a Distributed Map. */
export const maxDistributedConcurrency = 10_000;

/** Finds loops that need more than 40 concurrent iterations and can be Distributed Maps, which cannot be nested. */
export function distributableLoops(workflow: Workflow): readonly ForEach[] {
  const found: ForEach[] = [];
  const pending: Scope[] = [workflow.body];
  for (let scope = pending.pop(); scope; scope = pending.pop())
    for (const step of scope.steps) {
      if (isWide(step)) found.push(step);
      else if (!toleratesFailures(step)) pending.push(...innerScopes(step));
    }
  return found;
}

/** Whether a step is a loop that is a Distributed Map as it is. */
export const toleratesFailures = (step: Step): step is ForEach =>
  step.kind === "foreach" && step.tolerates !== undefined;

const isWide = (step: Step): step is ForEach =>
  step.kind === "foreach" &&
  step.gap === undefined &&
  !step.tolerates &&
  mostOf(step.width) > maxInlineConcurrency &&
  (constantLength(step.items) ?? Number.POSITIVE_INFINITY) > maxInlineConcurrency;

/** The length of a constant list that is cheap to compute. */
export function constantLength(list: Expression): number | undefined {
  if (effectsOf(list).free.size > 0) return undefined;
  try {
    const value = evaluateOne(list, { input: null, variables: new Map(), budget: { left: 200_000 } });
    return Array.isArray(value) ? value.length : undefined;
  } catch {
    return undefined;
  }
}

/** The functions of a table that records the first failure of a loop. */
export interface FailureTable {
  /** Fails with `conditionalCheckFailed` if another failure is recorded. */
  readonly note: string;
  readonly read: string;
  readonly query: string;
}

/** A workflow with Distributed Maps, and their loops' ids. */
export interface DistributedLoops {
  readonly workflow: Workflow;
  readonly failureTable: FailureTable | undefined;
  readonly distributed: ReadonlySet<string>;
}

/**
 * Makes the iterations of wide loops executions. A Distributed Map always fails with the same error, so the first
 * failing iteration records its error in a table, which is read after the Map. Executions check the table first,
 * unless all start at once: Step Functions may start more after a failure.
 *
 *   foreach element in items { work }
 *   → fork { foreach element in items { work; on error: call note; fail }; on error: call read -> f; fail with f }
 */
export function distributeLoops(
  given: Workflow,
  table: string,
  typesBefore: () => DataFlow["before"],
): DistributedLoops {
  const wide = new Set<Step>(distributableLoops(given));
  if (wide.size === 0) return { workflow: given, failureTable: undefined, distributed: new Set() };
  const types = typesBefore();
  const names = workflowNames(given);
  const failureTable: FailureTable = {
    note: names.functions.fresh("note"),
    read: names.functions.fresh("read"),
    query: names.functions.fresh("ask"),
  };
  const variables = createVariables(names);
  const ids = new Set([...wide].map(({ id }) => id));
  const loops = new Set<string>();
  const workflow = replaceSteps(given, (step, declare) => {
    if (step.kind !== "foreach" || !ids.has(step.id)) return [step];
    const derive = deriveFrom(step, names);
    const loop = distribute(step, {
      names,
      derive,
      variables,
      failureTable,
      table,
      types,
      document: given.input,
    });
    loops.add(loop.iterations.id);
    if (step.bind === undefined) return [loop.fork];
    declare(variables.results);
    const takeResult: Assign = {
      ...derive("results"),
      kind: "assign",
      values: [{ variable: step.bind, value: member(variable(variables.results), branch) }],
      next: step.next,
    };
    return [{ ...loop.fork, bind: variables.results, next: { name: takeResult.id, span: step.span } }, takeResult];
  });
  const functions = Object.values(failureTable).map((name: string) => ({ name, span: given.span }));
  return {
    workflow: { ...workflow, functions: [...given.functions, ...functions] },
    failureTable,
    distributed: loops,
  };
}

/** Gives each visit of the loop an id. */
const branch = "iterations";

interface LoopContext {
  readonly names: WorkflowNames;
  readonly derive: (part: string) => Pick<Step, "id" | "origin" | "span">;
  readonly variables: LoopVariables;
  readonly failureTable: FailureTable;
  readonly table: string;
  readonly types: DataFlow["before"];
  readonly document: string;
}

/** All loops share them, because none is inside another. */
interface LoopVariables {
  readonly visit: string;
  readonly results: string;
  readonly result: string;
  readonly failure: string;
  /** Whether another iteration has failed. */
  readonly isOver: string;
}

const createVariables = ({ variables }: WorkflowNames): LoopVariables => ({
  visit: variables.fresh("visit"),
  results: variables.fresh("results"),
  result: variables.fresh("given"),
  failure: variables.fresh("noted"),
  isOver: variables.fresh("isOver"),
});

const deriveFrom =
  (step: ForEach, { steps }: WorkflowNames): LoopContext["derive"] =>
  (part) => ({ id: steps.fresh(`${step.id}/${part}`), origin: derivedOrigin(step, part), span: step.span });

/** The fork fails with the error of the first failing iteration. */
function distribute(step: ForEach, loop: LoopContext): { readonly fork: Fork; readonly iterations: ForEach } {
  const { id, origin, span, retries, handlers, next } = step;
  const { derive, failureTable } = loop;
  const { visit, results, failure } = loop.variables;
  const done: End = { ...derive("done"), ...leave, value: variable(results) };
  const failed: End = { ...derive("failed"), ...fail, value: variable(failure) };
  const read: Call = {
    ...derive("read failure"),
    ...tableCall(failureTable.read, failureItem(loop), span),
    bind: failure,
    next: { name: failed.id, span },
  };
  const each = derive("iterations");
  const own = hasTotalInputs(step, loop) ? step : { ...step, scope: computeInitialsInside(step.scope, loop) };
  const iterations: ForEach = {
    ...step,
    ...each,
    scope: step.width === undefined ? recordFailures(own, loop) : skipAfterFailure(own, loop),
    retries: [],
    bind: results,
    handlers: [{ when: hasName(distributedMapFailed), next: { name: read.id, span }, span }],
    next: { name: done.id, span },
  };
  const variables = [{ name: visit, initial: variable(intrinsics.uuid) }, { name: results }, { name: failure }];
  const steps = [iterations, done, read, failed];
  const scope: Scope = { entry: { name: iterations.id, span }, variables, steps, span };
  const fork: Fork = {
    kind: "fork",
    id,
    origin,
    span,
    branches: [{ name: branch, scope, span }],
    join: { kind: "all" },
    failure: "fatal",
    retries,
    handlers,
    next,
  };
  return { fork, iterations };
}

const leave = { kind: "end", outcome: "leave", extent: "scope" } as const;
const fail = { kind: "end", outcome: "fail", extent: "scope" } as const;

/** Otherwise, their error would be the loop's. */
function hasTotalInputs({ id, scope }: ForEach, { document, types }: LoopContext): boolean {
  const variables = types.get(id);
  return scope.variables.every(({ name, initial }) => {
    const free = [...(initial ? freeVariables(initial) : [])];
    if (!initial || (name !== document && free.length === 0)) return true;
    return isLegalAndTotal(initial, new Map(free.map((each) => [each, variables?.get(each) ?? any])));
  });
}

/** The iteration records the errors of these values. */
function computeInitialsInside(scope: Scope, { derive, names }: LoopContext): Scope {
  const { variables, entry, steps, span } = scope;
  const failing = variables.flatMap(({ name, initial }) =>
    initial && canFail(simplify(initial)) ? [{ variable: name, value: initial }] : [],
  );
  const own = new Set(variables.map(({ name }) => name));
  const read = new Set(failing.flatMap(({ value }) => [...freeVariables(value)]));
  const around = [...read].filter((name) => own.has(name)).map((name) => [name, names.variables.fresh(name)] as const);
  const outer = new Map(around.map(([name, given]) => [name, variable(given)]));
  const values = failing.map((each) => ({ ...each, value: substitute(each.value, outer) }));
  const begin: Assign = { ...derive("first values"), kind: "assign", values, next: entry };
  const computed = new Set(failing.map((each) => each.variable));
  return {
    ...scope,
    variables: [
      ...variables.map((each) => (computed.has(each.name) ? { name: each.name } : each)),
      ...around.map(([name, given]) => ({ name: given, initial: variable(name) })),
    ],
    entry: { name: begin.id, span },
    steps: [begin, ...steps],
  };
}

function recordFailures({ scope, span }: ForEach, { derive, variables: own, failureTable, table }: LoopContext): Scope {
  const { visit, result: given, failure } = own;
  const done: End = { ...derive("iteration done"), ...leave, value: variable(given) };
  const lost: End = { ...derive("iteration failed"), ...fail, value: variable(failure) };
  const item = object([
    ...failureKey(visit),
    ["failure", object([["S", call("text", variable(failure))]])],
    ["ttl", object([["N", variable(intrinsics.expiry)]])],
  ]);
  const note: Call = {
    ...derive("note failure"),
    ...tableCall(
      failureTable.note,
      [
        ["TableName", literal(table)],
        ["Item", item],
        ["ConditionExpression", literal("attribute_not_exists(pk)")],
      ],
      span,
    ),
    handlers: [{ when: hasName(conditionalCheckFailed), next: { name: lost.id, span }, span }],
    next: { name: lost.id, span },
  };
  const work: Attempt = {
    ...derive("work"),
    kind: "attempt",
    body: { ...scope, variables: [] },
    restore: [],
    retries: [],
    bind: given,
    handlers: [{ when: literal(true), bind: failure, next: { name: note.id, span }, span }],
    next: { name: done.id, span },
  };
  const variables = [...scope.variables, { name: given }, { name: failure }];
  return { entry: { name: work.id, span }, variables, steps: [work, done, note, lost], span };
}

function skipAfterFailure(step: ForEach, loop: LoopContext): Scope {
  const { derive, failureTable } = loop;
  const { isOver } = loop.variables;
  const { span } = step;
  const inner = recordFailures(step, loop);
  const skipped: End = { ...derive("over"), ...leave, value: literal(null) };
  const test: Choose = {
    ...derive("way"),
    kind: "choose",
    cases: [{ when: variable(isOver), next: { name: skipped.id, span }, span }],
    otherwise: inner.entry,
  };
  const query: Call = {
    ...derive("ask"),
    ...tableCall(failureTable.query, failureItem(loop), span),
    bind: isOver,
    next: { name: test.id, span },
  };
  const variables = [...inner.variables, { name: isOver }];
  return { entry: { name: query.id, span }, variables, steps: [query, test, ...inner.steps, skipped], span };
}

const tableCall = (
  name: string,
  argument: readonly (readonly [string, Expression])[],
  span: Span,
): Pick<Call, "kind" | "function" | "argument" | "wait" | "retries" | "handlers"> => ({
  kind: "call",
  function: { name, span },
  argument: object(argument),
  wait: true,
  retries: [],
  handlers: [],
});

const failureItem = ({ table, variables: { visit } }: LoopContext): readonly (readonly [string, Expression])[] => [
  ["TableName", literal(table)],
  ["Key", object(failureKey(visit))],
  ["ConsistentRead", literal(true)],
];

const failureKey = (visit: string): readonly (readonly [string, Expression])[] => [
  ["pk", object([["S", variable(visit)]])],
  ["sk", literal({ S: "failure" })],
];
