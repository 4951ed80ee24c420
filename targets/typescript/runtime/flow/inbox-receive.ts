import { type Choice, correlationText, firstFulfilled, inOrder } from "../../../../src/matching/matching.ts";
import type { Alternative, CloudEvent, Pattern, Received, Wait, WaitVariables } from "../events.ts";
import type { Json } from "../json.ts";
import { waitOf } from "../rules.ts";
import { stoppable } from "./abort.ts";
import { outcomeOf } from "./activities.ts";
import type { Context } from "./context.ts";
import type { Demand } from "./inbox.ts";
import { definitionOf, matcherOf, nameOf, tokenOf } from "./matching.ts";

// Superseded by `Host.receive`. Deleted when no host has an inbox.

/** What is recorded of a wait: what it gave, and the correlation value that the run has since. */
interface Outcome {
  readonly received: Received;
  readonly token?: Json | undefined;
}

/** Waits for the first alternative that is fulfilled; with null when all were given up. */
export async function receiveFromInbox(
  context: Context,
  key: string,
  name: string,
  variables: WaitVariables,
  values: { readonly [key: string]: Json } | undefined,
): Promise<Received> {
  const wait = bound(waitOf(context.run.workflow, name), variables, values);
  const { signal, stop } = stoppable(context.signal);
  try {
    const inner = { ...context, signal };
    const waiting = context.host.wait!<Outcome>(key, () => ending(inner, key, wait), context.signal, namesIn(wait));
    const { received, token } = await outcomeOf(context, waiting);
    context.run.inbox!.token = token;
    context.run.value = token;
    return received;
  } finally {
    stop();
  }
}

/** A wait with its variables in its conditions. */
interface BoundWait extends Wait {
  readonly value?: Json | undefined;
}

function bound(
  { alternatives, unused }: Wait,
  variables: WaitVariables,
  values: { readonly [key: string]: Json } | undefined,
): BoundWait {
  const bind = (pattern: Pattern): Pattern =>
    typeof pattern === "string"
      ? pattern
      : { event: pattern.event, when: (event: CloudEvent) => pattern.when(event, variables) };
  return {
    alternatives: alternatives.map(({ all, none, within }) => ({
      all: all.map((group) => group.map(bind)),
      ...(none && { none: none.map(bind) }),
      ...(within !== undefined && { within }),
    })),
    ...(unused && { unused }),
    value: Object.values(values ?? {})[0],
  };
}

/** The names of the definitions of what a wait waits for. */
const namesIn = (wait: Wait): readonly string[] => [...new Set(patternsIn(wait).map(nameOf))];

/** What a wait waits for; events that must not come are listened to as well. */
const demandsIn = (wait: Wait): readonly Demand[] =>
  [...patternsIn(wait), ...wait.alternatives.flatMap(({ none = [] }) => none)].map((pattern) => ({
    name: nameOf(pattern),
    isSure: wait.alternatives.some((alternative) => isFulfilledBy(nameOf(pattern), alternative, wait)),
  }));

/** Whether any event of a definition fulfils an alternative as long as the wait goes on. */
const isFulfilledBy = (name: string, { all, none = [], within }: Alternative, { alternatives }: Wait): boolean =>
  all.length === 1 &&
  none.length === 0 &&
  all[0]!.includes(name) &&
  (within === undefined || alternatives.length === 1);

const patternsIn = (wait: Wait): readonly Pattern[] => wait.alternatives.flatMap(({ all }) => all.flat());

/** How a wait ends: at once where what has come fulfils it, so that nothing else goes on before it does. */
function ending(context: Context, key: string, wait: BoundWait): Promise<Outcome> | Outcome {
  const { host, run, signal } = context;
  const inbox = run.inbox!;
  const open = new Set<Alternative>(wait.alternatives);
  const examined = nothingExamined();
  const there = take(context, wait, open, examined);
  if (there) return there;
  return new Promise<Outcome>((resolve, reject) => {
    const end = (outcome: Outcome) => {
      forget();
      resolve(outcome);
    };
    const look = () => {
      try {
        const outcome = take(context, wait, open, examined);
        if (outcome) end(outcome);
      } catch (error) {
        reject(error);
      }
    };
    const forget = inbox.listen(look, context.position, demandsIn(wait));
    signal.addEventListener("abort", () => {
      forget();
      reject(signal.reason);
    });
    for (const [i, alternative] of wait.alternatives.entries()) {
      if (alternative.within === undefined) continue;
      const giveUp = () => {
        open.delete(alternative);
        if (open.size === 0) end(nothing(context, wait));
      };
      host.sleep(`${key}#within-${i}`, alternative.within, context).then(giveUp, () => undefined);
    }
    look();
  });
}

/** The events that a wait has looked at in vain: so many, of which this is the last, with this correlation value. */
interface Examined {
  count: number;
  last: CloudEvent | undefined;
  token: Json | undefined;
}

const nothingExamined = (): Examined => ({ count: 0, last: undefined, token: undefined });

/**
 * Takes the first alternative that what has come fulfils. Events that were looked at in vain are not gone through
 * again, unless some have gone since or there is another correlation value.
 */
function take(
  { run }: Context,
  wait: BoundWait,
  open: ReadonlySet<Alternative>,
  examined: Examined,
): Outcome | undefined {
  const { workflow } = run;
  const { waiting, token } = run.inbox!;
  const isAsBefore = examined.token === token && waiting[examined.count - 1] === examined.last;
  const looked = isAsBefore ? examined.count : 0;
  const isOpen = (alternative: Alternative) => open.has(alternative);
  const known = correlationText(wait.value ?? token) ?? undefined;
  const choice = firstFulfilled(wait.alternatives, isOpen, waiting, known, matcherOf(workflow), looked);
  if (choice) return accept(run, wait, choice);
  Object.assign(examined, { count: waiting.length, last: waiting.at(-1), token } satisfies Examined);
  return undefined;
}

function accept({ inbox: own, workflow }: Context["run"], wait: Wait, choice: Choice<CloudEvent>): Outcome {
  const { alternative, groups, seen } = choice;
  const inbox = own!;
  const used = inOrder(groups, inbox.waiting);
  const consumed = new Set<CloudEvent>(used.map(({ event }) => event));
  inbox.replace(inbox.waiting.filter((event, i) => !consumed.has(event) && !(wait.unused === "drop" && i < seen)));
  for (const { name, event } of used) inbox.token = tokenOf(definitionOf(name, workflow), event) ?? inbox.token;
  return { received: { alternative, events: used, groups }, token: inbox.token };
}

/** No alternative is left: all that came is unused. */
function nothing({ run }: Context, wait: Wait): Outcome {
  if (wait.unused === "drop") run.inbox!.replace([]);
  return { received: { alternative: null, events: [], groups: [] } };
}
