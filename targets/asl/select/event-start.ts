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
import { executionInput, single } from "./fields.ts";
import { foldAssignments } from "./folding.ts";
import { stateAt } from "./scope.ts";
import { type SymbolTable, symbolValue, withValue } from "./symbols.ts";
import { type ReceivedParts, receivedValue } from "./waits.ts";

/** The first state of runs that events start. */
export interface EventStart {
  /** It is over at the start. */
  readonly wait: string;
  /** The first state, and those that follow if an event has not started the run. */
  readonly states: readonly [MachineState, ...MachineState[]];
  /** The steps of the states that it leads to. */
  readonly requested: readonly string[];
}

/**
 * Finds the first state of runs that events start: the one after the first wait, because the input already contains
 * the events. A called run must wait: a Choice detects an input without events, and a Task fails before it calls
 * anything. Its Catch leads to a Choice, because the Task may also fail with such an error after the call.
 *
 *   Greet: receive -> received; Greet/greet: call greet(E)
 *   → Greet/greet/start: call greet(E over the input, else an error), caught by Greet/greet/caught
 *     Greet/greet/caught: called? → Greet: receive -> received; Greet/greet: …, else raise the error again
 *
 * @param given The symbols at the start of a run with an empty input.
 */
export function eventStart(opened: ScopeContext, given: SymbolTable): EventStart | undefined {
  const wait = stepAt(opened, opened.scope.entry);
  if (wait.kind !== "receive" || !isStartingWait(wait, opened)) return undefined;
  const machine = { ...opened.machine, printsExpressions: true, problems: [] };
  const context: ScopeContext = { ...opened, machine, states: [], pending: [], requested: new Set() };
  try {
    const states = statesAfterWait(context, wait, symbolsAfterWait(context, wait, given));
    return states && machine.problems.length === 0 ? { wait: wait.id, states, requested: context.pending } : undefined;
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
function statesAfterWait(context: ScopeContext, wait: Receive, from: SymbolTable): EventStart["states"] | undefined {
  const first = skipDecided(context, stepAt(context, wait.next), from);
  const work = foldAssignments(enterState(context, first, from), first, from);
  if (work.left || !canStart(work.step, context)) return undefined;
  const { step, symbols } = work;
  const key = context.machine.names.steps.fresh(`${step.id}/start`);
  const [state, ...others] = stateAt(context, key, first, from);
  if (!state || others.length > 0) return undefined;
  const starting = { ...state, part: "start" };
  if (step.kind === "choose") return state.type === "Choice" ? [choiceStart(starting, wait, context)] : undefined;
  const failsOtherwise = JSON.stringify(state).includes("$error(");
  return failsOtherwise ? undefined : taskStart(starting, wait, fieldsOf(context, step, symbols), context);
}

type FirstStep = Call | Invoke | Emit | Choose;

function canStart(step: FlatStep, { machine }: ScopeContext): step is FirstStep {
  if (step.kind !== "call") return ["choose", "invoke", "emit"].includes(step.kind);
  const isOwn = step.function.name === machine.expressions || machine.services.serviceOf(step.function.name).query;
  return !isOwn && builtInOfCall(step, machine.workflow) === undefined;
}

/** Its first rule leads to the wait. */
function choiceStart(state: MachineState, { id }: Receive, context: ScopeContext): MachineState {
  return { ...state, choices: [{ when: isCalled(context), next: id }, ...state.choices!] };
}

const isCalled = (context: ScopeContext): StateRule["when"] => [
  "Condition",
  single(variable(intrinsics.isCalled), context),
];

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

/** A failed expression leads to the wait if the run was called, and is never retried. */
function taskStart(
  state: MachineState,
  { id }: Receive,
  fields: MachineState["fields"],
  context: ScopeContext,
): EventStart["states"] {
  const { steps } = context.machine.names;
  const [caught, failed] = [steps.fresh(`${state.step}/caught`), steps.fresh(`${state.step}/failed`)];
  const toCaught: StateRule = { when: ["ErrorEquals", [isExpression]], next: caught };
  const { retry = [] } = state;
  const isRetried = retry.some((each) =>
    (each as { ErrorEquals: Json[] }).ErrorEquals.some((name) => coveringErrors.has(name)),
  );
  const retries = isRetried ? [{ ErrorEquals: [isExpression], MaxAttempts: 0 }, ...retry] : retry;
  const made = { step: state.step, fields: [] };
  return [
    { ...state, fields, ...(retries.length > 0 && { retry: retries }), catch: [toCaught, ...(state.catch ?? [])] },
    {
      ...made,
      key: caught,
      type: "Choice",
      part: "caught",
      choices: [{ when: isCalled(context), next: id, output: `{% ${executionInput} %}` }],
      otherwise: failed,
    },
    {
      ...made,
      key: failed,
      type: "Fail",
      part: "failed",
      fields: [
        ["Error", "{% $states.input.Error %}"],
        ["Cause", "{% $states.input.Cause %}"],
      ],
    },
  ];
}
