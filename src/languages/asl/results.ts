import { queryEvaluationError, simplify, variable } from "../../expressions/index.ts";
import type { MapState, ParallelState, TaskState } from "../../generated/asl-definition.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { assign, noSteps, reserveAttempt, type StepFragment, sequence } from "../shared/steps.ts";
import { freshVariable, inputName, type Writer } from "./context.ts";
import { isJsonata, mayMisplace, outputOf, payloadOf, placed, rawInput, variablesAssigned } from "./data-flow.ts";
import { isProgram } from "./dialects.ts";
import { handlersOf, retriesOf, takes } from "./errors.ts";
import { placementError } from "./failures.ts";
import { isDistributed } from "./graph.ts";
import { hasRetries } from "./preparation.ts";
import { valueAt } from "./templates.ts";

/** Where the result goes and what follows errors. */
export interface Recovery {
  readonly bind: string | undefined;
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}

/** The parts of the steps of a state with a result. */
export interface Work {
  /** What is computed first. */
  before?(inner: Writer): StepFragment;
  run(inner: Writer, recovery: () => Recovery): StepFragment;
  /** Whether errors before and behind `run` are those of the state, which it retries and catches. */
  readonly isWhole?: boolean;
  /** Makes the result of what `run` has bound. */
  collect?(inner: Writer, bound: string): StepFragment;
}

/** Work with a result, errors that are taken, and the output of the state. */
export function resultSteps(
  writer: Writer<TaskState | ParallelState | MapState>,
  { before = () => noSteps, run, isWhole = false, collect = () => noSteps }: Work,
): StepFragment {
  const { state, construct } = writer;
  const names = [...(state.Retry ?? []), ...(state.Catch ?? [])].flatMap(({ ErrorEquals }) => ErrorEquals);
  const recovery = (): Pick<Recovery, "retries" | "handlers"> => ({
    retries: retriesOf(writer, state),
    handlers: handlersOf(writer, state),
  });
  const { preparation } = writer;
  const isPrepared =
    preparation.retries !== undefined ||
    Object.values(preparation.drawn).some((list) => list.length > 0) ||
    (preparation.queried?.calls ?? []).length > 0;
  const isRepeated = hasRetries(state) && isPrepared;
  const bound = freshVariable(writer, "result");
  const store = (inner: Writer): StepFragment => {
    const result = variable(bound);
    const selected = payloadOf({ writer: inner, input: result }, { owner: state, key: "ResultSelector" });
    const output = simplify(outputOf(inner, placed(inner, state, selected)));
    const assigned = variablesAssigned({ writer: inner, input: result }, state);
    const isKept = output.kind === "variable" && output.name === inputName;
    if (isKept && assigned.length === 0) return noSteps;
    const stored = isKept ? [] : [{ variable: inputName, value: output }];
    return assign(inner, "output", construct.span, ...stored, ...assigned);
  };
  if (!isRepeated && !(isWhole && names.length > 0) && !needsAttempt(writer, names))
    return sequence(
      before(writer),
      run(writer, () => ({ bind: bound, ...recovery() })),
      collect(writer, bound),
      store(writer),
    );
  const attempt = reserveAttempt<Writer<TaskState | ParallelState | MapState>>(writer, rawInput, (inner) =>
    sequence(
      isRepeated ? preparation.each(inner) : noSteps,
      before(inner),
      run(inner, () => ({ bind: bound, retries: [], handlers: [] })),
      collect(inner, bound),
      store(inner),
    ),
  );
  return (next) => {
    attempt.fill({ restore: [], ...recovery(), next });
    return attempt.step.reference;
  };
}

/** Whether retries and handlers apply to more than the work: to what is computed before and after it. */
function needsAttempt(writer: Writer<TaskState | ParallelState | MapState>, names: readonly string[]): boolean {
  const { state } = writer;
  if (!isJsonata(writer)) return mayMisplace(state) && takes(names, placementError);
  const computed = [
    "Output",
    "Assign",
    "Items",
    "TimeoutSeconds",
    "HeartbeatSeconds",
    "MaxConcurrency",
    "ToleratedFailureCount",
  ].concat(
    "ToleratedFailurePercentage",
    state.Type === "Parallel" ? "Arguments" : [],
    state.Type === "Map" && isDistributed(state) ? ["ItemSelector", "ItemBatcher"] : [],
  );
  const mayFail = computed.some((key) => hasProgram(valueAt({ owner: state, key }) ?? null));
  return mayFail && takes(names, queryEvaluationError);
}

const hasProgram = (value: Json): boolean =>
  typeof value === "object" && value !== null ? Object.values(value).some(hasProgram) : isProgram(value);
