import {
  call,
  canFail,
  type Expression,
  evaluateOne,
  effectsOf,
  freeVariables,
  literal,
  member,
  object,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { workflowNames, type WorkflowNames } from "../../../src/ir/names.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
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
import { tooManyFailed } from "../errors.ts";
import { isCalled } from "../select/error-names.ts";
import { withReplaced } from "../select/replaced.ts";
import { provided } from "../select/symbols.ts";
import { lastOne } from "./quorums.ts";

/** How many iterations an inline Map runs at once at most. */
export const mostAtOnce = 40;

/** How many a Distributed Map does. */
export const mostDistributed = 10_000;

/** The loops of a workflow of which more than forty iterations may run at once, where these can be executions of their own. Within one of them there is no other. */
export function distributedIn(workflow: Workflow): readonly ForEach[] {
  const found: ForEach[] = [];
  const pending: Scope[] = [workflow.body];
  for (let scope = pending.pop(); scope; scope = pending.pop())
    for (const step of scope.steps) {
      if (isWide(step)) found.push(step);
      else pending.push(...innerScopes(step));
    }
  return found;
}

/** Whether a step is a loop for which an inline Map may be too narrow. */
const isWide = (step: Step): step is ForEach =>
  step.kind === "foreach" &&
  step.gap === undefined &&
  (step.width === undefined || step.width > mostAtOnce) &&
  (constantLength(step.items) ?? Number.POSITIVE_INFINITY) > mostAtOnce;

/** How many elements a list has that is the same in every run, and does not take long to compute. */
export function constantLength(list: Expression): number | undefined {
  if (effectsOf(list).free.size > 0) return undefined;
  try {
    const value = evaluateOne(list, { input: null, variables: new Map(), budget: { left: 200_000 } });
    return Array.isArray(value) ? value.length : undefined;
  } catch {
    return undefined;
  }
}

/** What the executions of a Distributed Map ask of a table: functions that are made with the machine. */
export interface Noting {
  /** Notes what an iteration has failed with; fails with `lastOne` where another has before. */
  readonly note: string;
  /** Gives what has been noted. */
  readonly read: string;
  /** Tells whether something has been. */
  readonly ask: string;
}

/** A workflow with Distributed Maps, by the ids of their loops. */
export interface Distributed {
  readonly workflow: Workflow;
  readonly noting: Noting | undefined;
  readonly loops: ReadonlySet<string>;
}

/**
 * Loops whose iterations are executions of their own. What one fails with is lost, as a Distributed Map always fails with the same error; so the first that fails
 * notes it in a table, from which it is read behind the Map. Step Functions may begin other executions before it takes note of a failure: where not all iterations begin at once,
 * each asks the table first.
 *
 * `begun`: those whose iterations compute by themselves what they begin with and may fail.
 *
 *   foreach element in items { work } → fork { foreach element in items { work; on error: call note; fail }; on error: call read -> f; fail with f } joining all
 */
export function withDistributed(given: Workflow, table: string, begun: ReadonlySet<string>): Distributed {
  const wide = new Set<Step>(distributedIn(given));
  if (wide.size === 0) return { workflow: given, noting: undefined, loops: new Set() };
  const names = workflowNames(given);
  const noting: Noting = {
    note: names.functions.fresh("note"),
    read: names.functions.fresh("read"),
    ask: names.functions.fresh("ask"),
  };
  const variables = variablesOf(names);
  const ids = new Set([...wide].map(({ id }) => id));
  const loops = new Set<string>();
  const workflow = withReplaced(given, (step, declare) => {
    if (step.kind !== "foreach" || !ids.has(step.id)) return [step];
    const made = madeFor(step, names);
    const loop = noted(step, { names, made, variables, noting, table, begun });
    loops.add(loop.iterations.id);
    if (step.bind === undefined) return [loop.fork];
    declare(variables.results);
    const taken: Assign = {
      ...made("results"),
      kind: "assign",
      values: [{ variable: step.bind, value: member(variable(variables.results), branch) }],
      next: step.next,
    };
    return [{ ...loop.fork, bind: variables.results, next: { name: taken.id, span: step.span } }, taken];
  });
  const functions = Object.values(noting).map((name: string) => ({ name, span: given.span }));
  return { workflow: { ...workflow, functions: [...given.functions, ...functions] }, noting, loops };
}

/** The name of the one branch of a fork that is made for a loop: it gives each visit of the loop an id. */
const branch = "iterations";

/** What is made for a loop. */
interface Loop {
  readonly names: WorkflowNames;
  readonly made: (part: string) => Pick<Step, "id" | "origin" | "span">;
  readonly variables: LoopVariables;
  readonly noting: Noting;
  readonly table: string;
  /** The loops whose iterations compute their first values themselves. */
  readonly begun: ReadonlySet<string>;
}

/** The variables of what is made for loops: no loop is within another, so that all can have the same. */
interface LoopVariables {
  /** Tells a visit of a loop from all others. */
  readonly visit: string;
  readonly results: string;
  /** What an iteration has given, and what it has failed with. */
  readonly given: string;
  readonly failure: string;
  /** Whether another has failed. */
  readonly isOver: string;
}

const variablesOf = ({ variables }: WorkflowNames): LoopVariables => ({
  visit: variables.fresh("visit"),
  results: variables.fresh("results"),
  given: variables.fresh("given"),
  failure: variables.fresh("noted"),
  isOver: variables.fresh("isOver"),
});

/** The id, the origin and the place of a step that is made for a loop. */
const madeFor =
  (step: ForEach, { steps }: WorkflowNames): Loop["made"] =>
  (part) => ({ id: steps.fresh(`${step.id}/${part}`), origin: derivedOrigin(step, part), span: step.span });

/** A loop that fails with what its first iteration fails with. */
function noted(step: ForEach, loop: Loop): { readonly fork: Fork; readonly iterations: ForEach } {
  const { id, origin, span, retries, handlers, next } = step;
  const { made, noting } = loop;
  const { visit, results, failure } = loop.variables;
  const done: End = { ...made("done"), ...leaving, value: variable(results) };
  const failed: End = { ...made("failed"), ...failing, value: variable(failure) };
  const read: Call = {
    ...made("read failure"),
    ...asking(noting.read, itemOf(loop), span),
    bind: failure,
    next: { name: failed.id, span },
  };
  const each = made("iterations");
  const own = loop.begun.has(each.id) ? { ...step, scope: begunWithin(step.scope, loop) } : step;
  const iterations: ForEach = {
    ...step,
    ...each,
    scope: step.width === undefined ? notingFailures(own, loop) : asked(own, loop),
    retries: [],
    bind: results,
    handlers: [{ when: isCalled(tooManyFailed), next: { name: read.id, span }, span }],
    next: { name: done.id, span },
  };
  const variables = [{ name: visit, initial: variable(provided.uuid) }, { name: results }, { name: failure }];
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

const leaving = { kind: "end", outcome: "leave", extent: "scope" } as const;
const failing = { kind: "end", outcome: "fail", extent: "scope" } as const;

/** The first values of an iteration that may fail, which are computed in it, where an error is noted; over what they read of what is around it. */
function begunWithin(scope: Scope, { made, names }: Loop): Scope {
  const { variables, entry, steps, span } = scope;
  const failing = variables.flatMap(({ name, initial }) =>
    initial && canFail(simplify(initial)) ? [{ variable: name, value: initial }] : [],
  );
  const own = new Set(variables.map(({ name }) => name));
  const read = new Set(failing.flatMap(({ value }) => [...freeVariables(value)]));
  const around = [...read].filter((name) => own.has(name)).map((name) => [name, names.variables.fresh(name)] as const);
  const outer = new Map(around.map(([name, given]) => [name, variable(given)]));
  const values = failing.map((each) => ({ ...each, value: substitute(each.value, outer) }));
  const begin: Assign = { ...made("first values"), kind: "assign", values, next: entry };
  const known = new Set(failing.map((each) => each.variable));
  return {
    ...scope,
    variables: [
      ...variables.map((each) => (known.has(each.name) ? { name: each.name } : each)),
      ...around.map(([name, given]) => ({ name: given, initial: variable(name) })),
    ],
    entry: { name: begin.id, span },
    steps: [begin, ...steps],
  };
}

/** An iteration that notes what it fails with. */
function notingFailures({ scope, span }: ForEach, { made, variables: own, noting, table }: Loop): Scope {
  const { visit, given, failure } = own;
  const done: End = { ...made("iteration done"), ...leaving, value: variable(given) };
  const lost: End = { ...made("iteration failed"), ...failing, value: variable(failure) };
  const item = object([
    ...keyOf(visit),
    ["failure", object([["S", call("text", variable(failure))]])],
    ["ttl", object([["N", variable(provided.expiry)]])],
  ]);
  const note: Call = {
    ...made("note failure"),
    ...asking(
      noting.note,
      [
        ["TableName", literal(table)],
        ["Item", item],
        ["ConditionExpression", literal("attribute_not_exists(pk)")],
      ],
      span,
    ),
    handlers: [{ when: isCalled(lastOne), next: { name: lost.id, span }, span }],
    next: { name: lost.id, span },
  };
  const work: Attempt = {
    ...made("work"),
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

/** The same of which nothing is done where another has failed already. */
function asked(step: ForEach, loop: Loop): Scope {
  const { made, noting } = loop;
  const { isOver } = loop.variables;
  const { span } = step;
  const inner = notingFailures(step, loop);
  const over: End = { ...made("over"), ...leaving, value: literal(null) };
  const way: Choose = {
    ...made("way"),
    kind: "choose",
    cases: [{ when: variable(isOver), next: { name: over.id, span }, span }],
    otherwise: inner.entry,
  };
  const ask: Call = {
    ...made("ask"),
    ...asking(noting.ask, itemOf(loop), span),
    bind: isOver,
    next: { name: way.id, span },
  };
  const variables = [...inner.variables, { name: isOver }];
  return { entry: { name: ask.id, span }, variables, steps: [ask, way, ...inner.steps, over], span };
}

/** A call of a function that is made with the machine, but for where it stands. */
const asking = (
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

/** What asks for the item of a visit. */
const itemOf = ({ table, variables: { visit } }: Loop): readonly (readonly [string, Expression])[] => [
  ["TableName", literal(table)],
  ["Key", object(keyOf(visit))],
  ["ConsistentRead", literal(true)],
];

/** The key of the item in which the first failure of one visit of a loop is noted. */
const keyOf = (visit: string): readonly (readonly [string, Expression])[] => [
  ["pk", object([["S", variable(visit)]])],
  ["sk", literal({ S: "failure" })],
];
