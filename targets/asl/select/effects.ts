import {
  binary,
  conditional,
  type Expression,
  effectsOf,
  firstOr,
  literal,
  object,
  query,
  variable,
} from "../../../src/expressions/index.ts";
import type { BuiltIn } from "../../../src/ir/protocols.ts";
import { handlersOf } from "../../../src/ir/walk.ts";
import type {
  Call,
  Choose,
  Delay,
  Emit,
  ForEach,
  Fork,
  Invoke,
  Seconds,
  Tolerance,
  Width,
} from "../../../src/ir/workflow.ts";
import { assertNever, type Json } from "../../../src/json.ts";
import type { FlatForEach, FlatFork, FlatScope, FlatStep } from "../../../src/passes/index.ts";
import { alternatives, any, anyArray, memberOf, recordOf, string, type Type } from "../../../src/types/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { constantLength } from "../legalize/distribute-loops.ts";
import { builtInOfCall } from "../legalize/plain-builtins.ts";
import type { MachineState } from "../machine.ts";
import { isLambda, lambdaErrors, serviceRetries } from "../service-retries.ts";
import { argumentPointer, argumentsOf, idempotentRetries, type MachineQuery, type Service } from "../services.ts";
import { maxTimeout } from "../times.ts";
import { type MachineContext, machineName, type ScopeContext, stepAt, withTypes } from "./context.ts";
import { choiceRule, exitTo, unfoldedExit, unguarded } from "./edges.ts";
import { failsAt } from "./evaluation.ts";
import { batchOf, emitFields } from "./event-batches.ts";
import { field, jsonField, payload, single } from "./fields.ts";
import { provideVariables, selectBranches, selectIterations } from "./inner-scopes.ts";
import { takeMembers } from "./received-events.ts";
import { type FailingStep, withRecovery } from "./recovery.ts";
import { exitState } from "./scope.ts";
import { outlinedResponse, resolve, resultOf, type SymbolTable, symbolValue, withValue } from "./symbols.ts";
import { receiveStates } from "./waits.ts";

type EffectStep = Exclude<FlatStep, { kind: "assign" | "end" }>;

/** Selects the states of a step other than an assignment. */
export function effectState(
  context: ScopeContext,
  key: string,
  step: EffectStep,
  symbols: SymbolTable,
): readonly MachineState[] {
  switch (step.kind) {
    case "call":
      return [callState(context, key, step, symbols)];
    case "invoke":
      return [
        taskState(
          step.wait
            ? withTypes(context, [[intrinsics.result, recordOf([["Output", boundType(context, step)]])]])
            : context,
          key,
          step,
          symbols,
          invokeFields(context, step, symbols),
          query(variable(intrinsics.result), memberNamed("Output")),
        ),
      ];
    case "emit":
      return [emitState(context, key, step, symbols)];
    case "choose":
      return [choiceState(context, key, step, symbols)];
    case "delay":
      return [waitState(context, key, step, symbols)];
    case "fork":
      return provideVariables(context, key, step, symbols, (inside, at, now, handed) =>
        parallelState(inside, at, step, now, handed),
      );
    case "foreach":
      return context.machine.distributed.has(step.id)
        ? [distributedMapState(context, key, step, symbols)]
        : provideVariables(context, key, step, symbols, (inside, at, now, handed) =>
            mapState(inside, at, step, now, handed),
          );
    case "receive":
      return receiveStates(context, key, step, symbols);
    default:
      return assertNever(step);
  }
}

/** A Pass state computes the results of built-in functions that are called in a row. */
function callState(context: ScopeContext, key: string, step: Call, symbols: SymbolTable): MachineState {
  if (!builtInOfCall(step, context.machine.workflow)) return callTask(context, key, step, symbols);
  let known = symbols;
  let next = step.next;
  for (let call: FlatStep = step; ; call = stepAt(context, next)) {
    const builtIn = call.kind === "call" ? builtInOfCall(call, context.machine.workflow) : undefined;
    if (call.kind !== "call" || !builtIn || (call !== step && context.predecessors.get(call.id) !== 1)) break;
    known = withValue(known, call.bind, builtInValue(builtIn));
    next = call.next;
  }
  const exit = unfoldedExit(context, next, known);
  return { key, type: "Pass", step: step.id, fields: [], exit };
}

function builtInValue({ kind }: BuiltIn): Expression {
  switch (kind) {
    case "clock":
      return binary("/", variable(intrinsics.millis), literal(1000));
    case "random":
      return variable(intrinsics.random);
    case "id":
      return variable(intrinsics.uuid);
    case "run":
      return variable(intrinsics.run);
    case "secret":
      throw new Error("Secrets are refused before anything is lowered.");
    default:
      return assertNever(kind);
  }
}

function callTask(context: ScopeContext, key: string, step: Call, symbols: SymbolTable): MachineState {
  const computes = step.function.name === context.machine.expressions;
  const { kind, resource, resultMember: member, query: own } = serviceOf(context.machine, step.function.name);
  const result = variable(intrinsics.result);
  if (own) return queryTask(context, key, step, symbols, own);
  const trusted = trustedResultType(context, step, member);
  const made = taskState(
    trusted ? withTypes(context, [[intrinsics.result, trusted]]) : context,
    key,
    step,
    symbols,
    callFields(context, step, symbols),
    computes
      ? outlinedResponse
      : member === undefined
        ? result
        : firstOr(query(result, memberNamed(member)), literal(null)),
  );
  const errors = computes ? lambdaErrors : context.machine.services.retriedErrors;
  const added = isLambda(kind, resource) ? serviceRetries(errors) : [];
  const retry = [...added, ...(made.retry ?? [])];
  return { ...made, ...(computes && { computes }), ...(retry.length > 0 && { retry }) };
}

/** Idempotent, so retried after any error except for its final one. */
function queryTask(
  context: ScopeContext,
  key: string,
  step: Call,
  symbols: SymbolTable,
  { result: answer, finalError: final, variableTypes: known }: MachineQuery,
): MachineState {
  const types = known.flatMap(([name, type]) => {
    const value = symbolValue(symbols, name);
    return value?.kind === "variable" ? [[value.name, type] as const] : [];
  });
  const inside = withTypes(context, types);
  const state = taskState(inside, key, step, symbols, callFields(inside, step, symbols), resolve(answer, symbols));
  return { ...state, retry: idempotentRetries(final === undefined ? [] : [final]) };
}

/** The declared type of a function's result, if the state receives the plain result. */
const trustedResultType = ({ machine }: ScopeContext, step: Call, member: string | undefined): Type | undefined =>
  step.wait && member === undefined
    ? machine.workflow.functions.find(({ name }) => name === step.function.name)?.resultType
    : undefined;

const memberNamed = (name: string) => [{ descend: false, selectors: [{ kind: "name", name }] }] as const;

function taskState(
  context: ScopeContext,
  key: string,
  step: FailingStep,
  symbols: SymbolTable,
  fields: MachineState["fields"],
  result: Parameters<typeof withValue>[2],
): MachineState {
  const state: MachineState = { key, type: "Task", step: step.id, performs: actionOf(context, step), fields };
  return withRecovery(context, state, step, symbols, result);
}

function actionOf({ machine }: ScopeContext, step: FailingStep): MachineState["performs"] {
  const detailed = machine.workflow.detailedErrors && { detailed: true as const };
  if (step.kind === "invoke") return { kind: "workflow", name: step.workflow.name, ...detailed };
  if (step.kind === "emit") return { kind: "event", name: step.event.name };
  if (step.kind !== "call" || step.function.name === machine.expressions) return undefined;
  const { argumentsTemplate: around, resultMember: member, query: own } = serviceOf(machine, step.function.name);
  if (own) return undefined;
  const secrets = machine.secretPlaces.get(step.function.name);
  return {
    kind: "function",
    name: step.function.name,
    ...(secrets && { secrets }),
    ...(around && { argument: argumentPointer(around)! }),
    ...(member !== undefined && { answer: member }),
    ...detailed,
  };
}

/** The fields of a Task that calls a function. */
export function callFields(context: ScopeContext, step: Call, symbols: SymbolTable): MachineState["fields"] {
  const service = serviceOf(context.machine, step.function.name);
  return [
    ["Resource", service.resource],
    ["Arguments", payload(argumentsOf(service, resolve(step.argument, symbols)), context)],
    ...timeLimit("TimeoutSeconds", step.timeout, symbols, context),
    ...timeLimit("HeartbeatSeconds", step.callback?.heartbeat, symbols, context),
  ];
}

const serviceOf = ({ services, expressions }: MachineContext, name: string): Service =>
  name === expressions ? { kind: "lambda", resource: services.expressionFunction } : services.serviceOf(name);

/** The default timeout of a Task is 99,999,999 s, which is longer than an execution may take. */
function timeLimit(
  key: "TimeoutSeconds" | "HeartbeatSeconds",
  seconds: Seconds | undefined,
  symbols: SymbolTable,
  context: ScopeContext,
): MachineState["fields"] {
  if (seconds === undefined) return [];
  if (typeof seconds === "number") return [[key, seconds]];
  const value = resolve(seconds, symbols);
  const most = literal(maxTimeout);
  return [[key, field(conditional(binary(">", value, most), most, value), context)]];
}

/** The fields of a Task that starts an execution. */
export function invokeFields(context: ScopeContext, step: Invoke, symbols: SymbolTable): MachineState["fields"] {
  return [
    ["Resource", context.machine.services.actionOf(`states:startExecution${step.wait ? ".sync:2" : ""}`)],
    [
      "Arguments",
      {
        StateMachineArn: context.machine.services.machineOf(step.workflow.name),
        ...(context.machine.passesAge(step) && { Name: subflowName(context, step, symbols) }),
        Input: jsonField(resolve(step.input, symbols), context),
      },
    ],
    ...timeLimit("TimeoutSeconds", step.timeout, symbols, context),
  ];
}

/** A unique name with the age of the root run. */
function subflowName(context: ScopeContext, step: Invoke, symbols: SymbolTable): Json {
  const { ageReads, age, ageVariable } = context.machine;
  const root = ageReads.has(step.id) ? resolve(variable(ageVariable!), symbols) : age;
  const typed = root.kind === "variable" ? withTypes(context, [[root.name, string]]) : context;
  const parts = [root, literal("-"), variable(intrinsics.uuid)];
  return field(
    parts.reduce((name, part) => binary("+", name, part), literal("since-")),
    typed,
  );
}

function emitState(context: ScopeContext, key: string, step: Emit, symbols: SymbolTable): MachineState {
  const { next } = batchOf(context, step, symbols).at(-1)!.step;
  const emitting = { ...step, next, handlers: [], retries: [] };
  return taskState(context, key, emitting, symbols, emitFields(context, step, symbols), literal(null));
}

/**
 * If Default needs output or assignments, it becomes a last rule, because documentation disagrees on a Choice's own
 * Output and Assign.
 */
function choiceState(context: ScopeContext, key: string, step: Choose, symbols: SymbolTable): MachineState {
  const cases = step.cases.map((each) => ({
    ...each,
    when: resolve(each.when, symbols),
    fails: failsAt(step, each.when, context),
  }));
  const decided = cases.findIndex(({ when }) => isAlways(when, true));
  const open = (decided < 0 ? cases : cases.slice(0, decided)).filter(({ when }) => !isAlways(when, false));
  const next = decided < 0 ? step.otherwise! : cases[decided]!.next;
  if (open.length === 0) return exitState(key, step, exitTo(context, next, symbols, unguarded));
  const common = { key, step: step.id, fields: [] };
  for (const { fails, span } of open)
    if (fails && !failsExecution(context, step))
      context.machine.problems.push({
        span,
        construct: "a condition that may fail",
        uncaught: { kind: "condition", step: step.id },
      });
  const rules = open.map(({ when, next }) =>
    choiceRule(context, ["Condition", single(asBoolean(when), context)], next, symbols),
  );
  const last = choiceRule(context, ["Condition", single(literal(true), context)], next, symbols);
  const plain = last.output === undefined && last.assign === undefined;
  return {
    ...common,
    type: "Choice",
    choices: plain ? rules : [...rules, last],
    otherwise: plain ? last.next : undefined,
  };
}

/** Whether an error of a choice ends the execution anyway, under any name. Step Functions catches none of a condition. */
const failsExecution = ({ machine, outer }: ScopeContext, { id }: Choose): boolean =>
  machine.workflow.problems !== undefined && outer === undefined && !machine.guards.has(id);

const isAlways = (condition: Expression, value: boolean): boolean =>
  condition.kind === "literal" && (condition.value === true) === value;

/** Only true holds. */
const asBoolean = (condition: Expression): Expression =>
  effectsOf(condition).type === "boolean" ? condition : binary("==", condition, literal(true));

function waitState(context: ScopeContext, key: string, step: Delay, symbols: SymbolTable): MachineState {
  const time = step.wait.kind === "for" ? resolve(step.wait.seconds, symbols) : resolve(step.wait.instant, symbols);
  const fields: MachineState["fields"] = [[step.wait.kind === "for" ? "Seconds" : "Timestamp", field(time, context)]];
  return { key, type: "Wait", step: step.id, fields, exit: exitTo(context, step.next, symbols, unguarded) };
}

function parallelState(
  context: ScopeContext,
  key: string,
  step: FlatFork,
  symbols: SymbolTable,
  handed: readonly string[],
): MachineState {
  const { argument, branches } = selectBranches(context, step, symbols, handed);
  const fields: MachineState["fields"] = argument === undefined ? [] : [["Arguments", argument]];
  const document = context.machine.workflow.input;
  const unchanged = symbolValue(symbols, document)!;
  const result = object(
    step.branches.map(({ name, scope }, i) => [name, keepsDocument(scope, document) ? unchanged : resultOf(i)]),
  );
  const given = boundType(context, step);
  const types = step.branches.map(({ name }, i) => [`${intrinsics.result}${i}`, memberOf(given, name).type] as const);
  const state: MachineState = { key, type: "Parallel", step: step.id, fields, branches };
  return withRecovery(withTypes(context, types), state, step, symbols, result);
}

function keepsDocument({ variables, steps, window }: FlatScope, document: string): boolean {
  const isDocument = (value: Expression | undefined) => value?.kind === "variable" && value.name === document;
  const own = variables.find(({ name }) => name === document);
  if (window || (own && !isDocument(own.initial))) return false;
  return steps.every((step) => {
    if (step.kind === "assign") return step.values.every(({ variable: name }) => name !== document);
    if (step.kind === "end") return step.outcome === "fail" || (step.extent !== "run" && isDocument(step.value));
    return !("bind" in step && step.bind === document) && handlersOf(step).every(({ bind }) => bind !== document);
  });
}

/** Its iterations are executions, which see no outer variables. */
function distributedMapState(
  context: ScopeContext,
  key: string,
  step: FlatForEach,
  symbols: SymbolTable,
): MachineState {
  const state = mapState(context, key, step, symbols, []);
  const label = context.machine.labels.fresh(machineName(step.origin.name).slice(0, maxLabelLength));
  const limits = step.tolerates ? toleranceFields(step.tolerates, symbols, context) : [];
  return { ...state, isDistributed: true, fields: [["Label", label], ...state.fields, ...limits] };
}

/** Step Functions tolerates no failure by default. */
function toleranceFields(
  { count, percentage }: Tolerance,
  symbols: SymbolTable,
  context: ScopeContext,
): MachineState["fields"] {
  const limit = (given: number | Expression): Json =>
    typeof given === "number" ? given : field(resolve(given, symbols), context);
  return [
    ...(count === undefined && percentage !== undefined
      ? []
      : ([["ToleratedFailureCount", limit(count ?? 0)]] as const)),
    ...(percentage === undefined ? [] : ([["ToleratedFailurePercentage", limit(percentage)]] as const)),
  ];
}

/** The maximum length of a label, minus a number. */
const maxLabelLength = 36;

function mapState(
  context: ScopeContext,
  key: string,
  step: FlatForEach,
  symbols: SymbolTable,
  handed: readonly string[],
): MachineState {
  const { items, selector, processor } = selectIterations(context, step, symbols, handed);
  const fields: MachineState["fields"] = [
    ["Items", items],
    ...(selector === undefined ? [] : ([["ItemSelector", selector]] as const)),
    ...(step.width === undefined ? [] : ([["MaxConcurrency", widthField(step.width, symbols, context)]] as const)),
  ];
  const given = boundType(context, step);
  const list = alternatives(given).every(({ kind }) => kind === "array") ? given : anyArray;
  const turns = constantLength(takeMembers(resolve(step.items, symbols), context.types));
  const state: MachineState = { key, type: "Map", step: step.id, fields, processor, itemCount: turns };
  return withRecovery(
    withTypes(context, [[intrinsics.result, list]]),
    state,
    step,
    symbols,
    variable(intrinsics.result),
  );
}

const widthField = (width: Width, symbols: SymbolTable, context: ScopeContext): Json =>
  typeof width === "number" ? width : field(resolve(width.value, symbols), context);

/** That of the bound variable after the step. */
const boundType = ({ machine }: ScopeContext, { bind, next }: Fork | ForEach | Invoke): Type =>
  (bind === undefined ? undefined : machine.typesBefore.get(next.name)?.get(bind)) ?? any;
