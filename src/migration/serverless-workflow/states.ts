import { assumption, noForm, similarForm } from "../../diagnostics/migration.ts";
import type {
  EventState,
  ForeachState,
  ParallelState,
  State as Written,
} from "../../generated/serverless-workflow-definition.ts";
import { isObject } from "../../json.ts";
import type { Action, Branch, ForEachState, ParallelState as Parallel, State, StateBase } from "../model.ts";
import { readAction, readActions } from "./actions.ts";
import { caseCondition } from "./conditions.ts";
import type { ReaderContext } from "./context.ts";
import { readHandlers, readRetries } from "./errors.ts";
import { entryOf, eventFilter } from "./events.ts";
import { eventNamed, exitOf, transitionExit } from "./exits.ts";
import { filterAt, pathProgram, placeOf } from "./paths.ts";

/** The states of a list, the start first. Transitions may name a state by its id. */
export function readStates(
  context: ReaderContext,
  states: readonly Written[],
  startsAt: string | undefined,
): readonly State[] {
  const first = states.find(({ start }) => start) ?? states.find(({ name }) => name === startsAt);
  const ordered = first ? [first, ...states.filter((state) => state !== first)] : states;
  const names = new Set(states.map(({ name }) => name));
  const byId = new Map(
    states.flatMap(({ id, name }) => (id === undefined || names.has(id) ? [] : [[id, name] as const])),
  );
  return ordered.map((state, i) => named(readState(context, state, i === 0 && !context.isNested), byId));
}

/** A state whose exits name others. */
function named(state: State, byId: ReadonlyMap<string, string>): State {
  const rename = <E extends { readonly to: string | undefined }>(exit: E): E =>
    exit.to === undefined ? exit : { ...exit, to: byId.get(exit.to) ?? exit.to };
  if (byId.size === 0) return state;
  const handlers = state.handlers.map((handler) => ({ ...handler, exit: rename(handler.exit) }));
  if (state.kind === "switch")
    return {
      ...state,
      handlers,
      cases: state.cases.map((each) => ({ ...each, exit: rename(each.exit) })),
      otherwise: state.otherwise && rename(state.otherwise),
    };
  if (state.kind === "event switch")
    return {
      ...state,
      handlers,
      cases: state.cases.map((each) => ({ ...each, exit: rename(each.exit) })),
      otherwise: state.otherwise && rename(state.otherwise),
    };
  return { ...state, handlers, exit: rename(state.exit) };
}

function readState(context: ReaderContext, state: Written, isStart: boolean): State {
  const base = { ...baseOf(context, state), ...(isStart && state.type === "event" ? startOf(context, state) : {}) };
  const hasHandlers = base.handlers.length + base.retries.length > 0;
  const exit = exitOf(context, state);
  const actionsOf = (owner: { readonly actions: Parameters<typeof readActions>[1] }) =>
    readActions(context, owner.actions, hasHandlers);
  switch (state.type) {
    case "operation":
      return {
        ...base,
        kind: "operation",
        exit,
        isParallel: state.actionMode === "parallel",
        actions: actionsOf(state),
      };
    case "delay":
      return { ...base, kind: "sleep", exit, duration: state.timeDelay };
    case "inject":
      return { ...base, kind: "inject", exit, data: state.data ?? {} };
    case "subflow":
      return { ...base, kind: "operation", exit, isParallel: false, actions: [subflowAction(state)] };
    case "parallel":
      return { ...base, kind: "parallel", exit, ...branchesOf(context, state) };
    case "foreach":
      return { ...base, kind: "foreach", exit, ...iterationsOf(context, state) };
    case "event":
      return {
        ...base,
        kind: "event",
        exit,
        isExclusive: state.exclusive ?? true,
        entries: state.eventsActions.map((entry) => entryOf(context, entry, isStart, actionsOf(entry))),
        eventTimeout: isStart ? undefined : state.timeout,
      };
    case "callback":
      return {
        ...base,
        kind: "callback",
        exit,
        action: readAction(context, state.action, hasHandlers),
        event: eventNamed(context, state.eventRef, state),
        filter: eventFilter(context, state.eventRef, state),
        eventTimeout: state.timeout,
      };
    case "switch": {
      const otherwise = state.default && transitionExit(context, state.default, { owner: state, key: "default" });
      if (state.dataConditions)
        return {
          ...base,
          kind: "switch",
          otherwise,
          cases: state.dataConditions.map((each) => ({
            name: undefined,
            when: caseCondition(context, each),
            exit: exitOf(context, each),
            place: { owner: each },
          })),
        };
      return {
        ...base,
        kind: "event switch",
        otherwise,
        eventTimeout: state.eventTimeout,
        cases: (state.eventConditions ?? []).map((each) => ({
          name: undefined,
          event: eventNamed(context, each.eventRef, each),
          filter: eventFilter(context, each.eventRef, each),
          exit: exitOf(context, each),
          place: { owner: each },
        })),
      };
    }
  }
}

/** A run that events start begins with an empty object, which a filter does not change. */
function startOf(context: ReaderContext, state: EventState): { readonly input: undefined } {
  const place = { owner: state, key: "eventsActions" };
  context.tell(assumption, place, {
    expression: "schedule.on",
    assumed: "only events create runs",
    otherwise: "A run that is called gets the events as its input: an array.",
  });
  if (state.exclusive === false && state.timeout !== undefined)
    context.tell(
      noForm,
      { owner: state, key: "timeout" },
      { construct: "a timeout between events that create a run", hint: "Wait for the others with `listen`." },
    );
  return { input: undefined };
}

function baseOf(context: ReaderContext, state: Written): StateBase {
  const { name, stateDataFilter: filter = {}, start, metadata } = state;
  if (start?.schedule)
    context.tell(
      noForm,
      { owner: start, key: "schedule" },
      {
        construct: "a window in which runs may start",
        hint: "Check the time in a `switch`, or disable the trigger outside.",
      },
    );
  return {
    name,
    place: { owner: state },
    metadata: metadata !== undefined && isObject(metadata) ? metadata : undefined,
    input: filterAt(context, filter, "dataInputPath"),
    output: filterAt(context, filter, "dataOutputPath"),
    timeout: undefined,
    retries: readRetries(context, state.retry ?? []),
    handlers: readHandlers(context, state.onError ?? []),
  };
}

function subflowAction(state: Extract<Written, { readonly type: "subflow" }>): Action {
  const isAwaited = state.waitForCompletion ?? false;
  return {
    name: undefined,
    place: { owner: state },
    work: { kind: "subflow", id: state.workflowId, version: undefined, isAwaited },
    condition: undefined,
    before: undefined,
    after: undefined,
    from: undefined,
    results: undefined,
    to: undefined,
    isResultUsed: isAwaited,
    timeout: undefined,
    isTimeoutIgnored: false,
    retry: undefined,
  };
}

const inner = (context: ReaderContext): ReaderContext => ({ ...context, isNested: true });

function branchesOf(context: ReaderContext, state: ParallelState): Pick<Parallel, "branches" | "count"> {
  const { completionType = "and", n, branches } = state;
  return {
    count: completionType === "and" ? undefined : completionType === "xor" ? 1 : n,
    branches: branches.map(
      (branch): Branch => ({
        name: branch.name,
        place: { owner: branch },
        timeout: undefined,
        body: { kind: "states", states: readStates(inner(context), branch.states, undefined) },
        mayYieldOther: branch.states.some(
          ({ end, stateDataFilter }) => end && stateDataFilter?.dataOutputPath !== undefined,
        ),
      }),
    ),
  };
}

type Iterations = Pick<
  ForEachState,
  "items" | "item" | "results" | "replacesResults" | "collects" | "isParallel" | "body"
>;

function iterationsOf(context: ReaderContext, state: ForeachState): Iterations {
  const { inputCollection, inputParameter, outputCollection, max, timeDelay, states } = state;
  const at = (key: string) => ({ owner: state, key });
  const items = pathProgram(context, inputCollection, at("inputCollection"));
  const item = pathProgram(context, inputParameter, at("inputParameter"));
  if (item && item.names?.length !== 1)
    context.tell(noForm, at("inputParameter"), {
      construct: "a path of several members for an element",
      hint: "Name one member.",
    });
  if (timeDelay !== undefined)
    context.tell(noForm, at("timeDelay"), {
      construct: "a time between the starts of iterations",
      hint: "Begin the iteration with a `wait`.",
    });
  const results =
    outputCollection === undefined ? undefined : placeOf(context, outputCollection, at("outputCollection"));
  return {
    items: items?.isDefinite ? `${items.jq} // []` : (items?.jq ?? "[]"),
    item: item?.names?.at(-1) ?? "item",
    results,
    replacesResults: true,
    collects: results ? collected(context, state) : "data",
    isParallel: max !== 1,
    body: { kind: "states", states: readStates(inner(context), states, undefined) },
  };
}

/** A state without an output filter ends an iteration with what it changed. */
function collected(context: ReaderContext, state: ForeachState): ForEachState["collects"] {
  const ends = state.states.filter(({ end }) => end);
  const filtered = ends.filter(({ stateDataFilter }) => stateDataFilter?.dataOutputPath !== undefined);
  if (filtered.length > 0 && filtered.length < ends.length)
    context.tell(
      similarForm,
      { owner: state, key: "outputCollection" },
      {
        construct: "An iteration with several ends",
        form: "an iteration that returns its data",
        difference: "an end without an output filter returns only what the iteration changed",
      },
    );
  return filtered.length > 0 ? "data" : "changes";
}
