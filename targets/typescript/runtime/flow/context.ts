import type { Host, Inbox } from "../host.ts";
import type { AnyWorkflow } from "../workflow.ts";

/** One run of one workflow: a subflow's run has its own, on the same host. */
export interface Run {
  readonly workflow: AnyWorkflow;
  readonly functions: unknown;
  readonly inbox: Inbox;
}

/** Where in a run something is done. */
export interface Context {
  readonly host: Host;
  readonly run: Run;
  /** Begins the keys of all that is recorded here. */
  readonly prefix: string;
  /** How often each step has been entered. */
  readonly entered: Map<string, number>;
  /** Indexes of the branches and items around it, outermost first. */
  readonly position: readonly number[];
  readonly signal: AbortSignal;
}

/** The key of something that a step does, each time another one: `Ask`, `Ask#2`, `Ask#3`. */
export function keyOf({ prefix, entered }: Context, name: string): string {
  const count = (entered.get(name) ?? 0) + 1;
  entered.set(name, count);
  return count === 1 ? prefix + name : `${prefix}${name}#${count}`;
}

/** The context of a branch or an item, whose keys are its own. */
export const inside = (context: Context, key: string, index: number, signal: AbortSignal): Context => ({
  ...context,
  prefix: `${key}/`,
  entered: new Map(),
  position: [...context.position, index],
  signal,
});
