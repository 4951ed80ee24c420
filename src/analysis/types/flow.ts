import { type Expression, inferType, narrowedTypes } from "../../expressions/index.ts";
import { handlersOf, retriesOf, stepsById, stepsOf } from "../../ir/walk.ts";
import type {
  Attempt,
  Choose,
  End,
  EventDefinition,
  ForEach,
  Fork,
  Invoke,
  Program,
  Scope,
  Step,
  Workflow,
} from "../../ir/workflow.ts";
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
  objectsOf,
  recordOf,
  string,
  type Type,
  typeNameOf,
  union,
} from "../../types/index.ts";
import { receivedTypes } from "./received.ts";
import {
  assignTypes,
  createVariables,
  equalVariables,
  joinVariables,
  type StepTypes,
  widenVariables,
} from "./variables.ts";

/** The types of data, if the input matches its schema. */
export interface DataFlow {
  /** Unreachable and unknown steps are absent. */
  readonly before: ReadonlyMap<string, StepTypes>;
  readonly output: Type;
  /** The result of steps that end the whole run, including a waiting parent. */
  readonly runResult: Type;
}

/** Infers types from the declared schemas and the types of functions. */
export function inferDataFlow(program: Program): ReadonlyMap<Workflow, DataFlow> {
  const found = new Map<Workflow, DataFlow>();
  for (const workflow of program.workflows) analyzeInProgram(workflow, program, found, new Set());
  return found;
}

/**
 * Infers types that hold for every input that the workflow accepts and every subflow result; trusts declared results
 * of functions. `others` may start this workflow; `answers`: known results by step id.
 */
export const proveDataFlow = (
  workflow: Workflow,
  others: readonly Workflow[],
  answers?: FlowState["answers"],
): DataFlow =>
  analyzeWorkflow({ ...workflow, inputType: provenInput(workflow, others) }, () => anything, {
    trusted: trustedResults(workflow),
    answers,
  });

const trustedResults = ({ functions }: Workflow): ReadonlyMap<string, Type | undefined> =>
  new Map(functions.map(({ name, resultType }) => [name, resultType]));

/** The type of all inputs that a workflow accepts; undefined if any. */
export function provenInput(workflow: Workflow, workflows: readonly Workflow[]): Type | undefined {
  const { inputRules, inputType } = workflow;
  const isObject = takesObjects(workflow, workflows);
  if (!inputRules || !inputType) return isObject ? anyObject : undefined;
  return isObject ? union(...objectsOf(inputType)) : inputType;
}

/** Whether every run has an object as input. */
export const takesObjects = ({ id, anyInput }: Workflow, workflows: readonly Workflow[]): boolean =>
  !anyInput &&
  workflows.every(
    (other) => !other.anyInput || !stepsOf(other).some((step) => step.kind === "invoke" && step.workflow.name === id),
  );

const anything = { output: any, runResult: any };

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
  const types = analyzeWorkflow(workflow, givenBy, { trusted: trustedResults(workflow) });
  open.delete(workflow);
  found.set(workflow, types);
  return types;
}

/** Events start it with an empty object; outside its window it returns its input. */
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
    events: workflow.events,
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

type SubflowResult = Pick<DataFlow, "output" | "runResult">;

interface FlowState {
  readonly before: Map<string, StepTypes>;
  readonly ends: Type[];
  readonly document: string;
  readonly events: readonly EventDefinition[];
  readonly givenBy: (workflow: string) => SubflowResult;
  readonly trusted?: ReadonlyMap<string, Type | undefined>;
  readonly answers?: ReadonlyMap<string, Type> | undefined;
  left: number;
}

interface ScopeResult {
  /** `never` if the scope does not end. */
  readonly value: Type;
  readonly exit: StepTypes | undefined;
  readonly anywhere: StepTypes;
}

class FuelExhausted extends Error {}

const maxVisits = 6;

function analyzeScope(scope: Scope, variables: StepTypes, flow: FlowState, shares = false): ScopeResult {
  const steps = stepsById(scope);
  const visits = new Map<string, number>();
  const ends: { type: Type; variables: StepTypes }[] = [];
  const waiting = new Set<string>();
  let anywhere = variables;
  const pass = (now: StepTypes) => {
    if (shares) anywhere = joinVariables(anywhere, now);
  };
  const send = (id: string, now: StepTypes) => {
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
  const edges: FlowEdges = { send, pass, end: (type, now) => void ends.push({ type, variables: now }) };
  for (const id of waiting) {
    waiting.delete(id);
    const step = steps.get(id);
    if (step) visitStep(step, flow, edges);
  }
  const value = union(
    scope.window ? (variables.get(flow.document) ?? nullType) : never,
    ...ends.map(({ type }) => type),
  );
  const exits = [...(scope.window ? [variables] : []), ...ends.map((each) => each.variables)];
  return { value, exit: exits.length > 0 ? exits.reduce(joinVariables) : undefined, anywhere };
}

interface FlowEdges {
  send(id: string, variables: StepTypes): void;
  end(type: Type, variables: StepTypes): void;
  pass(variables: StepTypes): void;
}

function visitStep(step: Step, flow: FlowState, edges: FlowEdges): void {
  flow.left -= 1;
  if (flow.left < 0) throw new FuelExhausted();
  transferStep(step, flow.before.get(step.id)!, flow, edges);
}

function enterScope(
  scope: Scope,
  outer: StepTypes,
  given: readonly (readonly [string | undefined, Type])[] = [],
): StepTypes {
  const seen = assignTypes(outer, given);
  const own = scope.variables.filter(({ name }) => given.every(([known]) => known !== name));
  return assignTypes(
    seen,
    own.map(({ name, initial }) => [name, initial ? inferType(initial, seen) : nullType] as const),
  );
}

/** Untrusted results and error data are `any`. */
function transferStep(step: Step, variables: StepTypes, flow: FlowState, edges: FlowEdges): void {
  switch (step.kind) {
    case "assign": {
      const values = step.values.map(({ variable, value }) => [variable, inferType(value, variables)] as const);
      edges.send(step.next.name, assignTypes(variables, values));
      break;
    }
    case "choose":
      transferChoice(step, variables, edges);
      break;
    case "delay":
      edges.send(step.next.name, variables);
      break;
    case "emit":
      edges.send(step.next.name, assignTypes(variables, [[step.bind, anyObject]]));
      break;
    case "receive":
      edges.send(step.next.name, assignTypes(variables, [[step.bind, receivedTypes(step, flow.events).result]]));
      break;
    case "end":
      transferEnd(step, variables, flow, edges);
      break;
    case "attempt":
      transferAttempt(step, variables, flow, edges);
      break;
    default:
      sendResult(step, resultOf(step, variables, flow), variables, variables, edges);
  }
}

/** Types that differ for each case are joined where the cases meet, which takes long for many. */
const maxNarrowedCases = 64;

/** Each case is reached where its condition is true and the earlier ones are not. */
function transferChoice({ cases, otherwise }: Choose, variables: StepTypes, edges: FlowEdges): void {
  if (cases.length > maxNarrowedCases) {
    for (const next of [...cases.map((each) => each.next), ...(otherwise ? [otherwise] : [])])
      edges.send(next.name, variables);
    return;
  }
  let left = variables;
  for (const { when, next } of cases) {
    edges.send(next.name, narrowVariables(left, when, true));
    if (isBoolean(when, left)) left = narrowVariables(left, when, false);
  }
  if (otherwise) edges.send(otherwise.name, left);
}

const narrowVariables = (variables: StepTypes, when: Expression, holds: boolean): StepTypes =>
  assignTypes(variables, narrowedTypes(when, { input: nullType, variables }, holds));

const isBoolean = (expression: Expression, variables: StepTypes): boolean =>
  typeNameOf(inferType(expression, variables)) === "boolean";

const errorType: Type = objectOf(
  new Map([
    ...["origin", "name", "message"].map((name): [string, MemberType] => [name, { type: string, required: true }]),
    ["data", { type: any, required: false }],
  ]),
  any,
);

type FallibleStep = Extract<Step, { readonly handlers: unknown }>;

function sendResult(step: FallibleStep, result: Type, done: StepTypes, failed: StepTypes, edges: FlowEdges): void {
  if (!isNever(result)) edges.send(step.next.name, assignTypes(done, [[step.bind, result]]));
  for (const { bind, next } of handlersOf(step)) edges.send(next.name, assignTypes(failed, [[bind, errorType]]));
}

function resultOf(step: Exclude<FallibleStep, Attempt>, variables: StepTypes, flow: FlowState): Type {
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

function forkResult({ branches, join }: Fork, variables: StepTypes, flow: FlowState): Type {
  const members = new Map<string, MemberType>();
  for (const { name, scope } of branches) {
    const { value } = analyzeScope(scope, enterScope(scope, variables), flow);
    members.set(name, { type: value, required: join.kind === "all" });
  }
  return objectOf(members, never);
}

function forEachResult(step: ForEach, variables: StepTypes, flow: FlowState): Type {
  const element = elementOf(inferType(step.items, variables));
  if (isNever(element)) return arrayOf(never);
  const scope = enterScope(step.scope, variables, [
    [step.element, element],
    [step.index, integer],
  ]);
  return arrayOf(analyzeScope(step.scope, scope, flow).value);
}

const maxAttemptRounds = 4;

/** After a failure, shared variables may have their types at any point of the body. */
function transferAttempt(step: Attempt, variables: StepTypes, flow: FlowState, edges: FlowEdges): void {
  const begins = (entry: StepTypes, { anywhere }: ScopeResult): StepTypes => {
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
  edges.pass(followed.anywhere);
  sendResult(step, followed.value, followed.exit ?? variables, followed.anywhere, edges);
}

function transferEnd({ outcome, extent, value }: End, variables: StepTypes, flow: FlowState, edges: FlowEdges): void {
  const type = inferType(value, variables);
  if (outcome === "fail" || isNever(type)) return;
  if (extent === "run") flow.ends.push(type);
  else edges.end(type, variables);
}
