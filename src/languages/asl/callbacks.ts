import type { State, TaskState } from "../../generated/asl-definition.ts";
import type { Protocol } from "../../ir/protocols.ts";

/** How the result of a task arrives. */
type Waiting =
  | { readonly kind: "response" }
  /** By the token that the arguments contain; or, of a job that they pass it to, with its end. */
  | { readonly kind: "token"; readonly orResult?: true }
  /** From a worker, which gets a token with the work. */
  | { readonly kind: "activity"; readonly activity: string };

/** How the result of a task arrives, by its resource. */
export function waitingOf(state: TaskState): Waiting {
  const { Resource: resource } = state;
  if (resource.endsWith(".waitForTaskToken")) return { kind: "token" };
  if (/\.sync(?::2)?$/.test(resource) && readsToken(state)) return { kind: "token", orResult: true };
  const [, activity = offeredTo(state)] = /:activity:(.+)$/.exec(resource) ?? [];
  return activity === undefined ? { kind: "response" } : { kind: "activity", activity };
}

/**
 * The placeholder that stands for an activity: a task with a limit between heartbeats that calls nothing else. One that
 * is named after a function is a function.
 */
function offeredTo({ Resource, HeartbeatSeconds, HeartbeatSecondsPath }: TaskState): string | undefined {
  if (HeartbeatSeconds === undefined && HeartbeatSecondsPath === undefined) return undefined;
  const name = /^\$\{([^{}]+)\}$/.exec(Resource)?.[1]?.trim();
  return name !== undefined && /lambda|func|fn/i.test(name) ? undefined : name;
}

/** Whether what a task sends contains a path to its token. */
const readsToken = ({ Parameters, Arguments }: TaskState): boolean =>
  /(?:\$\$|\$states\.context)\.Task\b/.test(JSON.stringify([Parameters, Arguments]));

/** The protocol of the function that a task calls, if its resource says one. */
export function protocolOf(state: TaskState): Protocol | undefined {
  const waiting = waitingOf(state);
  return waiting.kind === "activity" ? waiting : undefined;
}

/** Whether the result of a state arrives by a callback: heartbeats then count, and a failure may have no name. */
export const awaitsCallback = (state: State): boolean => state.Type === "Task" && waitingOf(state).kind !== "response";
