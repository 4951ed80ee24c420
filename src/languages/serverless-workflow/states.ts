import { binary, call, conditional, type Expression, literal, variable } from "../../expressions/index.ts";
import type {
  DelayState,
  InjectState,
  State,
  SubflowState,
  SwitchState,
} from "../../generated/serverless-workflow-definition.ts";
import { assertNever } from "../../json.ts";
import { secondsAt, spanOf } from "../shared/properties.ts";
import { assign, complete, declare, noSteps, type StepFragment, sequence, step } from "../shared/steps.ts";
import { lowerActions, withoutSkip } from "./actions.ts";
import type { Writer } from "./context.ts";
import { assignData, data, mergeObject, mergeWhole } from "./data.ts";
import { neitherTransitionNorEnd, nestedParallel, retryNotAllowed, transitionAndEnd } from "./diagnostics/kinds.ts";
import { withErrorHandling } from "./errors.ts";
import { lowerForeach, lowerParallel } from "./nested.ts";
import { lowerSwitch } from "./switch.ts";
import { inputFilter, leaveScope, leaveTo } from "./transitions.ts";
import { lowerCallback, lowerEventState } from "./waits.ts";

/** Lowers one state: input filter, work, output filter, transition. */
export function lowerState(writer: Writer): void {
  const { context, state, scope } = writer;
  checkRetry(writer);
  if (state.type === "parallel" && scope.plan.kind !== "workflow")
    context.report(nestedParallel(spanOf(context, state, "type"), { state: state.name }));
  const span = spanOf(context, state, "name");
  const filter = inputFilter(writer);
  if (state.type === "switch") {
    complete(sequence(filter, lowerSwitch(writer, state)), span);
    return;
  }
  const work = filter === noSteps ? lowerWork(writer, state) : sequence(filter, lowerWork(writer, state));
  const left = leave(writer, state, work === noSteps);
  complete(sequence(work, left), span);
}

function lowerWork(writer: Writer, state: Exclude<State, SwitchState>): StepFragment {
  switch (state.type) {
    case "event":
      return lowerEventState(writer, state);
    case "operation":
      return state.actions.length === 0
        ? noWork(writer)
        : withErrorHandling(writer, (inner) => withoutSkip(lowerActions(inner, state)));
    case "delay":
      return withErrorHandling(writer, (inner) => lowerDelay(inner, state));
    case "parallel":
      return withErrorHandling(writer, (inner) => lowerParallel(inner, state));
    case "subflow":
      return withErrorHandling(writer, (inner) => lowerSubflow(inner, state));
    case "inject":
      return state.data === undefined
        ? noWork(writer)
        : withErrorHandling(writer, (inner) => lowerInject(inner, state));
    case "foreach":
      return withErrorHandling(writer, (inner) => lowerForeach(inner, state));
    case "callback":
      return withErrorHandling(writer, (inner) => lowerCallback(inner, state));
    default:
      return assertNever(state);
  }
}

function noWork(writer: Writer): StepFragment {
  const { retry, onError } = writer.state;
  return retry || onError ? withErrorHandling(writer, () => noSteps) : noSteps;
}

/** A state that does nothing else still gets a step. */
function leave(writer: Writer, state: State, empty: boolean): StepFragment {
  const { context } = writer;
  const { transition, end } = state;
  const span = spanOf(context, state, "name");
  if (transition && end)
    context.report(
      transitionAndEnd(spanOf(context, state, "end", "key"), { state: state.name }, [
        { message: "The transition is here.", span: spanOf(context, state, "transition", "key") },
      ]),
    );
  if (transition) {
    const direct =
      empty &&
      transition.expression === undefined &&
      !transition.produceEvent &&
      !state.stateDataFilter?.dataOutputPath;
    return direct ? sequence(assign(writer, "pass", span), leaveTo(writer, transition)) : leaveTo(writer, transition);
  }
  if (!end) context.report(neitherTransitionNorEnd(span, { state: state.name }));
  return leaveScope(writer, end ?? { kind: "default" });
}

const retryableTypes: ReadonlySet<State["type"]> = new Set(["event", "operation", "parallel", "foreach", "callback"]);

function checkRetry({ context, state }: Writer): void {
  if (state.retry && !retryableTypes.has(state.type))
    context.report(retryNotAllowed(spanOf(context, state, "retry", "key"), { type: state.type }));
}

function lowerDelay(writer: Writer, state: DelayState): StepFragment {
  const seconds = literal(secondsAt(writer.context, state, "timeDelay") ?? 0);
  const span = spanOf(writer.context, state, "timeDelay");
  return step(writer, "delay", span, (base, next) => ({
    ...base,
    kind: "delay",
    wait: { kind: "for", seconds },
    spans: { wait: span },
    next,
  }));
}

const lowerInject = (writer: Writer, state: InjectState): StepFragment =>
  assignData(
    writer,
    "inject",
    spanOf(writer.context, state, "data"),
    mergeObject(writer.context, data, {
      kind: "literal",
      value: state.data ?? {},
      span: spanOf(writer.context, state, "data"),
    }),
  );

const requireObject: Expression = conditional(
  binary("==", call("type", data), literal("object")),
  data,
  call("error", literal({ name: "InvalidInput", message: "The input of a run has to be an object." })),
);

/**
 * Serverless Workflow (draft of 2020), SubFlow State: starts a workflow with a copy of the data. If it waits, merges
 * the result; a subflow that terminates ends this run too.
 */
function lowerSubflow(writer: Writer, state: SubflowState): StepFragment {
  const { context } = writer;
  const wait = state.waitForCompletion ?? false;
  const span = spanOf(context, state, "workflowId");
  const started = {
    workflow: { name: state.workflowId, span },
    input: context.mayReplaceData ? requireObject : data,
    wait,
    terminates: wait,
    retries: [],
    handlers: [],
  } as const;
  const bind = wait ? declare(writer, "result") : undefined;
  const invoked = step(writer, "invoke", span, (base, next) => ({ ...base, kind: "invoke", ...started, bind, next }));
  if (!wait) return invoked;
  return sequence(
    invoked,
    assignData(
      writer,
      "merge",
      span,
      mergeWhole(context, { target: data, roots: [variable("result")], key: literal(state.workflowId) }),
    ),
  );
}
