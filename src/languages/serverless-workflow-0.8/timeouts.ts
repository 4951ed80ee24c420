import type { Timeouts } from "../../generated/serverless-workflow-0.8-definition.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import type { Context, Writer } from "./context.ts";
import { ignoredBySonataflow } from "./diagnostics/kinds.ts";

/** A timeout and where it is stated. */
export interface Timeout {
  readonly seconds: number;
  readonly owner: object;
  readonly key: string;
}

/** Serverless Workflow 0.8, Workflow Timeouts: the timeout of the state, otherwise the default of the workflow. */
export function timeoutAt(
  { context, state }: Pick<Writer, "context" | "state">,
  key: "actionExecTimeout" | "branchExecTimeout" | "eventTimeout",
  nearer?: Timeouts | undefined,
): Timeout | undefined {
  const owner = [nearer, state.timeouts, context.definition.timeouts].find((each) => each?.[key] !== undefined);
  if (!owner) return undefined;
  if (key !== "eventTimeout" && isIgnored(context, owner, key)) return undefined;
  const seconds = secondsAt(context, owner, key);
  return seconds === undefined ? undefined : { seconds, owner, key };
}

/** The timeout of the whole state: states are not retried, so the shorter of its two parts. */
export function stateTimeout({ context, state }: Writer): Timeout | undefined {
  const owner = [state.timeouts, context.definition.timeouts].find((each) => each?.stateExecTimeout !== undefined);
  const parts = owner?.stateExecTimeout;
  if (!owner || !parts || isIgnored(context, owner, "stateExecTimeout")) return undefined;
  const found = (["single", "total"] as const).flatMap((key) => {
    const seconds = parts[key] === undefined ? undefined : secondsAt(context, parts, key);
    return seconds === undefined ? [] : [{ seconds, owner: parts as object, key }];
  });
  return found.sort((a, b) => a.seconds - b.seconds)[0];
}

/** SonataFlow has only the timeouts of workflows and events. */
function isIgnored(context: Context, owner: object, key: string): boolean {
  if (context.dialect === "spec") return false;
  const why = "observes only the timeouts of workflows and events";
  context.report(ignoredBySonataflow(spanOf(context, owner, key, "key"), { name: key, why }));
  return true;
}
