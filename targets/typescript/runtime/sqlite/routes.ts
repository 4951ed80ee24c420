import { patternsOf } from "../../../../src/events/matching.ts";
import {
  correlationText,
  type EventRule,
  hasAttributes,
  type StartRule,
  type WaitRule,
} from "../../../../src/events/rules.ts";
import { textsOf } from "../../../../src/events/visibility.ts";
import { type Json, type JsonObject, own } from "../../../../src/json.ts";

/** What is known statically of the waits at a step. */
export interface StepRoute {
  readonly step: string;
  readonly rule: WaitRule;
  /** The definitions of its patterns. */
  readonly events: readonly EventRule[];
  /** The definitions of the events that it uses or discards. */
  readonly affected: readonly EventRule[];
  /** The types of the latter; undefined if some definition accepts any type. */
  readonly types: readonly string[] | undefined;
  /** Whether a single event may not decide alone. */
  readonly isCombining: boolean;
}

/** What an event may concern. */
export interface EventRoute {
  readonly event: JsonObject;
  /** The steps whose waits may use it. */
  readonly steps: readonly StepRoute[];
  /** The workflows that it may start. */
  readonly starts: readonly StartRule[];
  /** The partitions where waits find it; empty if no wait of the program can use it. */
  readonly partitions: ReadonlySet<string>;
}

/** The partition of events and waits without correlation. */
const uncorrelated = "";

/** The partition of waits that events of any partition may fulfill: they have no value yet, or several keys. */
export const anyPartition = "*";

/** The partition of the events that started a run and that it has not used. */
export const partitionOfRun = (run: string): string => `@${run}`;

/** The partition of the events collected to start runs of a workflow. */
export const partitionOfStart = (workflow: string): string => `+${workflow}`;

/**
 * Says which waits and events one decision needs, so that a store reads only these. A wait is in the partition of its
 * correlation value, an event in those of all definitions that it matches.
 */
export class Routes {
  readonly #steps: ReadonlyMap<string, StepRoute>;
  /** The steps by the types of their events; those with an event of any type by undefined. */
  readonly #stepsByType = new Map<Json | undefined, StepRoute[]>();
  readonly #starts: readonly StartRule[];
  #last: EventRoute | undefined;
  /** Whether some wait drops unused events. */
  readonly hasDrops: boolean;
  /** Whether some wait requires the absence of events. */
  readonly hasExclusions: boolean;

  constructor(waits: Iterable<readonly [step: string, rule: WaitRule]>, starts: readonly StartRule[]) {
    const all = [...waits];
    const awaited = new Set(all.flatMap(([, rule]) => awaitedBy(rule)));
    this.#steps = new Map(all.map(([step, rule]) => [step, routeOf(step, rule, awaited)]));
    for (const route of this.#steps.values())
      for (const type of new Set(route.events.map(({ type, foldCase }) => (foldCase ? undefined : type))))
        this.#stepsByType.set(type, [...(this.#stepsByType.get(type) ?? []), route]);
    this.#starts = starts;
    const rules = [...this.#steps.values()].map(({ rule }) => rule);
    this.hasDrops = rules.some(({ unused }) => unused === "drop");
    this.hasExclusions = rules.some(({ alternatives }) => alternatives.some(({ none }) => none.length > 0));
  }

  /** The route of a step; undefined if the program does not contain it. */
  stepOf(step: string): StepRoute | undefined {
    return this.#steps.get(step);
  }

  /** What an event may concern. */
  routeOf(event: JsonObject): EventRoute {
    if (this.#last?.event === event) return this.#last;
    const type = own(event, "type");
    const steps = [type, undefined]
      .flatMap((each) => this.#stepsByType.get(each) ?? [])
      .filter((each, i, all) => all.indexOf(each) === i && each.events.some((rule) => hasAttributes(event, rule)));
    const starts = this.#starts.filter(({ on }) =>
      patternsOf(on).some((pattern) => hasAttributes(event, pattern.event)),
    );
    this.#last = { event, steps, starts, partitions: partitionsOf(event, steps) };
    return this.#last;
  }

  /** The partition of a wait that begins with values of its own or of its run. */
  partitionOf(step: string, values: { readonly [key: string]: Json } | undefined, value: Json | undefined): string {
    const own = textsOf({ values });
    const partitions = new Set<string>();
    for (const { keys } of this.stepOf(step)?.affected ?? []) {
      if (keys.length === 0) partitions.add(uncorrelated);
      for (const { name, scope } of keys) {
        const text = Object.hasOwn(own, name) ? own[name]! : scope === "run" ? correlationText(value) : null;
        partitions.add(text === null ? anyPartition : partitionOfValue(text));
      }
    }
    return partitions.size === 1 ? [...partitions][0]! : anyPartition;
  }
}

/** The partitions of an event that concerns steps. */
function partitionsOf(event: JsonObject, steps: readonly StepRoute[]): ReadonlySet<string> {
  const partitions = new Set<string>();
  for (const definition of new Set(steps.flatMap(({ events }) => events))) {
    if (!hasAttributes(event, definition)) continue;
    if (definition.keys.length === 0) partitions.add(uncorrelated);
    for (const key of definition.keys) {
      const text = correlationText(key.valueOf(event));
      if (text !== null) partitions.add(partitionOfValue(text));
    }
  }
  return partitions;
}

const partitionOfValue = (text: string): string => `=${text}`;

const awaitedBy = ({ alternatives }: WaitRule): readonly EventRule[] =>
  patternsOf(alternatives).map(({ event }) => event);

function routeOf(step: string, rule: WaitRule, awaited: ReadonlySet<EventRule>): StepRoute {
  const { alternatives, unused } = rule;
  const events = [...new Set(awaitedBy(rule))];
  const affected =
    unused === "drop" ? [...new Set([...events, ...rule.events.filter((each) => awaited.has(each))])] : events;
  const types = new Set(affected.map(({ type, foldCase }) => (foldCase ? undefined : type)));
  return {
    step,
    rule,
    events,
    affected,
    types: types.has(undefined) ? undefined : ([...types] as readonly string[]),
    isCombining: alternatives.some(({ all, none }) => all.length > 1 || none.length > 0),
  };
}
