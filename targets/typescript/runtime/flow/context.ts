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

/**
 * The key of something that a step does, each time another one: `Ask`, `Ask#2`, `Ask#3`; of what is done for it beside its own work, `Ask#retry`. A `#` in
 * a name is doubled, so that a step named `Ask#2` has keys of its own.
 */
export function keyOf({ prefix, entered }: Context, name: string, part?: "retry" | "timeout"): string {
  const own = `${name.replaceAll("#", "##")}${part === undefined ? "" : `#${part}`}`;
  const count = (entered.get(own) ?? 0) + 1;
  entered.set(own, count);
  return count === 1 ? prefix + own : `${prefix}${own}#${count}`;
}

/** The context of a branch or an item, whose keys are its own. */
export const inside = (context: Context, key: string, index: number, signal: AbortSignal): Context => ({
  ...context,
  prefix: `${key}/`,
  entered: new Map(),
  position: [...context.position, index],
  signal,
});
