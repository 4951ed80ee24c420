/** The attributes that an event needs to be of a definition. */
export interface Attributes {
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly subject?: string | undefined;
  /** Attributes are compared without regard to case. */
  readonly foldCase?: boolean | undefined;
}

/** A combination of events. */
export interface Alternative<Pattern> {
  /** Of each group any pattern suffices; of several events the earliest counts; one event may serve several groups. */
  readonly all: readonly (readonly Pattern[])[];
  /** No event of these may have come. */
  readonly none?: readonly Pattern[];
}

/** An event that counts, and the name of the definition that it was taken as. */
export interface Taken<Event> {
  readonly name: string;
  readonly event: Event;
}

/** How a workflow looks at events. What patterns and events are to it is its own affair. */
export interface Matcher<Pattern, Event> {
  /** The name of the definition of which a pattern's events are. */
  nameOf(pattern: Pattern): string;
  /** Whether an event has the attributes of a definition. */
  isOf(name: string, event: Event): boolean;
  /** The text of the correlation value that an event has by a definition; null: it has none; undefined: the definition asks for none. */
  tokenOf(name: string, event: Event): string | null | undefined;
  /** Whether a pattern's condition holds for an event. May throw. */
  holds(pattern: Pattern, event: Event): boolean;
}

/** What of the events fulfils an alternative: its place, the event of each of its groups, and how many events had been looked at by then. */
export interface Choice<Event> {
  readonly alternative: number;
  readonly groups: readonly Taken<Event>[];
  readonly seen: number;
}

/**
 * The text by which a correlation value is compared; null where there is none. That of equal values is equal, and that of a number or a truth value is
 * that of its text too: in CloudEvents an attribute `5` is the text "5" as soon as it has been a header.
 */
export function correlationText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return JSON.stringify(typeof value === "object" ? value : String(value), ordered);
}

const ordered = (_: string, part: unknown): unknown =>
  typeof part === "object" && part !== null && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    : part;

/** Whether an event has the attributes that a definition asks for. */
export function hasAttributes(event: { readonly [name: string]: unknown }, definition: Attributes): boolean {
  return (["type", "source", "subject"] as const).every((attribute) => {
    const wanted = definition[attribute];
    if (wanted === undefined) return true;
    const given = Object.hasOwn(event, attribute) ? event[attribute] : undefined;
    return wanted === given || (definition.foldCase === true && String(given).toLowerCase() === wanted.toLowerCase());
  });
}

/** Whether an event is of a pattern's definition, correlated with a run that has such a value (undefined: none yet), and what its condition asks for. */
export function matches<Pattern, Event>(
  pattern: Pattern,
  event: Event,
  token: string | undefined,
  matcher: Matcher<Pattern, Event>,
): boolean {
  const name = matcher.nameOf(pattern);
  if (!matcher.isOf(name, event)) return false;
  const own = matcher.tokenOf(name, event);
  if (own === null || (own !== undefined && token !== undefined && own !== token)) return false;
  return matcher.holds(pattern, event);
}

/** The event that counts for each group of an alternative; undefined when it is not fulfilled. A run without a correlation value gets that of the first. */
export function fulfilled<Pattern, Event>(
  { all, none = [] }: Alternative<Pattern>,
  events: readonly Event[],
  token: string | undefined,
  matcher: Matcher<Pattern, Event>,
): readonly Taken<Event>[] | undefined {
  if (events.some((event) => none.some((pattern) => matches(pattern, event, token, matcher)))) return undefined;
  const groups: Taken<Event>[] = [];
  let known = token;
  for (const group of all) {
    const taken = firstOf(group, events, known, matcher);
    if (!taken) return undefined;
    known ??= matcher.tokenOf(taken.name, taken.event) ?? undefined;
    groups.push(taken);
  }
  return groups;
}

function firstOf<Pattern, Event>(
  group: readonly Pattern[],
  events: readonly Event[],
  token: string | undefined,
  matcher: Matcher<Pattern, Event>,
): Taken<Event> | undefined {
  for (const event of events) {
    const pattern = group.find((candidate) => matches(candidate, event, token, matcher));
    if (pattern !== undefined) return { name: matcher.nameOf(pattern), event };
  }
  return undefined;
}

/**
 * Looks at events one by one, in order of arrival: the first alternative that those up to there fulfil. Those that are not `open` are given up; the first
 * `looked` events have been looked at before, in vain.
 */
export function firstFulfilled<A extends Alternative<Pattern>, Pattern, Event>(
  alternatives: readonly A[],
  open: (alternative: A) => boolean,
  events: readonly Event[],
  token: string | undefined,
  matcher: Matcher<Pattern, Event>,
  looked = 0,
): Choice<Event> | undefined {
  for (let seen = looked + 1; seen <= events.length; seen++) {
    const come = seen === events.length ? events : events.slice(0, seen);
    for (const [alternative, each] of alternatives.entries()) {
      const groups = open(each) ? fulfilled(each, come, token, matcher) : undefined;
      if (groups) return { alternative, groups, seen };
    }
  }
  return undefined;
}

/** The events of groups, each once, in the order in which they came. */
export const inOrder = <Event>(groups: readonly Taken<Event>[], events: readonly Event[]): readonly Taken<Event>[] =>
  events.flatMap((event) => groups.find((taken) => taken.event === event) ?? []);
