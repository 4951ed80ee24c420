import { assumption } from "../../diagnostics/migration.ts";
import type {
  EndDefinition,
  EventDataFilter,
  ProducedEvent as Produced,
  Transition,
  EventDefinition as Written,
} from "../../generated/serverless-workflow-definition.ts";
import { memberPath, wrapped } from "../jq-text.ts";
import type { EventDefinition, Exit, Place, ProducedEvent } from "../model.ts";
import { transitionCondition } from "./conditions.ts";
import type { ReaderContext } from "./context.ts";
import { pathProgram, templateOf } from "./paths.ts";

/** How an owner with `transition` or `end` is left. */
export function exitOf(
  context: ReaderContext,
  owner: { readonly transition?: Transition; readonly end?: EndDefinition },
): Exit {
  const { transition, end } = owner;
  if (transition) return transitionExit(context, transition, { owner, key: "transition" });
  const place = { owner, ...(end ? { key: "end" } : {}) };
  if (end?.kind === "terminate")
    context.tell(assumption, place, {
      expression: "then: end",
      assumed: "no other workflow runs this one as a subflow",
      otherwise: "The draft ends that workflow, too; in 1.0, it continues.",
    });
  const produced = end?.kind === "event" ? end.produceEvent : undefined;
  return {
    to: undefined,
    events: produced ? [producedEvent(context, produced)] : [],
    continuation: undefined,
    endsRun: end?.kind === "terminate",
    condition: undefined,
    place,
  };
}

/** How a transition continues. */
export function transitionExit(context: ReaderContext, transition: Transition, place: Place): Exit {
  const { nextState, produceEvent } = transition;
  return {
    to: nextState,
    events: produceEvent ? [producedEvent(context, produceEvent)] : [],
    continuation: undefined,
    endsRun: false,
    condition: transitionCondition(context, transition),
    place,
  };
}

/** An event that a transition or end emits. */
function producedEvent(context: ReaderContext, produced: Produced): ProducedEvent {
  const { eventRef, data } = produced;
  const token = context.events.get(eventRef)?.correlationToken;
  const event = eventNamed(context, eventRef);
  const place = { owner: produced, key: "data" };
  const path = typeof data === "string" ? pathProgram(context, data, place) : undefined;
  return {
    event: { ...event, source: event.source ?? `/waybill/${context.definition.id ?? "workflow"}`, correlation: [] },
    data: typeof data === "string" ? wrapped(path?.jq ?? "null") : templateOf(context, data ?? {}, place),
    attributes: token === undefined ? {} : { [token.toLowerCase()]: tokenValue(token) },
    place: { owner: produced },
  };
}

/** The event of a name. Its definition exists: the definition was checked. */
export function eventNamed(
  context: ReaderContext,
  name: string,
  owner: { readonly eventDataFilter?: EventDataFilter } = {},
): EventDefinition {
  const event = context.events.get(name) ?? { name, type: name };
  const { type, source, correlationToken: token } = event as Partial<Written>;
  const rule = token === undefined ? [] : [{ attribute: token.toLowerCase(), value: tokenValue(token) }];
  const dataOnly = token === undefined && owner.eventDataFilter?.dataOutputPath === undefined;
  return { name, type: type ?? name, source, dataOnly, correlation: rule };
}

const tokenValue = (token: string): string => wrapped(`${memberPath(token)} // $workflow.id`);
