import { noForm, similarForm } from "../../diagnostics/migration.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Continuation, EventDefinition, EventFilter, Exit, Place, ProducedEvent } from "../model.ts";
import { objectAt, objectsAt, type ReaderContext, textAt } from "./context.ts";
import { pathAt, programAt, templateAt } from "./programs.ts";

/** The event of a name. Its definition exists: the definition was checked. */
export function eventNamed(context: ReaderContext, name: string, place: Place): EventDefinition {
  const event = context.events.get(name) ?? (place.owner as JsonObject);
  return {
    name,
    type: textAt(event, "type") ?? name,
    source: textAt(event, "source") || undefined,
    dataOnly: own(event, "dataOnly") !== false,
    correlation: objectsAt(event, "correlation").map((rule) => ({
      attribute: textAt(rule, "contextAttributeName") ?? "",
      value: templateAt(context, rule, "contextAttributeValue"),
    })),
  };
}

/** The filter of an event's data. */
export function eventFilter(context: ReaderContext, owner: JsonObject): EventFilter {
  const filter = objectAt(owner, "eventDataFilter") ?? {};
  return {
    isUsed: own(filter, "useData") !== false,
    data: programAt(context, filter, "data"),
    to: pathAt(context, filter, "toStateData"),
  };
}

/** An event that a transition or action emits. */
export function producedEvent(context: ReaderContext, owner: JsonObject, key: string): ProducedEvent {
  const data = own(owner, "data");
  const attributes = templateAt(context, owner, "contextAttributes");
  return {
    event: eventNamed(context, textAt(owner, key) ?? "", { owner }),
    data: typeof data === "string" ? `\${ ${programAt(context, owner, "data")} }` : templateAt(context, owner, "data"),
    attributes: isObject(attributes) ? attributes : {},
    place: { owner },
  };
}

/** How an owner with `transition` or `end` is left. */
export function exitOf(context: ReaderContext, owner: JsonObject): Exit {
  const [key, value] = exitValue(owner);
  const place: Place = { owner, key };
  const nothing = { events: [], continuation: undefined, endsRun: false, condition: undefined, place };
  if (typeof value === "string") return { ...nothing, to: value };
  if (!isObject(value)) return { ...nothing, to: undefined };
  const to = key === "transition" ? textAt(value, "nextState") : undefined;
  reportLosses(context, value);
  const events = objectsAt(value, "produceEvents").map((each) => producedEvent(context, each, "eventRef"));
  return { ...nothing, to, events, continuation: continuationOf(context, value) };
}

function exitValue(owner: JsonObject): readonly [key: "transition" | "end" | undefined, value: Json | undefined] {
  for (const key of ["transition", "end"] as const) {
    const value = own(owner, key);
    if (value !== undefined && value !== false) return [key, value];
  }
  return [undefined, undefined];
}

function continuationOf(context: ReaderContext, exit: JsonObject): Continuation | undefined {
  const value = own(exit, "continueAs");
  if (value === undefined) return undefined;
  const place = { owner: exit, key: "continueAs" };
  context.tell(similarForm, place, {
    construct: "`continueAs`",
    form: "`run.workflow` that is not awaited",
    difference: "a workflow that runs this one as a subflow does not wait for it",
  });
  if (!isObject(value)) return { id: String(value), version: undefined, input: undefined, place };
  const data = own(value, "data");
  const input =
    typeof data === "string" ? `\${ ${programAt(context, value, "data")} }` : templateAt(context, value, "data");
  return { id: textAt(value, "workflowId") ?? "", version: textAt(value, "version"), input, place };
}

function reportLosses(context: ReaderContext, exit: JsonObject): void {
  const at = (key: string): Place => ({ owner: exit, key });
  if (own(exit, "compensate") === true)
    context.tell(noForm, at("compensate"), {
      construct: "compensation",
      hint: "Undo completed work in `catch.do`, or in tasks before the end.",
    });
  if (own(exit, "terminate") === true)
    context.tell(similarForm, at("terminate"), {
      construct: "`terminate`",
      form: "`then: end`",
      difference: "a workflow that runs this one as a subflow continues",
    });
}
