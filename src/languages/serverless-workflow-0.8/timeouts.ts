import type { State, Timeouts } from "../../generated/serverless-workflow-0.8-definition.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import type { Context, Writer } from "./context.ts";
import { ignoredBySonataflow, noEffect } from "./diagnostics/kinds.ts";

/** A timeout and where it is stated. */
export interface Timeout {
  readonly seconds: number;
  readonly owner: object;
  readonly key: string;
}

/** Serverless Workflow 0.8, Workflow Timeouts: the timeout of the branch or state, or the default of the workflow. */
export function timeoutAt(
  { context, state, branchTimeouts }: Pick<Writer, "context" | "state" | "branchTimeouts">,
  key: "actionExecTimeout" | "branchExecTimeout" | "eventTimeout",
): Timeout | undefined {
  const nearest = [branchTimeouts, state.timeouts, context.definition.timeouts];
  const owner = nearest.find((each) => each?.[key] !== undefined);
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

/** Reports timeouts of a state and its branches that limit nothing. */
export function checkTimeouts({ context }: Writer, state: State): void {
  const check = (owner: Timeouts | undefined, noun: string, effective: readonly string[]) => {
    for (const key of Object.keys(owner ?? {}))
      if (!effective.includes(key) && !key.startsWith("x-"))
        context.report(
          noEffect(spanOf(context, owner!, key, "key"), { name: key, why: `it limits nothing in this ${noun}` }),
        );
  };
  check(state.timeouts, `${state.type} state`, ["stateExecTimeout", ...effectiveTimeouts(state)]);
  if (state.type !== "parallel") return;
  for (const { timeouts } of state.branches) check(timeouts, "branch", ["actionExecTimeout", "branchExecTimeout"]);
}

function effectiveTimeouts(state: State): readonly string[] {
  switch (state.type) {
    case "operation":
    case "foreach":
      return ["actionExecTimeout"];
    case "parallel":
      return ["actionExecTimeout", "branchExecTimeout"];
    case "event":
    case "callback":
      return ["actionExecTimeout", "eventTimeout"];
    case "switch":
      return state.eventConditions ? ["eventTimeout"] : [];
    case "sleep":
    case "inject":
      return [];
  }
}

/** SonataFlow has only the timeouts of workflows and events. */
function isIgnored(context: Context, owner: object, key: string): boolean {
  if (context.dialect === "spec") return false;
  const why = "observes only the timeouts of workflows and events";
  context.report(ignoredBySonataflow(spanOf(context, owner, key, "key"), { name: key, why }));
  return true;
}
