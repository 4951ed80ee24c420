import type { Host, Inbox, Subscription } from "../host.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Signal } from "./abort.ts";
import type { Activity } from "./activities.ts";
import { Counts } from "./counts.ts";
import { byPosition } from "./line.ts";

/** One run of one workflow: a subflow's run has its own, on the same host. */
export interface Run {
  readonly workflow: AnyWorkflow;
  readonly functions: unknown;
  readonly inbox?: Inbox | undefined;
  /** Undefined if the workflow has no events. */
  readonly subscription: Subscription | undefined;
  /** Its correlation value: that of the last event with one that it has received, or else from its start. */
  value: Json | undefined;
  readonly tally: Tally;
}

/** What is counted in a run and the subflows in it. */
export interface Tally {
  /** The subflows that nobody waits for. */
  launched: number;
  /** The rounds of loops, and those since something was last called, waited for or emitted. */
  rounds: number;
  idle: number;
}

/** Nothing has been counted yet. */
export const emptyTally = (): Tally => ({ launched: 0, rounds: 0, idle: 0 });

/** Enters a step that calls, waits or emits: a loop with one does not spin. */
export function act({ host, run }: Context, name: string): void {
  run.tally.idle = 0;
  host.visit(name);
}

/** Where in a run something is done. */
export interface Context extends Activity {
  readonly host: Host;
  readonly run: Run;
  /** Begins the keys of all that is recorded here. */
  readonly prefix: string;
  /** Begins the keys by which functions know what is done here: the same in all attempts at something. */
  readonly callPrefix: string;
  /** How often each step has been entered, and called in this attempt. */
  readonly counts: Counts;
  /** How often each call has been made, by its key: where there is more than one attempt at something. */
  readonly attempts?: Map<string, number> | undefined;
}

/**
 * The key of something that a step does, each time another one: `Ask`, `Ask#2`, `Ask#3`; of what is done for it beside its own work, `Ask#retry`; of a
 * step in a branch, an item or a subflow, `Check#stock/Ask`, `Each#[0]/Ask`, `Sub#/Ask`. A `#` in a name is doubled, so that a step named `Ask#2`, or
 * `Check#stock/Ask`, has keys of its own.
 */
export function keyOf({ prefix, counts }: Context, name: string, part?: "retry" | "timeout"): string {
  const own = part === undefined ? doubled(name) : `${doubled(name)}#${part}`;
  return numbered(prefix, own, counts.enter(own));
}

/** The key by which a function knows a call of a step, and the number of the attempt. It is `keyOf` the first attempt at what is attempted again. */
export function callOf(context: Context, name: string): { readonly key: string; readonly attempt: number } {
  const { callPrefix, counts, attempts } = context;
  const own = doubled(name);
  const key = numbered(callPrefix, own, counts.call(own));
  const attempt = (attempts?.get(key) ?? 0) + 1;
  attempts?.set(key, attempt);
  return { key, attempt };
}

const numbered = (prefix: string, own: string, count: number): string =>
  count === 1 ? prefix + own : `${prefix}${own}#${count}`;

const doubled = (name: string): string => (name.includes("#") ? name.replaceAll("#", "##") : name);

/** What the keys in a part of a step begin with: `Check#stock/`. A `/` in the part's name does not end it. */
const prefixOf = (key: string, part: string): string =>
  `${key}#${part.includes("/") ? doubled(part).replaceAll("/", "#/") : doubled(part)}/`;

/** The keys of a step that has others in it: of what is recorded, and of calls. */
export interface Keys {
  readonly key: string;
  readonly call: string;
}

/** The keys of a step that has others in it. */
export const keysOf = (context: Context, name: string): Keys => ({
  key: keyOf(context, name),
  call: callOf(context, name).key,
});

/** What the keys in a part of a step begin with, those of what is recorded and those of calls. */
export interface Prefixes {
  readonly prefix: string;
  readonly callPrefix: string;
}

/** What the keys in a named part of a step begin with. */
export function prefixesOf({ key, call }: Keys, part: string): Prefixes {
  const prefix = prefixOf(key, part);
  return { prefix, callPrefix: call === key ? prefix : prefixOf(call, part) };
}

/** What the keys of the items of a step begin with: `Each#[0]/`. */
export function itemPrefixes({ key, call }: Keys): (index: number) => Prefixes {
  const [own, called] = [`${key}#[`, call === key ? undefined : `${call}#[`];
  return (index) => {
    const prefix = `${own}${index}]/`;
    return { prefix, callPrefix: called === undefined ? prefix : `${called}${index}]/` };
  };
}

/** The context of a branch or an item of a step: its keys are its own. */
export function inside(context: Context, { prefix, callPrefix }: Prefixes, index: number, signal: Signal): Context {
  return {
    host: context.host,
    run: context.run,
    activities: context.activities,
    attempts: context.attempts,
    prefix,
    callPrefix,
    counts: new Counts(),
    position: within(context.position, index),
    signal,
  };
}

/** The position of a branch or an item, by its index. */
function within(position: readonly number[], index: number): readonly number[] {
  const inner = new Array<number>(position.length + 1);
  for (let i = 0; i < position.length; i++) inner[i] = position[i]!;
  inner[position.length] = index;
  return inner;
}

/** The position of the n-th subflow that nobody waits for: behind that of its starter, and of those before it. */
export function positionBehind(position: readonly number[], n: number): readonly number[] {
  const at = position.indexOf(Number.POSITIVE_INFINITY);
  return [...(at < 0 ? position : position.slice(0, at)), Number.POSITIVE_INFINITY, n];
}

/** Those that wait for events in one run. */
export interface Listeners {
  /** Tells a listener of every event from now on; returns how to stop. */
  readonly add: (listener: () => void, position: readonly number[]) => () => void;
  /** Tells all that listen now, in the order of their positions. */
  readonly tell: () => void;
  readonly clear: () => void;
}

/** Listeners of which there are none yet. */
export function listenersByPosition(): Listeners {
  const positions = new Map<() => void, readonly number[]>();
  return {
    add(listener, position) {
      positions.set(listener, position);
      return () => positions.delete(listener);
    },
    tell() {
      for (const [listener] of [...positions].sort(([, a], [, b]) => byPosition(a, b))) listener();
    },
    clear: () => positions.clear(),
  };
}
