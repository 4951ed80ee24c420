import { receivedTypes } from "../../../src/analysis/types/received.ts";
import type { ImplicitReads } from "../../../src/cfg/index.ts";
import {
  collect,
  type Expression,
  firstOr,
  freeVariables,
  literal,
  member,
  object,
  query,
  variable,
} from "../../../src/expressions/index.ts";
import { patternsOf, type ScopeNode, scopesOf } from "../../../src/ir/walk.ts";
import type { EventCombination, EventPattern, Receive, Workflow } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { any, recordOf, type Type } from "../../../src/types/index.ts";
import { isCorrelated } from "../correlation.ts";
import { intrinsics } from "../intrinsics.ts";
import { mayWaitFail } from "../legalize/failing-waits.ts";
import { currentToken } from "../legalize/query-tokens.ts";
import type { MachineState, StateRule } from "../machine.ts";
import { serviceRetries, throttled } from "../service-retries.ts";
import { idempotentRetries } from "../services.ts";
import { type MachineContext, type ScopeContext, type WaitPosition, withTypes } from "./context.ts";
import { catchRule, exitTo, unguarded } from "./edges.ts";
import { field } from "./fields.ts";
import { resolve, type SymbolTable, symbolValue, withValue } from "./symbols.ts";

/** Each wait's position in a run; iterations have index names. */
export const findWaitPositions = (workflow: Workflow): ReadonlyMap<string, WaitPosition> =>
  new Map(
    scopesOf(workflow).flatMap((place) =>
      place.scope.steps.flatMap((step) => (step.kind === "receive" ? [[step.id, positionOf(place)] as const] : [])),
    ),
  );

function positionOf({ scope, owner, parent: outer }: ScopeNode): WaitPosition {
  if (!owner || !outer) return [];
  const around = positionOf(outer);
  if (owner.kind === "fork") return [...around, owner.branches.findIndex((branch) => branch.scope === scope)];
  return owner.kind === "foreach" ? [...around, owner.index!] : around;
}

/** What waits read in addition to variables in conditions: their position, and the run's correlation value. */
export function readsOfWaits(
  workflow: Workflow,
  positions: ReadonlyMap<string, WaitPosition>,
  correlation: string,
): ImplicitReads {
  const correlations = isCorrelated(workflow) ? [correlation] : [];
  return (step) => {
    const position = positions.get(step.id);
    return position ? [...position.filter((each) => typeof each === "string"), ...correlations] : [];
  };
}

/**
 * A waiting Task, whose function returns events through the task token. It times out when all alternatives have; if
 * unmatched events are discarded, another Task then unregisters the wait.
 */
export function receiveStates(
  context: ScopeContext,
  key: string,
  step: Receive,
  symbols: SymbolTable,
): readonly MachineState[] {
  const result = variable(intrinsics.result);
  const part = (name: string) => firstOr(member(result, name), literal(null));
  const received = withValue(symbols, step.bind, receivedValue(step, limitOf(step) > 0, context.machine));
  const known = withReceivedToken(context, step, received, part("token"));
  const limit = limitOf(step);
  const isTimed = limit > 0 && limit < Number.POSITIVE_INFINITY;
  const timedOut = withValue(symbols, step.bind, literal(nothingReceived));
  const request = waitRequest(context, step, symbols);
  const dropping = isTimed && step.unused === "drop" ? giveUpState(context, step, request, timedOut) : undefined;
  const late = (): StateRule =>
    dropping
      ? { when: ["ErrorEquals", ["States.Timeout"]], next: dropping.key, output: "{% $states.input %}" }
      : catchRule(context, ["States.Timeout"], step.next, timedOut);
  const { actionOf, waitFunction: waits } = context.machine.services;
  const waiting: MachineState = {
    key,
    type: "Task",
    step: step.id,
    fields: [
      ["Resource", actionOf("lambda:invoke.waitForTaskToken")],
      ["Arguments", { FunctionName: waits, Payload: { ...request, task: "{% $states.context.Task.Token %}" } }],
      ...(isTimed ? ([["TimeoutSeconds", limit]] as const) : []),
    ],
    retry: [...serviceRetries([throttled]), ...idempotentRetries()],
    ...(isTimed && { catch: [late()] }),
    exit: exitTo(withTypes(context, receivedVariableTypes(step, context)), step.next, known, {
      ...unguarded,
      defaultOutput: intrinsics.result,
    }),
  };
  return dropping ? [waiting, dropping] : [waiting];
}

/** The last alternative's timeout, in seconds. */
const limitOf = ({ alternatives }: Receive): number =>
  Math.max(...alternatives.map(({ within }) => within ?? Number.POSITIVE_INFINITY));

const memberNamed = (name: string) => ({ descend: false, selectors: [{ kind: "name", name }] }) as const;

/** The result of a wait. Only the events are read if it has one form and `isSure` that events came. */
function receivedValue(step: Receive, isSure: boolean, { receivedPart }: MachineContext): Expression {
  const [first, ...others] = step.alternatives;
  const isCertain = others.length === 0 && isSure && !mayWaitFail(step);
  if (!isCertain) return query(variable(intrinsics.result), [memberNamed("received")]);
  return receivedAlternative(
    first!,
    0,
    receivedPart === "groups" ? { ...taskEvents, event: intrinsics.cameAloneInGroup } : taskEvents,
  );
}

/** The variables with received events: in order of arrival, by group, and the only one. */
export interface ReceivedVariables {
  readonly events: string;
  readonly groups: string;
  readonly event: string;
}

const taskEvents: ReceivedVariables = {
  events: intrinsics.came,
  groups: intrinsics.cameInGroups,
  event: intrinsics.cameAlone,
};

/** The result of a wait for which an alternative has come. */
export function receivedAlternative(
  { all }: EventCombination,
  index: number,
  { events, groups, event }: ReceivedVariables,
): Expression {
  const [patterns, ...others] = all;
  const isAlone = patterns?.length === 1 && others.length === 0;
  const only = object([
    ["name", literal(patterns?.[0]?.event.name ?? null)],
    ["event", variable(event)],
  ]);
  return object([
    ["alternative", literal(index)],
    ["events", isAlone ? collect(only) : variable(events)],
    ["groups", isAlone ? collect(only) : variable(groups)],
  ]);
}

/** The types of the variables with what a wait receives. */
function receivedVariableTypes(step: Receive, { machine }: ScopeContext): readonly (readonly [string, Type])[] {
  const { event, events, result } = receivedTypes(step, machine.workflow.events);
  return [
    [
      intrinsics.result,
      recordOf([
        ["received", result],
        ["token", any],
      ]),
    ],
    [intrinsics.came, events],
    [intrinsics.cameInGroups, events],
    [intrinsics.cameAlone, event],
    [intrinsics.cameAloneInGroup, event],
  ];
}

/** Unregisters a wait after its timeout. */
function giveUpState(
  context: ScopeContext,
  step: Receive,
  request: ReturnType<typeof waitRequest>,
  timedOut: SymbolTable,
): MachineState {
  const { services, names } = context.machine;
  return {
    key: names.steps.fresh(`${step.id}/give up`),
    type: "Task",
    step: step.id,
    part: "give up",
    fields: [
      ["Resource", services.actionOf("lambda:invoke")],
      ["Arguments", { FunctionName: services.waitFunction, Payload: request }],
    ],
    retry: [...serviceRetries([throttled]), ...idempotentRetries()],
    exit: exitTo(context, step.next, timedOut, { ...unguarded, defaultOutput: intrinsics.result }),
  };
}

const nothingReceived: Json = { alternative: null, events: [], groups: [] };

/** Without the task token. */
function waitRequest(context: ScopeContext, step: Receive, symbols: SymbolTable): { readonly [name: string]: Json } {
  const { machine } = context;
  const conditions = patternsOf(step.alternatives).flatMap(({ when }) => (when ? [when] : []));
  const names = [...new Set(conditions.flatMap((when) => [...freeVariables(when)]))].filter((name) => name !== "event");
  const position = machine.positions.get(step.id)!;
  return {
    step: field(literal(step.id), context),
    run: field(variable(intrinsics.execution), context),
    started: field(variable(intrinsics.began), context),
    ...(machine.continuation && { execution: "{% $states.context.Execution.Id %}" }),
    ...(position.length > 0 && {
      position: position.map((each) =>
        typeof each === "number" ? each : field(resolve(variable(each), symbols), context),
      ),
    }),
    ...(names.length > 0 && {
      variables: field(object(names.map((name) => [name, resolve(variable(name), symbols)] as const)), context),
    }),
    ...(isCorrelated(machine.workflow) && {
      correlation: field(symbolValue(symbols, machine.correlation) ?? literal(null), context),
    }),
    ...(step.correlation && {
      values: field(object(step.correlation.map(({ key, value }) => [key, resolve(value, symbols)] as const)), context),
    }),
  };
}

/**
 * Keeps the correlation value that events give their run, if an emitted event carries it. `token` is null if they have
 * none.
 */
function withReceivedToken(context: ScopeContext, step: Receive, symbols: SymbolTable, token: Expression): SymbolTable {
  const { outer, machine } = context;
  const { carriesReceivedToken, correlation, workflow } = machine;
  const isKeyed = ({ event }: EventPattern): boolean =>
    workflow.events.find(({ name }) => name === event.name)!.correlation !== undefined;
  if (outer !== undefined || !carriesReceivedToken || !patternsOf(step.alternatives).some(isKeyed)) return symbols;
  const known = symbolValue(symbols, correlation) ?? literal(null);
  return withValue(symbols, correlation, currentToken(token, known));
}
