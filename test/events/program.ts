import type { Routing } from "../../src/events/routing.ts";
import type { Alternative, CorrelationKey, EventPattern, EventRule, Rules, StartRule } from "../../src/events/rules.ts";
import { type JsonObject, own } from "../../src/json.ts";

/** The events, waits and starts of a group of workflows, as each adapter translates them. */
export interface EventProgram {
  readonly name: string;
  readonly events: readonly ProgramEvent[];
  /** The waits of the workflow `orders`, by step. */
  readonly waits: { readonly [step: string]: ProgramWait };
  readonly starts: readonly ProgramStart[];
  /** The key by whose value it can be partitioned: every run begins with a value. */
  readonly key?: string | undefined;
}

/** A definition of events. */
export interface ProgramEvent {
  readonly name: string;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  /** The attribute with the correlation value. */
  readonly attribute?: string | undefined;
  /** The name of the key; default `key`. */
  readonly key?: string | undefined;
  readonly scope?: "run" | "wait" | undefined;
  /** Further keys, by the attributes with their values; all of the scope above. */
  readonly further?: { readonly [key: string]: string } | undefined;
}

/** A pattern: the name of its definition, or one with a condition. */
export type ProgramPattern =
  | string
  | { readonly event: string; readonly when: (event: JsonObject, variables: JsonObject) => boolean };

/** A combination of events; `within` is in seconds. */
export interface ProgramAlternative {
  readonly all: readonly (readonly ProgramPattern[])[];
  readonly none?: readonly ProgramPattern[] | undefined;
  readonly within?: number | undefined;
}

/** A wait; `unused` is `keep` by default. */
export interface ProgramWait {
  readonly alternatives: readonly ProgramAlternative[];
  readonly unused?: "keep" | "drop" | undefined;
}

/** A start by events; `gap` is in seconds. */
export interface ProgramStart {
  readonly workflow: string;
  readonly on: readonly ProgramAlternative[];
  readonly complete?: boolean | undefined;
  readonly gap?: number | undefined;
  readonly from?: number | undefined;
  readonly until?: number | undefined;
}

/** The rules of a program. */
export function rulesOf({ events, waits, starts }: EventProgram): Rules {
  const definitions = new Map(events.map((each) => [each.name, eventRule(each)]));
  const pattern = (each: ProgramPattern): EventPattern =>
    typeof each === "string"
      ? { event: definitions.get(each)! }
      : { event: definitions.get(each.event)!, when: each.when };
  const alternative = ({ all, none = [], within }: ProgramAlternative): Alternative => ({
    all: all.map((group) => group.map(pattern)),
    none: none.map(pattern),
    within,
  });
  const rules = new Map(
    Object.entries(waits).map(([step, { alternatives, unused = "keep" }]) => [
      step,
      { alternatives: alternatives.map(alternative), unused, events: [...definitions.values()] },
    ]),
  );
  return {
    waitRule: ({ step }) => rules.get(step),
    starts: starts.map(
      ({ on, complete = false, ...start }): StartRule => ({ ...start, complete, on: on.map(alternative) }),
    ),
    newRun: ({ workflow }, { key, order }) => `${workflow} ${key ?? order}`,
    failure: (thrown) => ({ name: "ExpressionError", message: (thrown as Error).message }),
  };
}

/** How a program is partitioned. */
export const routingOf = ({ events, key }: EventProgram): Routing => ({ events: events.map(eventRule), key });

function eventRule({
  name,
  type,
  source,
  attribute,
  key = "key",
  scope = "run",
  further = {},
}: ProgramEvent): EventRule {
  const keyOf = (keyName: string, from: string): CorrelationKey => ({
    name: keyName,
    scope,
    valueOf: (event) => own(event, from),
  });
  const keys = [
    ...(attribute === undefined ? [] : [keyOf(key, attribute)]),
    ...Object.entries(further).map(([each, from]) => keyOf(each, from)),
  ];
  return { name, type, source, keys };
}
