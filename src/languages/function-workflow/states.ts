import { type Expression, firstOr, literal, member, variable } from "../../expressions/index.ts";
import type {
  DelayState,
  EndState,
  OperationState,
  ParallelState,
  Branch as Written,
} from "../../generated/function-workflow-definition.ts";
import type { Branch, Scope } from "../../ir/workflow.ts";
import { assertNever } from "../../json.ts";
import {
  assign,
  complete,
  declare,
  end,
  type Fragment,
  failure,
  nothing,
  sequence,
  spanOf,
  step,
  stepsIn,
} from "../shared/index.ts";
import { performActions } from "./actions.ts";
import { switchState } from "./choices.ts";
import { type Context, data, type Writer, writerFor } from "./context.ts";
import { endInBranch } from "./diagnostics/kinds.ts";
import { eventState } from "./events.ts";
import { inputFilter, leave, listOf, outputFilter } from "./filters.ts";
import { membersOf, nameSpan, type ScopePlan, startOf } from "./plan.ts";
import { failError } from "./retries.ts";
import { waitIn } from "./times.ts";

/** Lowers the states of a branch or of the workflow. */
export function lowerScope(context: Context, plan: ScopePlan, initial: Expression | undefined): Scope {
  const variables = new Map([["data", initial]]);
  const slots: Writer["slots"] = [];
  for (const name of plan.states.keys()) lowerState(writerFor(context, plan, name, { slots, variables }));
  const start = startOf(context, plan);
  const entry = { name: plan.entries.get(start)!, span: plan.spanOfName(start) };
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  return { entry, variables: declared, steps: stepsIn({ slots }), span: spanOf(context, plan.owner) };
}

/** Writes the steps of one state: its input filter, its work, its output filters, and the way on. */
function lowerState(writer: Writer): void {
  const filter = inputFilter(writer);
  complete(sequence(filter, workOf(writer, filter === nothing)), writer.construct.span);
}

/** What a state does with what its input filter gives. `isFirst`: nothing stands for the state yet. */
function workOf(writer: Writer, isFirst: boolean): Fragment {
  const { state } = writer;
  switch (state.type) {
    case "EVENT":
      return eventState(writer, state);
    case "OPERATION":
      return operation(writer, state, isFirst);
    case "SWITCH":
      return switchState(writer, state);
    case "DELAY":
      return delay(writer, state);
    case "END":
      return ending(writer, state);
    case "PARALLEL":
      return parallel(writer, state);
    default:
      return assertNever(state);
  }
}

/** An operation state without actions only filters. */
function operation(writer: Writer, state: OperationState, isFirst: boolean): Fragment {
  if (state.actions?.length) return sequence(performActions(writer, state, data), leave(writer, state));
  const filtered = outputFilter(writer);
  const pass = isFirst && filtered === nothing ? assign(writer, "pass", writer.construct.span) : filtered;
  return sequence(pass, leave(writer, state));
}

function delay(writer: Writer, state: DelayState): Fragment {
  const wait = waitIn(writer.context, state);
  const span = spanOf(writer.context, state, "time-delay");
  const waited = step(writer, "delay", span, (base, next) => ({ ...base, kind: "delay", wait, next }));
  return sequence(waited, outputFilter(writer), leave(writer, state));
}

/** The end of the run, or of its branch: one that fails fails the run from there too. */
function ending(writer: Writer, state: EndState): Fragment {
  const { context, plan, name, construct } = writer;
  const filtered = outputFilter(writer);
  const isFailure = state.status === "FAILURE";
  if (plan.isBranch) context.report(endInBranch(spanOf(context, state, "type"), { isFailure }));
  const span = isFailure ? spanOf(context, state, "status") : construct.span;
  return sequence(
    filtered,
    isFailure
      ? failure(writer, "fail", span, { origin: "fail", name: failError, message: name })
      : end(writer, "end", span, { outcome: "leave", extent: "scope", value: data }),
  );
}

/** Runs branches on copies of the data; the result is the list of what they give, in the order of the branches. */
function parallel(writer: Writer, state: ParallelState): Fragment {
  const { context, plan, construct } = writer;
  const branches = membersOf<Written>(state.branches).map(
    ([name, branch]): Branch => ({
      name,
      scope: lowerScope(context, plan.inner.get(branch)!, data),
      span: nameSpan(context.document, state.branches, name),
    }),
  );
  const bind = declare(writer, "results");
  const common = { branches, join: { kind: "all" }, failure: "fatal", retries: [], handlers: [], bind } as const;
  const forked = step(writer, "branches", construct.span, (base, next) => ({ ...base, kind: "fork", ...common, next }));
  const results = listOf(branches.map(({ name }) => firstOr(member(variable(bind), name), literal(null))));
  return sequence(forked, outputFilter(writer, results), leave(writer, state));
}
