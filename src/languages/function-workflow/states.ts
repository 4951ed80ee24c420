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
import { spanOf } from "../shared/properties.ts";
import {
  assign,
  complete,
  declare,
  end,
  failWith,
  noSteps,
  type StepFragment,
  sequence,
  step,
  stepsIn,
} from "../shared/steps.ts";
import { lowerActions } from "./actions.ts";
import { type Context, createWriter, data, type Writer } from "./context.ts";
import { endInBranch } from "./diagnostics/kinds.ts";
import { waitOf } from "./durations.ts";
import { failError } from "./errors.ts";
import { lowerEventState } from "./events.ts";
import { arrayOf, inputFilter, outputFilter } from "./filters.ts";
import { namedMembers, nameSpan, type ScopePlan, startState } from "./plan.ts";
import { lowerSwitch } from "./switch.ts";
import { leave } from "./transitions.ts";

/** Lowers the states of a scope. */
export function lowerScope(context: Context, plan: ScopePlan, initial: Expression | undefined): Scope {
  const variables = new Map([["data", initial]]);
  const slots: Writer["slots"] = [];
  for (const name of plan.states.keys()) lowerState(createWriter(context, plan, name, { slots, variables }));
  const start = startState(context, plan);
  const entry = { name: plan.entries.get(start)!, span: plan.spanOfName(start) };
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  return { entry, variables: declared, steps: stepsIn({ slots }), span: spanOf(context, plan.owner) };
}

function lowerState(writer: Writer): void {
  const filter = inputFilter(writer);
  complete(sequence(filter, lowerWork(writer, filter === noSteps)), writer.construct.span);
}

function lowerWork(writer: Writer, isFirst: boolean): StepFragment {
  const { state } = writer;
  switch (state.type) {
    case "EVENT":
      return lowerEventState(writer, state);
    case "OPERATION":
      return lowerOperation(writer, state, isFirst);
    case "SWITCH":
      return lowerSwitch(writer, state);
    case "DELAY":
      return lowerDelay(writer, state);
    case "END":
      return lowerEnd(writer, state);
    case "PARALLEL":
      return lowerParallel(writer, state);
    default:
      return assertNever(state);
  }
}

function lowerOperation(writer: Writer, state: OperationState, isFirst: boolean): StepFragment {
  if (state.actions?.length) return sequence(lowerActions(writer, state, data), leave(writer, state));
  const filtered = outputFilter(writer);
  const pass = isFirst && filtered === noSteps ? assign(writer, "pass", writer.construct.span) : filtered;
  return sequence(pass, leave(writer, state));
}

function lowerDelay(writer: Writer, state: DelayState): StepFragment {
  const wait = waitOf(writer.context, state);
  const span = spanOf(writer.context, state, "time-delay");
  const waited = step(writer, "delay", span, (base, next) => ({
    ...base,
    kind: "delay",
    wait,
    spans: { wait: span },
    next,
  }));
  return sequence(waited, outputFilter(writer), leave(writer, state));
}

/** Function Workflow 0.1, End State; a failure in a branch also fails the run. */
function lowerEnd(writer: Writer, state: EndState): StepFragment {
  const { context, plan, name, construct } = writer;
  const filtered = outputFilter(writer);
  const isFailure = state.status === "FAILURE";
  if (plan.isBranch) context.report(endInBranch(spanOf(context, state, "type"), { isFailure }));
  const span = isFailure ? spanOf(context, state, "status") : construct.span;
  return sequence(
    filtered,
    isFailure
      ? failWith(writer, "fail", span, { origin: "fail", name: failError, message: name })
      : end(writer, "end", span, { outcome: "leave", extent: "scope", value: data }),
  );
}

/** Function Workflow 0.1, PARALLEL State: branches have copies of the data; the result is an array. */
function lowerParallel(writer: Writer, state: ParallelState): StepFragment {
  const { context, plan, construct } = writer;
  const branches = namedMembers<Written>(state.branches).map(
    ([name, branch]): Branch => ({
      name,
      scope: lowerScope(context, plan.inner.get(branch)!, data),
      span: nameSpan(context.document, state.branches, name),
    }),
  );
  const bind = declare(writer, "results");
  const common = { branches, join: { kind: "all" }, failure: "fatal", retries: [], handlers: [], bind } as const;
  const forked = step(writer, "branches", construct.span, (base, next) => ({ ...base, kind: "fork", ...common, next }));
  const results = arrayOf(branches.map(({ name }) => firstOr(member(variable(bind), name), literal(null))));
  return sequence(forked, outputFilter(writer, results), leave(writer, state));
}
