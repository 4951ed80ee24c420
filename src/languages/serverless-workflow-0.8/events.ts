import {
  and,
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  firstOr,
  identity,
  literal,
  member,
  query,
  readJq,
  reduce,
  simplify,
  substitute,
  variable,
} from "../../expressions/index.ts";
import type {
  EventDataFilter,
  ProducedEvent,
  EventDefinition as Written,
} from "../../generated/serverless-workflow-0.8-definition.ts";
import type { EventCombination, EventDefinition, EventPattern } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { declare, type StepFragment, step } from "../shared/steps.ts";
import { type Context, data, type Writer } from "./context.ts";
import { mergeValue } from "./data.ts";
import { eventKind, mixedCorrelation, otherInSonataflow, uncorrelatedEvent } from "./diagnostics/kinds.ts";
import { reportUnused } from "./errors.ts";
import { expressionAt, templateAt } from "./expressions.ts";
import type { Timeout } from "./timeouts.ts";

const event = variable("event");
const received = variable("received");

/** Lowers the event definitions. All correlated events must have the same correlation attributes without values. */
export function lowerEvents(context: Context): readonly EventDefinition[] {
  const events = [...context.events.values()];
  const correlated = events.filter((each) => keysOf(each).length > 0);
  const [first] = correlated;
  const other = correlated.find((each) => keysOf(each).join() !== keysOf(first!).join());
  if (first && other) {
    const note = {
      message: "It has other attributes than this one.",
      span: spanOf(context, first, "correlation", "key"),
    };
    const args = { events: [first.name, other.name] };
    context.report(mixedCorrelation(spanOf(context, other, "correlation", "key"), args, [note]));
  }
  return events.map((each) => lowerEvent(context, each));
}

const keysOf = ({ correlation = [] }: Written): readonly string[] =>
  correlation
    .filter(({ contextAttributeValue }) => contextAttributeValue === undefined)
    .map(({ contextAttributeName }) => contextAttributeName.toLowerCase())
    .sort();

const attribute = (name: string): Expression => call("attribute", event, literal(name));

function lowerEvent(context: Context, written: Written): EventDefinition {
  const { name, type, source, metadata } = written;
  const keys = keysOf(written);
  const correlation = keys.length === 0 ? undefined : keys.length === 1 ? attribute(keys[0]!) : attributesAsText(keys);
  return {
    name,
    type,
    source: source === "" ? undefined : source,
    correlation,
    correlationKey: keys.length === 0 ? undefined : keys.join(" "),
    correlationAttribute: keys.length === 1 ? keys[0] : undefined,
    metadata,
    span: spanOf(context, written, "name"),
  };
}

/** Several attributes are one value: the JSON text of their array, or null if one is absent. */
function attributesAsText(keys: readonly string[]): Expression {
  const program = readJq("$all | if any(. == null) then null else tojson end", { variables: ["all"] });
  if (!("expression" in program)) throw new Error("The correlation of several attributes is not valid jq.");
  return substitute(program.expression, new Map([["all", collect(comma(...keys.map(attribute)))]]));
}

/** The pattern of the event in `owner[key]`, with its correlation by values. */
export function patternOf(
  context: Context,
  owner: object,
  key: string | number,
  name: string,
  starts: boolean,
): EventPattern {
  const span = spanOf(context, owner, key);
  const definition = context.events.get(name);
  if (!definition) return { event: { name, span } };
  if (definition.kind === "produced") context.report(eventKind(span, { name, isProduced: true }));
  const rules = definition.correlation ?? [];
  if (rules.length === 0 && !starts) context.report(uncorrelatedEvent(span, { name }));
  if (context.dialect === "sonataflow" && !starts && !context.found.hasOtherCorrelation) {
    context.found.hasOtherCorrelation = true;
    context.report(
      otherInSonataflow(span, {
        here: "Only `correlation` relates this event to a run",
        there: "also passes it to the run that its attribute `kogitoprocrefid` names",
      }),
    );
  }
  const conditions = rules
    .filter(({ contextAttributeValue }) => contextAttributeValue !== undefined)
    .map((rule) => {
      const value = templateAt(context, rule, "contextAttributeValue", starts ? { input: literal({}) } : {});
      return equalAsText(attribute(rule.contextAttributeName.toLowerCase()), value);
    });
  return { event: { name, span }, ...(conditions.length > 0 ? { when: simplify(balanced("and", conditions)) } : {}) };
}

function equalAsText(left: Expression, right: Expression): Expression {
  const asText = (value: Expression) => {
    const type = call("type", value);
    return conditional(binary("==", type, literal("string")), value, call("tostring", value));
  };
  const name = variable("attribute");
  const isPresent = binary("!=", name, literal(null));
  return bind("attribute", left, and(isPresent, binary("==", asText(name), asText(right))));
}

/** Waits for the first combination; binds `received`. */
export function waitFor(
  writer: Writer,
  span: Span,
  alternatives: readonly EventCombination[],
  what = "wait",
): StepFragment {
  const bound = declare(writer, "received");
  return step(writer, what, span, (base, next) => ({
    ...base,
    kind: "receive",
    alternatives,
    unused: "keep",
    bind: bound,
    next,
  }));
}

/** A combination of groups; any event satisfies its group. */
export const combinationOf = (
  context: Context,
  all: EventCombination["all"],
  span: Span,
  timeout: Timeout | undefined,
): EventCombination => ({
  all,
  none: [],
  within: timeout?.seconds,
  spans: { within: timeout && spanOf(context, timeout.owner, timeout.key) },
  span,
});

/** Whether this combination ended the wait; null is the timeout. */
export const isAlternative = (alternative: number | null): Expression =>
  binary("==", member(received, "alternative"), literal(alternative));

/** The first event that a wait received, as the value that the state sees. */
export const receivedValue = (context: Context, name: string): Expression =>
  valueOfEvent(context, name, query(received, [memberStep("events"), indexStep(0), memberStep("event")]));

const memberStep = (name: string) => ({ descend: false, selectors: [{ kind: "name", name }] }) as const;
const indexStep = (index: number) => ({ descend: false, selectors: [{ kind: "index", index }] }) as const;

/** The payload of an event, or the whole event. */
function valueOfEvent(context: Context, name: string, whole: Expression): Expression {
  const isWhole = context.events.get(name)?.dataOnly === false;
  return firstOr(isWhole ? whole : member(whole, "data"), literal(null));
}

/** Serverless Workflow 0.8, Event Data Filters: the target with a received event merged into it. */
export function mergeReceived(
  context: Context,
  name: string,
  filter: EventDataFilter | undefined,
  value = receivedValue(context, name),
  target = data,
): Expression {
  if (filter?.useData === false) {
    reportUnused(context, filter, ["data", "toStateData"], "`useData` is false");
    return target;
  }
  const selected = filter?.data === undefined ? value : expressionAt(context, filter, "data", { input: value });
  return mergeValue(context, selected, { filter, key: name }, target);
}

/** The data with all received events of these names merged, in order of arrival. */
export function mergeAllReceived(
  context: Context,
  names: readonly string[],
  filter: EventDataFilter | undefined,
): Expression {
  const each = variable("each");
  const target = variable("merged");
  const cases = names.reduceRight<Expression>((otherwise, name) => {
    const value = valueOfEvent(context, name, member(each, "event"));
    const isOne = binary("==", member(each, "name"), literal(name));
    return conditional(isOne, mergeReceived(context, name, filter, value, target), otherwise);
  }, target);
  const events = query(received, [memberStep("events"), { descend: false, selectors: [{ kind: "wildcard" }] }]);
  return reduce(events, "each", data, bind("merged", identity, cases));
}

/** Context attributes are strings; null omits them. */
function textOf(value: Expression): Expression {
  if (value.kind === "literal")
    return literal(typeof value.value === "string" ? value.value : JSON.stringify(value.value));
  const given = variable("given");
  const isText = binary("==", call("type", given), literal("string"));
  const isNone = binary("==", given, literal(null));
  const text = conditional(isNone, literal(null), call("tojson", given));
  return bind("given", value, conditional(isText, given, text));
}

/** Serverless Workflow 0.8, ProducedEvent Definition: produces an event; without `data`, its payload is `whole`. */
export function emitEvent(
  writer: Writer,
  produced: Pick<ProducedEvent, "data" | "contextAttributes"> & object,
  reference: { readonly name: string; readonly span: Span },
  input: Expression = data,
  whole: Expression = literal({}),
): StepFragment {
  const { context, locals } = writer;
  const definition = context.events.get(reference.name);
  if (definition && definition.kind !== "produced")
    context.report(eventKind(reference.span, { name: reference.name, isProduced: false }));
  const scope = { input, locals };
  const payload =
    produced.data === undefined
      ? whole
      : typeof produced.data === "string"
        ? expressionAt(context, produced, "data", scope)
        : templateAt(context, produced, "data", scope);
  const { contextAttributes } = produced;
  const attributes = Object.keys(contextAttributes ?? {}).map(
    (name) => [name.toLowerCase(), textOf(templateAt(context, contextAttributes!, name, scope))] as const,
  );
  const source = definition && !definition.source ? [["source", literal(`/${context.id}`)] as const] : [];
  const all = [...source, ...attributes];
  return step(writer, "emit", reference.span, (base, next) => ({
    ...base,
    kind: "emit",
    event: reference,
    data: simplify(payload),
    ...(all.length > 0 ? { attributes: Object.fromEntries(all) } : {}),
    next,
  }));
}
