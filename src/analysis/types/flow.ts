import { inferType } from "../../expressions/index.ts";
import type { Program } from "../../ir/program.ts";
import { handlersOf, retriesOf, stepsById, stepsOf } from "../../ir/walk.ts";
import type { Attempt, End, ForEach, Fork, Invoke, Scope, Step, Workflow } from "../../ir/workflow.ts";
import { assertNever } from "../../json.ts";
import {
  any,
  anyObject,
  arrayOf,
  elementOf,
  integer,
  isNever,
  type MemberType,
  never,
  nullType,
  objectOf,
  recordOf,
  string,
  type Type,
  union,
} from "../../types/index.ts";
import {
  assignTypes,
  createVariables,
  equalVariables,
  joinVariables,
  type Variables,
  widenVariables,
} from "./variables.ts";

/** What is known of the data of a workflow, if its input is as its schema says. */
export interface DataFlow {
  /** The shapes of the variables that a step can see when it begins, by its id. Steps that are not reached, or of which nothing is known, have none. */
  readonly before: ReadonlyMap<string, Variables>;
  /** What a run gives that succeeds. */
  readonly output: Type;
  /** What of that steps give which end the whole run, that of a waiting parent too; never where there are none. */
  readonly runResult: Type;
}

/** What is known of the data of each workflow of a program. */
export function inferDataFlow(program: Program): ReadonlyMap<Workflow, DataFlow> {
  const found = new Map<Workflow, DataFlow>();
  for (const workflow of program.workflows) analyzeInProgram(workflow, program, found, new Set());
  return found;
}

/**
 * What is known of the data of a workflow whatever its input is and its subflows give: schemas are enforced nowhere, so what they say decides nothing.
 * That an input is an object is enforced, and what functions are trusted to answer is trusted. `others`: the workflows of the program, which may start this one. `answers`: what
 * calls are known to answer, by the ids of their steps.
 */
export const proveDataFlow = (
  workflow: Workflow,
  others: readonly Workflow[],
  answers?: FlowState["answers"],
): DataFlow =>
  analyzeWorkflow({ ...workflow, inputType: takesObjects(workflow, others) ? anyObject : undefined }, () => anything, {
    trusted: new Map(workflow.functions.map(({ name, resultType }) => [name, resultType])),
    answers,
  });

/** Whether every run of a workflow has an object for its input: what starts it as a subflow sees to that where its own language does. */
export const takesObjects = ({ id, anyInput }: Workflow, workflows: readonly Workflow[]): boolean =>
  !anyInput &&
  workflows.every(
    (other) => !other.anyInput || !stepsOf(other).some((step) => step.kind === "invoke" && step.workflow.name === id),
  );

const anything = { output: any, runResult: any };

/** Subflows in subflows are followed that deep. */
const maxSubflowDepth = 30;

function analyzeInProgram(
  workflow: Workflow,
  program: Program,
  found: Map<Workflow, DataFlow>,
  open: Set<Workflow>,
): DataFlow {
  const known = found.get(workflow);
  if (known) return known;
  const givenBy = (id: string): SubflowResult => {
    const other = program.byId.get(id);
    if (!other) return { output: any, runResult: never };
    if (open.size >= maxSubflowDepth || open.has(other)) return anything;
    return analyzeInProgram(other, program, found, open);
  };
  open.add(workflow);
  const types = analyzeWorkflow(workflow, givenBy);
  open.delete(workflow);
  found.set(workflow, types);
  return types;
}

/** A workflow that events start has an empty object for its input; outside of its window it gives what it was given. */
function analyzeWorkflow(
  workflow: Workflow,
  givenBy: FlowState["givenBy"],
  calls: Pick<FlowState, "trusted" | "answers"> = {},
): DataFlow {
  const { body, input: name, start, inputType = any } = workflow;
  const input = start.on?.length ? union(inputType, recordOf([])) : inputType;
  const flow: FlowState = {
    before: new Map(),
    ends: [],
    document: name,
    givenBy,
    ...calls,
    left: 200 + 30 * stepsOf(workflow).length,
  };
  try {
    const { value } = analyzeScope(body, enterScope(body, createVariables(), [[name, input]]), flow);
    const runResult = union(...flow.ends);
    return { before: flow.before, output: union(value, runResult, ...(start.window ? [input] : [])), runResult };
  } catch (error) {
    if (error instanceof FuelExhausted) return { before: new Map(), ...anything };
    throw error;
  }
}

/** What a workflow gives. */
type SubflowResult = Pick<DataFlow, "output" | "runResult">;

/** What is known while a workflow is followed. */
interface FlowState {
  /** The variables with which each step can begin; steps that cannot be reached have none. */
  readonly before: Map<string, Variables>;
  /** What the steps give that end the whole run. */
  readonly ends: Type[];
  /** The variable that holds the workflow's document. */
  readonly document: string;
  /** What another workflow gives. */
  readonly givenBy: (workflow: string) => SubflowResult;
  /** What functions are trusted to answer, by their names. */
  readonly trusted?: ReadonlyMap<string, Type | undefined>;
  /** What calls are known to answer, by the ids of their steps. */
  readonly answers?: ReadonlyMap<string, Type> | undefined;
  /** How many steps may still be looked at. */
  left: number;
}

/** What comes of following a scope. */
interface ScopeResult {
  /** What it ends with, where it does not fail; never where it does not end. */
  readonly value: Type;
  /** The variables with which it ends. */
  readonly exit: Variables | undefined;
  /** The variables at any time in it, if that was asked for; else those with which it begins. */
  readonly anywhere: Variables;
}

/** Thrown when a workflow is too large, or its variables change too often, to be followed. */
class FuelExhausted extends Error {}

/** How often a step is looked at with other variables, before those that still change can be anything. */
const maxVisits = 6;

/** Follows the ways through a scope until nothing new comes up. `shares`: what its variables are in the midst of it matters outside. */
function analyzeScope(scope: Scope, variables: Variables, flow: FlowState, shares = false): ScopeResult {
  const steps = stepsById(scope);
  const visits = new Map<string, number>();
  const ends: { type: Type; variables: Variables }[] = [];
  const waiting = new Set<string>();
  let anywhere = variables;
  const pass = (now: Variables) => {
    if (shares) anywhere = joinVariables(anywhere, now);
  };
  const send = (id: string, now: Variables) => {
    pass(now);
    const before = visits.has(id) ? flow.before.get(id)! : undefined;
    const next = before ? joinVariables(before, now) : now;
    if (before && equalVariables(before, next)) return;
    const count = (visits.get(id) ?? 0) + 1;
    visits.set(id, count);
    flow.before.set(id, before && count > maxVisits ? widenVariables(before, next) : next);
    waiting.add(id);
  };
  send(scope.entry.name, variables);
  const ways: FlowEdges = { send, pass, end: (type, now) => void ends.push({ type, variables: now }) };
  for (const id of waiting) {
    waiting.delete(id);
    const step = steps.get(id);
    if (step) visitStep(step, flow, ways);
  }
  const value = union(
    scope.window ? (variables.get(flow.document) ?? nullType) : never,
    ...ends.map(({ type }) => type),
  );
  const exits = [...(scope.window ? [variables] : []), ...ends.map((each) => each.variables)];
  return { value, exit: exits.length > 0 ? exits.reduce(joinVariables) : undefined, anywhere };
}

/** What a step does with what is known. */
interface FlowEdges {
  /** Goes on to a step. */
  send(id: string, variables: Variables): void;
  /** Ends the scope. */
  end(type: Type, variables: Variables): void;
  /** Variables that there are for a while. */
  pass(variables: Variables): void;
}

function visitStep(step: Step, flow: FlowState, ways: FlowEdges): void {
  flow.left -= 1;
  if (flow.left < 0) throw new FuelExhausted();
  transferStep(step, flow.before.get(step.id)!, flow, ways);
}

/** The variables with which a scope begins: its own with their first values, in front of those around it. */
function enterScope(
  scope: Scope,
  outer: Variables,
  given: readonly (readonly [string | undefined, Type])[] = [],
): Variables {
  const seen = assignTypes(outer, given);
  const own = scope.variables.filter(({ name }) => given.every(([known]) => known !== name));
  return assignTypes(
    seen,
    own.map(({ name, initial }) => [name, initial ? inferType(initial, seen) : nullType] as const),
  );
}

/** What becomes of the variables in a step. What functions answer that are not trusted, and what errors carry, can be anything. */
function transferStep(step: Step, variables: Variables, flow: FlowState, ways: FlowEdges): void {
  switch (step.kind) {
    case "assign": {
      const values = step.values.map(({ variable, value }) => [variable, inferType(value, variables)] as const);
      ways.send(step.next.name, assignTypes(variables, values));
      break;
    }
    case "choose":
      for (const { next } of [...step.cases, ...(step.otherwise ? [{ next: step.otherwise }] : [])])
        ways.send(next.name, variables);
      break;
    case "delay":
    case "emit":
      ways.send(step.next.name, variables);
      break;
    case "receive":
      ways.send(step.next.name, assignTypes(variables, [[step.bind, receivedType]]));
      break;
    case "end":
      transferEnd(step, variables, flow, ways);
      break;
    case "attempt":
      transferAttempt(step, variables, flow, ways);
      break;
    default:
      sendResult(step, resultOf(step, variables, flow), variables, variables, ways);
  }
}

const receivedEventsType = arrayOf(
  recordOf([
    ["name", string],
    ["event", anyObject],
  ]),
);

const receivedType = recordOf([
  ["alternative", union(integer, nullType)],
  ["events", receivedEventsType],
  ["groups", receivedEventsType],
]);

/** What a handler sees of an error. */
const errorType: Type = objectOf(
  new Map([
    ...["origin", "name", "message"].map((name): [string, MemberType] => [name, { type: string, required: true }]),
    ["data", { type: any, required: false }],
  ]),
  any,
);

type FallibleStep = Extract<Step, { readonly handlers: unknown }>;

/** Goes on with the result, and to the handlers. */
function sendResult(step: FallibleStep, result: Type, done: Variables, failed: Variables, ways: FlowEdges): void {
  if (!isNever(result)) ways.send(step.next.name, assignTypes(done, [[step.bind, result]]));
  for (const { bind, next } of handlersOf(step)) ways.send(next.name, assignTypes(failed, [[bind, errorType]]));
}

function resultOf(step: Exclude<FallibleStep, Attempt>, variables: Variables, flow: FlowState): Type {
  switch (step.kind) {
    case "call":
      return step.wait ? (flow.answers?.get(step.id) ?? flow.trusted?.get(step.function.name) ?? any) : nullType;
    case "invoke":
      return invokeResult(step, flow);
    case "fork":
      return forkResult(step, variables, flow);
    case "foreach":
      return forEachResult(step, variables, flow);
    default:
      return assertNever(step);
  }
}

function invokeResult({ workflow, wait, terminates }: Invoke, flow: FlowState): Type {
  if (!wait) return nullType;
  const { output, runResult } = flow.givenBy(workflow.name);
  if (terminates && !isNever(runResult)) flow.ends.push(runResult);
  return output;
}

function forkResult({ branches, join }: Fork, variables: Variables, flow: FlowState): Type {
  const members = new Map<string, MemberType>();
  for (const { name, scope } of branches) {
    const { value } = analyzeScope(scope, enterScope(scope, variables), flow);
    members.set(name, { type: value, required: join.kind === "all" });
  }
  return objectOf(members, never);
}

function forEachResult(step: ForEach, variables: Variables, flow: FlowState): Type {
  const element = elementOf(inferType(step.items, variables));
  if (isNever(element)) return arrayOf(never);
  const scope = enterScope(step.scope, variables, [
    [step.element, element],
    [step.index, integer],
  ]);
  return arrayOf(analyzeScope(step.scope, scope, flow).value);
}

/** How often a body is followed anew with what an attempt before may have left. */
const maxAttemptRounds = 4;

/** The body shares the variables: whatever they are in it they can be when it fails, and when it begins again. */
function transferAttempt(step: Attempt, variables: Variables, flow: FlowState, ways: FlowEdges): void {
  const begins = (entry: Variables, { anywhere }: ScopeResult): Variables => {
    if (retriesOf(step).length === 0) return entry;
    const restored = step.restore.map((name) => [name, variables.get(name) ?? nullType] as const);
    return joinVariables(entry, assignTypes(anywhere, restored));
  };
  let entry = variables;
  let followed = analyzeScope(step.body, entry, flow, true);
  for (let i = 0; ; i++) {
    const next = begins(entry, followed);
    if (equalVariables(entry, next)) break;
    entry = i < maxAttemptRounds ? next : widenVariables(entry, next);
    followed = analyzeScope(step.body, entry, flow, true);
  }
  ways.pass(followed.anywhere);
  sendResult(step, followed.value, followed.exit ?? variables, followed.anywhere, ways);
}

function transferEnd({ outcome, extent, value }: End, variables: Variables, flow: FlowState, ways: FlowEdges): void {
  const type = inferType(value, variables);
  if (outcome === "fail" || isNever(type)) return;
  if (extent === "run") flow.ends.push(type);
  else ways.end(type, variables);
}
