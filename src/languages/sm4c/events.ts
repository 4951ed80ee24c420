import {
  and,
  binary,
  bind,
  call,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  query,
  variable,
} from "../../expressions/index.ts";
import type { Transition, EventDefinition as Written } from "../../generated/sm4c-definition.ts";
import type { EventCombination, EventDefinition, EventPattern } from "../../ir/workflow.ts";
import type { JqBinding } from "../shared/jq.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, type StepFragment, sequence } from "../shared/steps.ts";
import { type Context, dataName, type Writer } from "./context.ts";
import { conditionAt, handlerAt } from "./expressions.ts";
import { findByName, resolveName } from "./names.ts";

/** Lowers events; those without type and source have a subject. */
export const lowerEvents = (context: Context): readonly EventDefinition[] =>
  context.events.all.map((event) => ({
    name: event.name,
    ...attributesOf(event),
    foldCase: true,
    span: spanOf(context, event, "name"),
  }));

const attributesOf = ({ name, type, source }: Written): Pick<EventDefinition, "type" | "source" | "subject"> =>
  type === undefined && source === undefined ? { subject: name } : { type, source };

/** The alternative of a transition: one event per group. */
export function alternativeOf(
  writer: Writer,
  transition: Transition,
  timeout: Pick<EventCombination, "within" | "spans">,
): EventCombination {
  const { context, scope } = writer;
  const all = transition.eventGroups!.map((group) =>
    group.events.map((written, i): EventPattern => {
      const span = spanOf(context, group.events, i);
      const name = resolveName(context, context.events, written, span)?.name ?? written;
      if (group.condition === undefined) return { event: { name, span } };
      const value = eventBinding(variable("event"), nameOf(context, [name], variable("event"), literal(name)));
      return { event: { name, span }, when: conditionAt(context, group, "condition", { ...scope, value }) };
    }),
  );
  return { all, none: [], ...timeout, span: spanOf(context, transition, "eventGroups", "key") };
}

/** Applies the result handlers of a transition's groups. */
export function handleGroups(writer: Writer, transition: Transition): StepFragment {
  const { context } = writer;
  const handled = transition.eventGroups!.flatMap((group, index) => {
    if (group.resultHandler === undefined) return [];
    const span = spanOf(context, group, "resultHandler");
    const names = [...new Set(group.events.map((each) => findByName(context.events, each)?.name ?? each))];
    const defined = names.length === 1 ? literal(names[0]!) : receivedPart(index, "name");
    const event = receivedPart(index, "event");
    const seen = eventBinding(event, nameOf(context, names, event, defined));
    const value = handlerAt(context, group, "resultHandler", seen);
    return [assign(writer, "event", span, { variable: dataName, value })];
  });
  return sequence(...handled);
}

const received: Expression = variable("received");

/** Whether this alternative ended the wait. */
export const isAlternative = (alternative: number): Expression =>
  binary("==", member(received, "alternative"), literal(alternative));

const receivedPart = (group: number, part: "event" | "name"): Expression =>
  query(received, [
    { descend: false, selectors: [{ kind: "name", name: "groups" }] },
    { descend: false, selectors: [{ kind: "index", index: group }] },
    { descend: false, selectors: [{ kind: "name", name: part }] },
  ]);

/**
 * The name of the event that arrived, as the engine has it: its subject, if that is the name of its definition but for
 * case. An event that its type or source selects may have another subject; its name is then the definition's.
 */
function nameOf(context: Context, names: readonly string[], event: Expression, defined: Expression): Expression {
  const subject = firstOr(member(event, "subject"), literal(null));
  if (names.every((name) => attributesOf(findByName(context.events, name) ?? { name }).subject !== undefined))
    return subject;
  const name = variable("event subject");
  const isName = and(
    binary("==", call("type", name), literal("string")),
    binary("==", call("ascii_downcase", name), call("ascii_downcase", defined)),
  );
  return bind("event subject", subject, conditional(isName, name, defined));
}

/** A CloudEvent with .NET's member names too. */
function eventBinding(event: Expression, name: Expression): JqBinding {
  const partOf = (whole: Expression, part: string): Expression => {
    if (part === "EventName") return name;
    if (part === "ContextAttributes") return extensions(whole);
    return firstOr(member(whole, attributeNames.get(part) ?? part), literal(null));
  };
  const parts = ["EventId", "EventName", "EventSource", "EventType", "Timestamp", "Data", "ContextAttributes"];
  return {
    value: event,
    member: partOf,
    whole: (value) => binary("+", value, object(parts.map((part) => [part, partOf(value, part)] as const))),
  };
}

const attributeNames: ReadonlyMap<string, string> = new Map([
  ["EventId", "id"],
  ["EventSource", "source"],
  ["EventType", "type"],
  ["Timestamp", "time"],
  ["Data", "data"],
]);

const standardAttributes = "specversion id source type subject time datacontenttype dataschema data".split(" ");

const extensions = (event: Expression): Expression =>
  call("delpaths", event, literal(standardAttributes.map((name) => [name])));
