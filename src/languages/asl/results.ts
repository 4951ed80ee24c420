import { simplify, variable } from "../../expressions/index.ts";
import type { MapState, ParallelState, TaskState } from "../../generated/asl-definition.ts";
import type { Handler, Retry } from "../../ir/workflow.ts";
import { assign, noSteps, reserveAttempt, type StepFragment, sequence } from "../shared/steps.ts";
import { freshVariable, inputName, type Writer } from "./context.ts";
import { mayMisplace, outputOf, payloadOf, placed, rawInput, variablesAssigned } from "./data-flow.ts";
import { handlersOf, retriesOf, takes } from "./errors.ts";
import { placementError } from "./failures.ts";
import { hasRetries } from "./preparation.ts";

/** Where the result goes and what follows errors. */
export interface Recovery {
  readonly bind: string | undefined;
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}

/** Work with a result, errors that are taken, and the output of the state. */
export function resultSteps(
  writer: Writer<TaskState | ParallelState | MapState>,
  work: (inner: Writer, recovery: () => Recovery) => StepFragment,
  collect: (inner: Writer, bound: string) => StepFragment = () => noSteps,
): StepFragment {
  const { state, construct } = writer;
  const names = [...(state.Retry ?? []), ...(state.Catch ?? [])].flatMap(({ ErrorEquals }) => ErrorEquals);
  const recovery = (): Pick<Recovery, "retries" | "handlers"> => ({
    retries: retriesOf(writer, state),
    handlers: handlersOf(writer, state),
  });
  const { preparation } = writer;
  const isPrepared =
    preparation.retries !== undefined || Object.values(preparation.drawn).some((list) => list.length > 0);
  const isRepeated = state.Type === "Task" && hasRetries(state) && isPrepared;
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
  if (!isRepeated && (!mayMisplace(state) || !takes(names, placementError)))
    return sequence(
      work(writer, () => ({ bind: bound, ...recovery() })),
      collect(writer, bound),
      store(writer),
    );
  const attempt = reserveAttempt<Writer<TaskState | ParallelState | MapState>>(writer, rawInput, (inner) =>
    sequence(
      isRepeated ? preparation.each(inner) : noSteps,
      work(inner, () => ({ bind: bound, retries: [], handlers: [] })),
      collect(inner, bound),
      store(inner),
    ),
  );
  return (next) => {
    attempt.fill({ restore: [], ...recovery(), next });
    return attempt.step.reference;
  };
}
