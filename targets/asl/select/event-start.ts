import { call, conditional, type Expression, literal, variable } from "../../../src/expressions/index.ts";
import type { Call, Choose, Emit, EventCombination, Invoke, Receive, Start } from "../../../src/ir/workflow.ts";
import { assertNever, type Json } from "../../../src/json.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { intrinsics } from "../intrinsics.ts";
import { UnsupportedExpression } from "../jsonata/context.ts";
import { builtInOfCall } from "../legalize/isolate-builtins.ts";
import { currentToken } from "../legalize/query-tokens.ts";
import type { MachineState, StateRule } from "../machine.ts";
import { enterState, type ScopeContext, stepAt } from "./context.ts";
import { skipDecided } from "./edges.ts";
import { callFields, invokeFields } from "./effects.ts";
import { emitFields } from "./event-batches.ts";
import { single } from "./fields.ts";
import { foldAssignments } from "./folding.ts";
import { stateAt } from "./scope.ts";
import { type SymbolTable, symbolValue, withValue } from "./symbols.ts";
import { type ReceivedParts, receivedValue } from "./waits.ts";

/** The first state of runs that events start. */
export interface EventStart {
  /** It is over at the start. */
  readonly wait: string;
  readonly state: MachineState;
  /** The steps of the states that it leads to. */
  readonly requested: readonly string[];
}

/**
 * Finds the first state of runs that events start: the one after the first wait, because the input already contains
 * the events. A called run must wait: a Choice detects an input without events, and a Task fails before it calls
 * anything.
 *
 *   Greet: receive -> received; Greet/greet: call greet(E)
 *   → Greet/greet/start: call greet(E over the input, else an error), caught by Greet: receive -> received; Greet/greet: …
 *
 * @param given The symbols at the start of a run with an empty input.
 */
export function eventStart(opened: ScopeContext, given: SymbolTable): EventStart | undefined {
  const wait = stepAt(opened, opened.scope.entry);
  if (wait.kind !== "receive" || !isStartingWait(wait, opened)) return undefined;
  const machine = { ...opened.machine, printsExpressions: true, problems: [] };
  const context: ScopeContext = { ...opened, machine, states: [], pending: [], requested: new Set() };
  try {
    const state = stateAfterWait(context, wait, symbolsAfterWait(context, wait, given));
    return state && machine.problems.length === 0 ? { wait: wait.id, state, requested: context.pending } : undefined;
  } catch (error) {
    if (error instanceof UnsupportedExpression) return undefined;
    throw error;
  }
}

/** It is the first step, executed once, and receives exactly the events that start runs. */
function isStartingWait({ id, alternatives }: Receive, { predecessors: entries, machine }: ScopeContext): boolean {
  const { on = [] } = machine.workflow.start;
  return (entries.get(id) ?? 0) === 0 && isSame(alternatives, on);
}

const isSame = (alternatives: readonly EventCombination[], on: NonNullable<Start["on"]>): boolean =>
  alternatives.length === on.length &&
  alternatives.every((each, i) => isUnconditional(each) && eventsOf(each) === eventsOf(on[i]!));

const isUnconditional = ({ all, none }: EventCombination): boolean =>
  none.length === 0 && all.flat().every(({ when }) => when === undefined);

const eventsOf = ({ all }: EventCombination): string =>
  JSON.stringify(all.map((group) => group.map(({ event }) => event.name)));

const startEvents: ReceivedParts = {
  received: variable(intrinsics.started),
  events: variable(intrinsics.startedEvents),
  groups: variable(intrinsics.startedGroups),
};

function symbolsAfterWait({ machine }: ScopeContext, wait: Receive, given: SymbolTable): SymbolTable {
  const { correlation, carriesReceivedToken: carriesTaken } = machine;
  const received = withValue(given, wait.bind, receivedValue(wait, true, startEvents));
  if (!carriesTaken) return received;
  const token = currentToken(variable(intrinsics.startedToken), symbolValue(given, correlation)!);
  return withValue(received, correlation, token);
}

/** The state after the wait, if it is a Choice or a Task whose errors show that it was called. */
function stateAfterWait(context: ScopeContext, wait: Receive, from: SymbolTable): MachineState | undefined {
  const first = skipDecided(context, stepAt(context, wait.next), from);
  const work = foldAssignments(enterState(context, first, from), first, from);
  if (work.left || !canStart(work.step, context)) return undefined;
  const { step, symbols } = work;
  const key = context.machine.names.steps.fresh(`${step.id}/start`);
  const [state, ...others] = stateAt(context, key, first, from);
  if (!state || others.length > 0) return undefined;
  const starting = { ...state, part: "start" };
  if (step.kind === "choose") return state.type === "Choice" ? choiceStart(starting, wait, context) : undefined;
  const failsOtherwise = JSON.stringify(state).includes("$error(");
  return failsOtherwise ? undefined : taskStart(starting, wait, fieldsOf(context, step, symbols));
}

type FirstStep = Call | Invoke | Emit | Choose;

function canStart(step: FlatStep, { machine }: ScopeContext): step is FirstStep {
  if (step.kind !== "call") return ["choose", "invoke", "emit"].includes(step.kind);
  const isOwn = step.function.name === machine.expressions || machine.services.serviceOf(step.function.name).query;
  return !isOwn && builtInOfCall(step, machine.workflow) === undefined;
}

/** Its first rule leads to the wait. */
function choiceStart(state: MachineState, { id }: Receive, context: ScopeContext): MachineState {
  const isCalled: StateRule = { when: ["Condition", single(variable(intrinsics.isCalled), context)], next: id };
  return { ...state, choices: [isCalled, ...state.choices!] };
}

/** They fail if the run was called. */
function fieldsOf(
  context: ScopeContext,
  step: Exclude<FirstStep, Choose>,
  symbols: SymbolTable,
): MachineState["fields"] {
  switch (step.kind) {
    case "call":
      return callFields(context, { ...step, argument: unlessCalled(step.argument) }, symbols);
    case "invoke":
      return invokeFields(context, { ...step, input: unlessCalled(step.input) }, symbols);
    case "emit":
      return emitFields(context, step, symbols, unlessCalled);
    default:
      return assertNever(step);
  }
}

function unlessCalled(value: Expression): Expression {
  const message = "No event has started this run, which waits for one.";
  const refused = call("error", literal({ name: "NotStarted", message }));
  return conditional(variable(intrinsics.isStarted), value, refused);
}

const isExpression = "States.QueryEvaluationError";

const coveringErrors: ReadonlySet<Json> = new Set(["States.ALL", "States.TaskFailed", isExpression]);

/** Its only failing expression leads to the wait and is not retried. */
function taskStart(state: MachineState, { id }: Receive, fields: MachineState["fields"]): MachineState {
  const waits: StateRule = { when: ["ErrorEquals", [isExpression]], next: id, output: "{% $states.input %}" };
  const { retry = [] } = state;
  const isRetried = retry.some((each) =>
    (each as { ErrorEquals: Json[] }).ErrorEquals.some((name) => coveringErrors.has(name)),
  );
  const retries = isRetried ? [{ ErrorEquals: [isExpression], MaxAttempts: 0 }, ...retry] : retry;
  return { ...state, fields, ...(retries.length > 0 && { retry: retries }), catch: [waits, ...(state.catch ?? [])] };
}
