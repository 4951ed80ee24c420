import type { Span } from "../text/source.ts";
import type { Seconds } from "./seconds.ts";
import type { ValueSpans } from "./spans.ts";
import type { Call, Step, Workflow } from "./workflow.ts";

/**
 * The result of a call arrives by a token, apart from the call itself: as a success with a value, or as a failure, which
 * raises a function's error. Each attempt has a new token, recorded before the call is made. An error of the call fails
 * the step at once. A callback that arrives before the call has returned is kept until then; the first one counts, and
 * any for a token that is not awaited is ignored.
 */
export interface Callback {
  /** The variable of the argument that holds the token. Only the argument reads it. */
  readonly token: string;
  /** Set if the call's own result counts as well: whichever arrives first. */
  readonly orResult?: true | undefined;
  /**
   * The limit between the start of an attempt and its first heartbeat, and between two heartbeats. Exceeding it raises an
   * error with origin `heartbeat` and name `Timeout`.
   */
  readonly heartbeat?: Seconds | undefined;
  readonly spans?: ValueSpans<"heartbeat"> | undefined;
  /** Where the source states that the result arrives so. */
  readonly span: Span;
}

/** The variables that only the argument of a call reads: secrets and the token of a callback. */
export const argumentVariables = ({ secrets = [], callback }: Call): readonly string[] => [
  ...secrets.map(({ bind }) => bind),
  ...(callback ? [callback.token] : []),
];

/** A call that waits for a callback. */
export type CallbackCall = Call & { readonly callback: Callback };

/** Whether a step waits for a callback. */
export const awaitsCallback = (step: Step): step is CallbackCall => step.kind === "call" && step.callback !== undefined;

/** Whether a function is an activity, by name. */
export const isActivity = (workflow: Pick<Workflow, "functions">, name: string): boolean =>
  activityOf(workflow, name) !== undefined;

/** The activity whose workers a function offers work to, by name. */
export function activityOf({ functions }: Pick<Workflow, "functions">, name: string): string | undefined {
  const { protocol } = functions.find((each) => each.name === name) ?? {};
  return protocol?.kind === "activity" ? protocol.activity : undefined;
}
