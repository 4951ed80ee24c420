import { expressionDiagnostic } from "../../diagnostics/data.ts";
import { unknownEvent } from "../../diagnostics/flow.ts";
import {
  alternativesOf,
  balanced,
  binary,
  bind,
  call,
  conditional,
  type EventAlternative,
  type Expression,
  identity,
  isParseError,
  literal,
  member,
  parseEvents,
  query,
  reduce,
  type Segment,
  variable,
} from "../../expressions/index.ts";
import type { EventState, EventStruct, EventTrigger } from "../../generated/function-workflow-definition.ts";
import type { EventCombination, EventDefinition } from "../../ir/workflow.ts";
import { pathAt, spanOf, statedSpan } from "../shared/properties.ts";
import {
  assign,
  type ChoiceCase,
  choose,
  declare,
  failWith,
  type StepFragment,
  sequence,
  step,
} from "../shared/steps.ts";
import { lowerActions } from "./actions.ts";
import { type Context, data, type Writer } from "./context.ts";
import {
  eventNameComparison,
  indistinguishableTriggers,
  missingToken,
  multipleValues,
  timeoutWithoutEndState,
} from "./diagnostics/kinds.ts";
import { timeoutOf } from "./durations.ts";
import { timeoutError } from "./errors.ts";
import { outputFilter, selectorAt } from "./filters.ts";
import { nameSpan } from "./plan.ts";
import { leave } from "./transitions.ts";

/** `first` is the index of its first alternative in the state. */
interface AwaitedEntry {
  readonly struct: EventStruct;
  readonly first: number;
  readonly alternatives: readonly EventCombination[];
  readonly seconds: number | undefined;
}

/** Function Workflow 0.1, Event State: the combinations of events that satisfy each entry, in source order. */
export function awaitedEntries(context: Context, state: EventState): readonly AwaitedEntry[] {
  let first = 0;
  return state.events.map((struct) => {
    const seconds = timeoutOf(context, struct);
    const span = spanOf(context, struct, "event-expression");
    const alternatives = readExpression(context, struct).map(
      ({ all, none }): EventCombination => ({
        all: all.map((each) => [patternOf(context, struct, each)]),
        none: none.map((each) => patternOf(context, struct, each)),
        within: seconds,
        spans: { within: statedSpan(context, struct, "timeout") },
        span,
      }),
    );
    first += alternatives.length;
    return { struct, first: first - alternatives.length, alternatives, seconds };
  });
}

function readExpression(context: Context, struct: EventStruct): readonly EventAlternative[] {
  const { document, report } = context;
  const key = "event-expression";
  const spanAt = (from: number, to: number) => document.spanWithin(struct, key, from, to);
  const parsed = parseEvents(struct[key], { names: new Set(context.triggers.keys()) });
  const found = isParseError(parsed) ? parsed : alternativesOf(parsed.expression);
  if (!isParseError(parsed))
    for (const { from, to, message } of parsed.warnings) report(eventNameComparison(spanAt(from, to), { message }));
  if (!isParseError(found)) return found;
  const span = spanAt(found.from, found.to);
  const name = struct[key].slice(found.from, found.to);
  report(
    found.category === "unknown"
      ? unknownEvent(span, { name, known: context.triggers.keys(), under: "trigger-defs" })
      : expressionDiagnostic(span, found, "condition"),
  );
  return [];
}

const patternOf = (
  { document }: Context,
  struct: EventStruct,
  { name, from, to }: EventAlternative["all"][number],
): EventCombination["all"][number][number] => ({
  event: { name, span: document.spanWithin(struct, "event-expression", from, to) },
});

const received = variable("received");

/** Waits for the first true entry, then handles its events. */
export function lowerEventState(writer: Writer, state: EventState): StepFragment {
  const { context } = writer;
  const awaited = awaitedEntries(context, state);
  const span = spanOf(context, state, "events", "key");
  const bind = declare(writer, "received");
  const alternatives = awaited.flatMap((each) => each.alternatives);
  const waited = step(writer, "wait", span, (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind,
    next,
  }));
  const late = awaited.every(({ seconds }) => seconds !== undefined) ? [timeoutCase(writer, awaited)] : [];
  const cases = awaited.map(
    (each): ChoiceCase => ({
      when: isEntry(each),
      span: spanOf(context, each.struct),
      build: () => handleEvents(writer, each),
    }),
  );
  const last = cases.pop()!;
  const all = [...late, ...cases];
  return sequence(waited, all.length === 0 ? last.build() : choose(writer, "which", span, all, last.build));
}

function isEntry({ first, alternatives }: AwaitedEntry): Expression {
  const took = alternatives.map((_, i) => binary("==", member(received, "alternative"), literal(first + i)));
  return balanced("or", took);
}

/** Continues at the only END state with the original data; otherwise fails. */
function timeoutCase(writer: Writer, awaited: readonly AwaitedEntry[]): ChoiceCase {
  const { context, plan, name } = writer;
  const span = spanOf(context, awaited.at(-1)!.struct, "timeout");
  const ends = [...plan.states].filter(([, { type }]) => type === "END").map(([end]) => end);
  const [end] = ends;
  const when = binary("==", member(received, "alternative"), literal(null));
  if (end !== undefined && ends.length === 1)
    return { when, span, build: () => () => ({ name: plan.entries.get(end)!, span }) };
  context.report(timeoutWithoutEndState(span, { count: ends.length }));
  const message = `The events of event state ${name} did not come in time.`;
  return {
    when,
    span,
    build: () => failWith(writer, "timeout", span, { origin: "timeout", name: timeoutError, message }),
  };
}

function handleEvents(writer: Writer, { struct, alternatives }: AwaitedEntry): StepFragment {
  const merged = mergeEvents(writer.context, struct, alternatives);
  const onward = leave(writer, struct);
  if (!struct.actions?.length) return sequence(outputFilter(writer, merged), onward);
  const value = variable(declare(writer, "merged"));
  const kept = assign(writer, "event", spanOf(writer.context, struct), { variable: "merged", value: merged });
  return sequence(kept, lowerActions(writer, struct, value), onward);
}

const nameSegment = (name: string): Segment => ({ descend: false, selectors: [{ kind: "name", name }] });

function mergeEvents(context: Context, struct: EventStruct, alternatives: readonly EventCombination[]): Expression {
  const names = [...new Set(alternatives.flatMap(({ all }) => all.flat().map(({ event }) => event.name)))];
  const events = [nameSegment("events")];
  if (alternatives.every(({ all }) => all.length === 1)) {
    const first = query(received, [...events, { descend: false, selectors: [{ kind: "index", index: 0 }] }]);
    return mergeArrival(context, struct, names, data, first);
  }
  const source = query(received, [...events, { descend: false, selectors: [{ kind: "wildcard" }] }]);
  const update = bind("before", identity, mergeArrival(context, struct, names, variable("before"), variable("each")));
  return reduce(source, "each", data, update);
}

function mergeArrival(
  context: Context,
  struct: EventStruct,
  names: readonly string[],
  before: Expression,
  arrival: Expression,
): Expression {
  const event = member(arrival, "event");
  const taken = selectedEvent(context, struct, names, { arrival, event });
  if (taken === event) return conditional(isObjectType(before), binary("+", before, event), event);
  const both = balanced("and", [isObjectType(before), isObjectType(variable("taken"))]);
  return bind("taken", taken, conditional(both, binary("+", before, variable("taken")), variable("taken")));
}

const isObjectType = (value: Expression): Expression => binary("==", call("type", value), literal("object"));

/** By default the whole event. */
function selectedEvent(
  context: Context,
  struct: EventStruct,
  names: readonly string[],
  { arrival, event }: { readonly arrival: Expression; readonly event: Expression },
): Expression {
  const own = selectorAt(context, struct, "InputPath");
  if (own) return own(event);
  const filtered = names.flatMap((name) => {
    const select = selectorAt(context, context.triggers.get(name)!, "InputPath");
    return select ? [{ name, select }] : [];
  });
  return filtered.reduceRight<Expression>(
    (otherwise, { name, select }) =>
      names.length === 1 ? select(event) : conditional(isCalled(arrival, name), select(event), otherwise),
    event,
  );
}

const isCalled = (arrival: Expression, name: string): Expression =>
  binary("==", member(arrival, "name"), literal(name));

/** Lowers triggers to event definitions. The name of a trigger without type is its type. */
export function lowerEvents(context: Context): readonly EventDefinition[] {
  const { triggers, document, definition } = context;
  const spanOfTrigger = (name: string) => nameSpan(document, definition["trigger-defs"]!, name);
  const first = new Map<string, string>();
  return [...triggers].map(([name, trigger]) => {
    const { source, type = name } = trigger;
    const span = spanOfTrigger(name);
    const key = JSON.stringify([type, source, trigger["correlation-token"]]);
    const same = first.get(key);
    if (same === undefined) first.set(key, name);
    else
      context.report(
        indistinguishableTriggers(span, { name, first: same }, [
          { message: `\`${same}\` is here.`, span: spanOfTrigger(same) },
        ]),
      );
    if (triggers.size > 1 && trigger["correlation-token"] === undefined) context.report(missingToken(span, { name }));
    return { name, type, source, correlation: correlationOf(context, trigger), span };
  });
}

function correlationOf(context: Context, trigger: EventTrigger): Expression | undefined {
  if (trigger["correlation-token"] === undefined) return undefined;
  const path = pathAt(context, trigger, "correlation-token", variable("event"));
  if (!path) return undefined;
  const span = spanOf(context, trigger, "correlation-token");
  if (!path.definite)
    context.report(multipleValues(span, { path: trigger["correlation-token"], what: "A correlation token" }));
  return path.definite ? path.query : undefined;
}
