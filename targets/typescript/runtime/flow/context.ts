import type { Host, Subscription } from "../host.ts";
import type { Json } from "../json.ts";
import type { AnyWorkflow } from "../workflow.ts";
import type { Signal } from "./abort.ts";
import type { Activity } from "./activities.ts";
import { Counts } from "./counts.ts";

/** One run of one workflow. A subflow has its own, on the same host. */
export interface Run {
  readonly workflow: AnyWorkflow;
  readonly functions: unknown;
  /** Undefined if the workflow receives no events. */
  readonly subscription: Subscription | undefined;
  /** Its correlation value: that of the last event with one that it has received, or else from its start. */
  value: Json | undefined;
  readonly tally: Tally;
  /** The number of subflows that wait for each other, up to this one. */
  readonly depth: number;
  /** Aborted when it is canceled. */
  readonly signal: Signal;
  /** Stop the workflows that end with it. */
  readonly attached: Set<() => void>;
}

/** Counters of a run and the subflows in it. */
export interface Tally {
  /** Detached subflows. */
  launched: number;
  /** Rounds of loops, and those since the last external effect. */
  rounds: number;
  idle: number;
}

/** Counters at zero. */
export const emptyTally = (): Tally => ({ launched: 0, rounds: 0, idle: 0 });

/** Enters a step with an external effect, so a loop that contains it is not idle. */
export function act({ host, run }: Context, name: string): void {
  run.tally.idle = 0;
  host.visit(name);
}

/** A place in a run. */
export interface Context extends Activity {
  readonly host: Host;
  readonly run: Run;
  /** The prefix of the keys of recorded effects. */
  readonly prefix: string;
  /** The prefix of the keys that functions receive: the same in all attempts. */
  readonly callPrefix: string;
  /** How often each step has been entered, and called in this attempt. */
  readonly counts: Counts;
  /** How often each call has been made, by its key, if there are several attempts. */
  readonly attempts?: Map<string, number> | undefined;
}

/**
 * The key of an effect of a step, which differs each time: `Ask`, `Ask#2`, `Ask#3`; `Ask#retry` for its retries, and
 * `Ask#time` for the times that limit them; `Ask#token` for the token of a task, and `Ask#answer` for its answer;
 * `Check#stock/Ask`, `Each#[0]/Ask` and `Sub#/Ask` in a branch, an iteration and a subflow. A `#` in a name is doubled,
 * so the keys of a step named `Ask#2` differ.
 */
export function keyOf({ prefix, counts }: Context, name: string, part?: KeyPart): string {
  const own = part === undefined ? doubled(name) : `${doubled(name)}#${part}`;
  return numbered(prefix, own, counts.enter(own));
}

/** An effect of a step besides its call. */
export type KeyPart = "retry" | "time" | "timeout" | "token" | "answer";

/** The key that a function receives, and the number of the attempt. The key is that of the first attempt. */
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

/** The prefix of the keys in a part of a step: `Check#stock/`. A `/` in the part's name is escaped. */
const prefixOf = (key: string, part: string): string =>
  `${key}#${part.includes("/") ? doubled(part).replaceAll("/", "#/") : doubled(part)}/`;

/** The keys of a step with inner steps: of recorded effects and of calls. */
export interface Keys {
  readonly key: string;
  readonly call: string;
}

/** The keys of a step with inner steps. */
export const keysOf = (context: Context, name: string): Keys => ({
  key: keyOf(context, name),
  call: callOf(context, name).key,
});

/** The prefixes of keys in a part of a step: of recorded effects and of calls. */
export interface Prefixes {
  readonly prefix: string;
  readonly callPrefix: string;
}

/** The prefixes of keys in a named part of a step. */
export function prefixesOf({ key, call }: Keys, part: string): Prefixes {
  const prefix = prefixOf(key, part);
  return { prefix, callPrefix: call === key ? prefix : prefixOf(call, part) };
}

/** The prefixes of keys in the iterations of a step: `Each#[0]/`. */
export function itemPrefixes({ key, call }: Keys): (index: number) => Prefixes {
  const [own, called] = [`${key}#[`, call === key ? undefined : `${call}#[`];
  return (index) => {
    const prefix = `${own}${index}]/`;
    return { prefix, callPrefix: called === undefined ? prefix : `${called}${index}]/` };
  };
}

/** The context of a branch or an iteration. */
export function innerContext(
  context: Context,
  { prefix, callPrefix }: Prefixes,
  index: number,
  signal: Signal,
): Context {
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

/** The position of a branch or an iteration. */
function within(position: readonly number[], index: number): readonly number[] {
  const inner = new Array<number>(position.length + 1);
  for (let i = 0; i < position.length; i++) inner[i] = position[i]!;
  inner[position.length] = index;
  return inner;
}

/** The position of the n-th detached subflow: after its starter and earlier ones. */
export function detachedPosition(position: readonly number[], n: number): readonly number[] {
  const at = position.indexOf(Number.POSITIVE_INFINITY);
  return [...(at < 0 ? position : position.slice(0, at)), Number.POSITIVE_INFINITY, n];
}
