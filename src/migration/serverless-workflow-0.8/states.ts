import { assumption, noForm } from "../../diagnostics/migration.ts";
import { isObject, type JsonObject, own } from "../../json.ts";
import { isTimeSyntaxError, parseDuration, secondsOf } from "../../text/iso8601.ts";
import { operand, yieldsObject } from "../jq-text.ts";
import type { ErrorHandler, EventEntry, EventSwitchState, Filter, State, SwitchState } from "../model.ts";
import { errorsAt, readAction, readActions } from "./actions.ts";
import { numberAt, objectAt, objectsAt, type ReaderContext, textAt } from "./context.ts";
import { eventFilter, eventNamed, exitOf } from "./events.ts";
import { pathAt, programAt } from "./programs.ts";

/** Reads the states of a definition, the start state first. */
export function readStates(context: ReaderContext): readonly State[] {
  const states = objectsAt(context.definition, "states");
  const start = own(context.definition, "start");
  const name = typeof start === "string" ? start : isObject(start) ? textAt(start, "stateName") : undefined;
  const first = states.find((state) => textAt(state, "name") === name);
  const ordered = first ? [first, ...states.filter((state) => state !== first)] : states;
  return ordered.flatMap((state) => readState(context, state) ?? []);
}

function readState(context: ReaderContext, state: JsonObject): State | undefined {
  if (own(state, "usedForCompensation") === true || own(state, "compensatedBy") !== undefined)
    context.tell(
      noForm,
      { owner: state, key: own(state, "compensatedBy") === undefined ? "usedForCompensation" : "compensatedBy" },
      { construct: "compensation", hint: "Undo completed work in `catch.do`, or in tasks before the end." },
    );
  if (own(state, "usedForCompensation") === true) return undefined;
  const base = {
    name: textAt(state, "name") ?? "",
    place: { owner: state },
    metadata: objectAt(state, "metadata"),
    ...filtersOf(context, state),
    timeout: timeoutOf(context, state, "stateExecTimeout"),
    retries: [],
    handlers: objectsAt(state, "onErrors").map((each) => handlerOf(context, each)),
  };
  const exit = exitOf(context, state);
  const actionTimeout = timeoutOf(context, state, "actionExecTimeout");
  const actions = () => readActions(context, state, actionTimeout);
  switch (textAt(state, "type")?.toLowerCase()) {
    case "operation":
      return {
        ...base,
        kind: "operation",
        exit,
        isParallel: textAt(state, "actionMode") === "parallel",
        actions: actions(),
      };
    case "sleep":
      return { ...base, kind: "sleep", exit, duration: textAt(state, "duration") ?? "PT0S" };
    case "inject":
      return { ...base, kind: "inject", exit, data: objectAt(state, "data") ?? {} };
    case "foreach":
      return {
        ...base,
        kind: "foreach",
        exit,
        items: programAt(context, state, "inputCollection") ?? ".",
        item: textAt(state, "iterationParam") ?? "item",
        results: pathAt(context, state, "outputCollection"),
        replacesResults: false,
        collects: "data",
        isParallel: textAt(state, "mode") !== "sequential",
        body: { kind: "actions", actions: actions() },
      };
    case "parallel":
      return {
        ...base,
        kind: "parallel",
        exit,
        count: textAt(state, "completionType") === "atLeast" ? numberAt(state, "numCompleted") : undefined,
        branches: objectsAt(state, "branches").map((branch) => ({
          name: textAt(branch, "name") ?? "",
          place: { owner: branch },
          timeout: timeoutOf(context, branch, "branchExecTimeout") ?? timeoutOf(context, state, "branchExecTimeout"),
          body: {
            kind: "actions",
            actions: readActions(context, branch, timeoutOf(context, branch, "actionExecTimeout") ?? actionTimeout),
          },
          mayYieldOther: false,
        })),
      };
    case "event":
      return {
        ...base,
        kind: "event",
        exit,
        isExclusive: own(state, "exclusive") !== false,
        entries: objectsAt(state, "onEvents").map((entry) => entryOf(context, entry, actionTimeout)),
        eventTimeout: timeoutOf(context, state, "eventTimeout"),
      };
    case "callback":
      return {
        ...base,
        kind: "callback",
        exit,
        action: readAction(context, objectAt(state, "action") ?? {}, actionTimeout),
        event: eventNamed(context, textAt(state, "eventRef") ?? "", { owner: state }),
        filter: eventFilter(context, state),
        eventTimeout: timeoutOf(context, state, "eventTimeout"),
      };
    default:
      return { ...base, ...casesOf(context, state) };
  }
}

type SwitchParts<S> = S extends unknown
  ? Omit<S, "name" | "place" | "input" | "output" | "timeout" | "retries" | "handlers">
  : never;

function casesOf(context: ReaderContext, state: JsonObject): SwitchParts<SwitchState | EventSwitchState> {
  const fallback = own(state, "defaultCondition");
  const otherwise =
    fallback === undefined ? undefined : exitOf(context, isObject(fallback) ? fallback : { transition: fallback });
  const data = objectsAt(state, "dataConditions");
  if (data.length > 0)
    return {
      kind: "switch",
      otherwise,
      cases: data.map((each) => ({
        name: textAt(each, "name"),
        when: programAt(context, each, "condition") ?? "true",
        exit: exitOf(context, each),
        place: { owner: each },
      })),
    };
  return {
    kind: "event switch",
    otherwise,
    eventTimeout: timeoutOf(context, state, "eventTimeout") ?? textAt(state, "eventTimeout"),
    cases: objectsAt(state, "eventConditions").map((each) => ({
      name: textAt(each, "name"),
      event: eventNamed(context, textAt(each, "eventRef") ?? "", { owner: each }),
      filter: eventFilter(context, each),
      exit: exitOf(context, each),
      place: { owner: each },
    })),
  };
}

function entryOf(context: ReaderContext, entry: JsonObject, timeout: string | undefined): EventEntry {
  const names = own(entry, "eventRefs");
  return {
    events: (Array.isArray(names) ? names : []).map((name) => eventNamed(context, String(name), { owner: entry })),
    filter: eventFilter(context, entry),
    actions: readActions(context, entry, timeout),
    place: { owner: entry },
  };
}

function filtersOf(
  context: ReaderContext,
  state: JsonObject,
): { readonly input: Filter | undefined; readonly output: Filter | undefined } {
  const filters = objectAt(state, "stateDataFilter") ?? {};
  const filter = (key: string): Filter | undefined => {
    const jq = programAt(context, filters, key);
    if (jq === undefined || jq === ".") return undefined;
    const place = { owner: filters, key };
    if (!yieldsObject(jq))
      context.tell(assumption, place, {
        expression: jq,
        assumed: "the filter yields a value other than null",
        otherwise: `0.8 keeps all data otherwise: \`${operand(jq)} // .\`.`,
      });
    return { jq, place };
  };
  return { input: filter("input"), output: filter("output") };
}

function handlerOf(context: ReaderContext, handler: JsonObject): ErrorHandler {
  const errors = errorsAt(context, handler, "errorRef") ?? errorsAt(context, handler, "errorRefs");
  const isAny = errors === undefined || errors.some(({ name }) => name === "*");
  return {
    errors: isAny ? undefined : errors,
    except: [],
    merge: undefined,
    exit: exitOf(context, handler),
    place: { owner: handler },
  };
}

/** The nearest definition of a timeout. SonataFlow has only those of events and workflows. */
export function timeoutOf(context: ReaderContext, owner: JsonObject, key: string): string | undefined {
  if (context.isSonataFlow && key !== "eventTimeout") return undefined;
  for (const each of [owner, context.definition]) {
    const timeouts = objectAt(each, "timeouts");
    const value = timeouts && own(timeouts, key);
    if (typeof value === "string") return value;
    if (isObject(value)) return shorter(textAt(value, "single"), textAt(value, "total"));
  }
  return undefined;
}

/** States are not retried as a whole, so that the shorter limit of one attempt and of all attempts applies. */
function shorter(single: string | undefined, total: string | undefined): string | undefined {
  if (single === undefined || total === undefined) return single ?? total;
  const [first, second] = [single, total]
    .map(parseDuration)
    .map((each) => (isTimeSyntaxError(each) ? Number.POSITIVE_INFINITY : secondsOf(each).seconds));
  return first! <= second! ? single : total;
}
