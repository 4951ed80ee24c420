import {
  type Expression,
  effectsOf,
  equalExpressions,
  literal,
  mayThrow,
  object,
  simplify,
  substitute,
  variable,
} from "../../../src/expressions/index.ts";
import { successors } from "../../../src/ir/walk.ts";
import type { EventCombination, Receive, Start } from "../../../src/ir/workflow.ts";
import type { FlatStep } from "../../../src/passes/index.ts";
import { nullType } from "../../../src/types/index.ts";
import { intrinsics, intrinsicTypes } from "../intrinsics.ts";
import { UnsupportedExpression } from "../jsonata/context.ts";
import { currentToken } from "../legalize/query-tokens.ts";
import type { MachineState, StateKey, StateRule } from "../machine.ts";
import { isCurrent, liveVariables, requestState, type ScopeContext, stepAt } from "./context.ts";
import { choiceRule, exitTo, skipDecided, unguarded } from "./edges.ts";
import { failingResults } from "./evaluation.ts";
import { takeMembers } from "./received-events.ts";
import { exitState, stateAt } from "./scope.ts";
import { assignSymbols, inputDocument, inputMember, type SymbolTable, symbolValue, withValue } from "./symbols.ts";
import { type ReceivedVariables, receivedAlternative } from "./waits.ts";

/** The start of runs that events start. */
export interface EventStart extends EventInput {
  readonly start: StateKey;
  /** The first state, if it is none of the states of steps. */
  readonly states: readonly MachineState[];
  /** The steps of the states that it leads to. */
  readonly requested: readonly string[];
}

/** What the event function passes to executions that events start. */
export interface EventInput {
  /** The wait whose events it has received. */
  readonly wait: string;
  /**
   * What is known after the wait, by its alternatives: an expression over the received events for `data`, `token` and
   * `variables`, or for the whole input.
   */
  readonly inputs: readonly Expression[];
  /** Whether the machine only starts with such inputs. */
  readonly isOnly: boolean;
}

/**
 * Finds the state with which runs that events start begin: the one after the first wait. The event function evaluates
 * everything before it. Unless only events start the machine, a Choice leads other executions to the wait.
 *
 *   Greet: receive -> received; $data = E($data, received); Greet/greet: call greet($data)
 *   → Greet/start: started by events? $data = input.data → Greet/greet, else Greet
 *
 * @param given The symbols at the start of a run with an empty input.
 */
export function eventStart(opened: ScopeContext, given: SymbolTable, isOnly: boolean): EventStart | undefined {
  const wait = stepAt(opened, opened.scope.entry);
  if (wait.kind !== "receive" || !isStartingWait(wait, opened)) return undefined;
  if (isOnly && mayBeginBeforeWaitEnds(opened.machine.workflow.start)) return undefined;
  const machine = { ...opened.machine, problems: [] };
  const context: ScopeContext = { ...opened, machine, states: [], pending: [], requested: new Set() };
  try {
    const targets = wait.alternatives.map((_, i) => targetOf(context, wait, i, given));
    if (!targets.every((target) => target !== undefined)) return undefined;
    const made = isOnly ? onlyStart(context, wait, targets) : choiceStart(context, wait, targets);
    return machine.problems.length === 0 ? { ...made, wait: wait.id, isOnly, requested: context.pending } : undefined;
  } catch (error) {
    if (error instanceof UnsupportedExpression) return undefined;
    throw error;
  }
}

/** It is the first step, executed once, and receives exactly the events that start runs. */
function isStartingWait({ id, alternatives }: Receive, { machine, predecessors }: ScopeContext): boolean {
  const { on = [] } = machine.workflow.start;
  return (predecessors.get(id) ?? 0) === 0 && isSame(alternatives, on);
}

/** Whether an event that does not complete its combination creates a run, which then waits for the others. */
const mayBeginBeforeWaitEnds = ({ on = [], create }: Start): boolean =>
  create !== "complete" && on.some(({ all }) => all.length > 1);

const isSame = (alternatives: readonly EventCombination[], on: NonNullable<Start["on"]>): boolean =>
  alternatives.length === on.length &&
  alternatives.every((each, i) => isUnconditional(each) && eventsOf(each) === eventsOf(on[i]!));

const isUnconditional = ({ all, none }: EventCombination): boolean =>
  none.length === 0 && all.flat().every(({ when }) => when === undefined);

const eventsOf = ({ all }: EventCombination): string =>
  JSON.stringify(all.map((group) => group.map(({ event }) => event.name)));

/** Where an alternative of the wait leads. */
interface StartTarget {
  readonly step: FlatStep;
  /** Over the input of the execution. */
  readonly symbols: SymbolTable;
  readonly data: Expression | undefined;
  /** The correlation value that the events have given the run, or null. */
  readonly token: Expression | undefined;
  /** The machine's variables that the event function computes. */
  readonly variables: readonly (readonly [string, Expression])[];
  /** The steps before. */
  readonly passed: ReadonlySet<FlatStep>;
}

/** Undefined if the event function cannot compute the values there. */
function targetOf(context: ScopeContext, wait: Receive, index: number, given: SymbolTable): StartTarget | undefined {
  const passed = new Set<FlatStep>([wait]);
  let step = stepAt(context, wait.next);
  let symbols = symbolsAfterWait(context, wait, index, given);
  for (;;) {
    step = skipDecided(context, step, symbols, passed);
    if (step.kind !== "assign" || passed.has(step)) break;
    const next = assignSymbols(symbols, step.values);
    if (failingResults(step, next, context).length > 0) break;
    passed.add(step);
    symbols = next;
    step = stepAt(context, step.next);
  }
  return withoutEvents(context, step, symbols, passed);
}

function symbolsAfterWait(context: ScopeContext, wait: Receive, index: number, given: SymbolTable): SymbolTable {
  const { correlation, carriesReceivedToken } = context.machine;
  const symbols = withValue(given, wait.bind, receivedAlternative(wait.alternatives[index]!, index, startEvents));
  if (!carriesReceivedToken) return symbols;
  const token = currentToken(variable(intrinsics.startedToken), symbolValue(given, correlation)!);
  return withValue(symbols, correlation, token);
}

const startEvents: ReceivedVariables = {
  events: intrinsics.startedEvents,
  groups: intrinsics.startedGroups,
  event: intrinsics.startedEvent,
};

const eventParts: ReadonlySet<string> = new Set([...Object.values(startEvents), intrinsics.startedToken]);

/** The value surely exists, and computing it cannot fail. */
const isSure = (value: Expression): boolean =>
  effectsOf(value).outputs === "one" && !mayThrow(value, { input: nullType, variables: intrinsicTypes });

/** Replaces values over events by members of the input. */
function withoutEvents(
  context: ScopeContext,
  step: FlatStep,
  reached: SymbolTable,
  passed: ReadonlySet<FlatStep>,
): StartTarget | undefined {
  const { names, machine } = context;
  const document = machine.workflow.input;
  let symbols = reached;
  let data: Expression | undefined;
  let token: Expression | undefined;
  const variables: (readonly [string, Expression])[] = [];
  for (const name of [document, ...liveVariables(context, step)]) {
    const value = takeMembers(simplify(symbolValue(reached, name)!), intrinsicTypes);
    const free = [...effectsOf(value).free.keys()];
    if (!free.some((each) => eventParts.has(each))) continue;
    if (free.every((each) => !eventParts.has(each) || each === intrinsics.startedToken)) {
      token = variable(intrinsics.startedToken);
      symbols = withValue(symbols, name, substitute(value, new Map([[intrinsics.startedToken, inputMember("token")]])));
      continue;
    }
    if (!free.every((each) => eventParts.has(each)) || !isSure(value)) return undefined;
    if (name === document) data = value;
    else variables.push([names.get(name)!, value]);
    symbols = withValue(symbols, name, inputMember(name === document ? "data" : `variables.${names.get(name)!}`));
  }
  return { step, symbols, data, token, variables, passed };
}

const inputOf = ({ data, token, variables }: StartTarget, alternative?: number): Expression =>
  object([
    ...(alternative === undefined ? [] : ([["alternative", literal(alternative)]] as const)),
    ...(data ? ([["data", data]] as const) : []),
    ...(token ? ([["token", token]] as const) : []),
    ...(variables.length > 0 ? ([["variables", object(variables)]] as const) : []),
  ]);

type StartParts = Pick<EventStart, "start" | "states" | "inputs">;

/** A Choice that leads executions without events to the wait. */
function choiceStart(context: ScopeContext, wait: Receive, targets: readonly StartTarget[]): StartParts {
  const [first, ...others] = targets;
  const isSame = others.every((target) => isSameTarget(context, first!, target));
  const rules = isSame
    ? [targetRule(context, ["Condition", `{% ${isStarted} %}`], first!)]
    : [
        { when: ["Condition", `{% $not(${isStarted}) %}`] as const, next: wait.id },
        ...alternativeRules(context, targets),
      ];
  requestState(context, wait);
  const choice = { choices: rules, ...(isSame && { otherwise: wait.id }) };
  const inputs = targets.map((target, i) => inputOf(target, isSame ? undefined : i));
  return { ...leadStates(context, wait, { type: "Choice", ...choice }), inputs };
}

/** Only the event function knows the execution that it starts. */
const isStarted = "$states.input.started = $states.context.Execution.Id";

const targetRule = (context: ScopeContext, when: StateRule["when"], { step, symbols }: StartTarget): StateRule =>
  choiceRule(context, when, { name: step.id, span: step.span }, symbols);

const alternativeRules = (context: ScopeContext, targets: readonly StartTarget[]): readonly StateRule[] =>
  targets.map((target, i) => {
    const isLast = i === targets.length - 1;
    const condition = isLast ? "{% true %}" : `{% $states.input.alternative = ${i} %}`;
    return targetRule(context, ["Condition", condition], target);
  });

/** Both continue at the same step, with the same values over the input. */
function isSameTarget(context: ScopeContext, a: StartTarget, b: StartTarget): boolean {
  const names = [context.machine.workflow.input, ...liveVariables(context, a.step)];
  return (
    a.step === b.step &&
    names.every((name) => equalExpressions(symbolValue(a.symbols, name)!, symbolValue(b.symbols, name)!))
  );
}

function leadStates(
  context: ScopeContext,
  wait: Receive,
  state: Pick<MachineState, "type" | "choices" | "otherwise" | "exit">,
): Pick<EventStart, "start" | "states"> {
  const key = context.machine.names.steps.fresh(`${wait.id}/start`);
  return { start: key, states: [{ ...state, key, step: wait.id, part: "start", fields: [] }] };
}

/** If the data is all that the event function computes, it is the input. */
function onlyStart(context: ScopeContext, wait: Receive, targets: readonly StartTarget[]): StartParts {
  const [first, ...others] = targets;
  if (!others.every((target) => isSameTarget(context, first!, target))) {
    const rules = alternativeRules(context, targets);
    return {
      ...leadStates(context, wait, { type: "Choice", choices: rules }),
      inputs: targets.map((target, i) => inputOf(target, i)),
    };
  }
  const isPlain = targets.every(({ data, token, variables }) => data && !token && variables.length === 0);
  const document = context.machine.workflow.input;
  const symbols = isPlain ? withValue(first!.symbols, document, inputDocument) : first!.symbols;
  const inputs = targets.map((target) => (isPlain ? target.data! : inputOf(target)));
  const passed = new Set(targets.flatMap((target) => [...target.passed]));
  return { ...directStart(context, wait, { ...first!, symbols, passed }), inputs };
}

/** Begins with the state of the step, if it reads the input or is only reached from the wait. */
function directStart(
  context: ScopeContext,
  wait: Receive,
  { step, symbols, passed }: StartTarget,
): Pick<EventStart, "start" | "states"> {
  const names = [context.machine.workflow.input, ...liveVariables(context, step)];
  if (names.every((name) => isCurrent(context, symbols, name)))
    return { start: requestState(context, step), states: [] };
  const edges = [...passed].flatMap(successors).filter(({ name }) => name === step.id).length;
  if (edges === context.predecessors.get(step.id)) {
    context.requested.add(step.id);
    return { start: step.id, states: stateAt(context, step.id, step, symbols) };
  }
  const exit = exitTo(context, { name: step.id, span: step.span }, symbols, unguarded);
  const { start } = leadStates(context, wait, { type: "Pass" });
  return { start, states: [exitState(start, wait, exit)] };
}
