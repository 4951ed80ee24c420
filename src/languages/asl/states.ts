import {
  binary,
  call,
  conditional,
  type Expression,
  literal,
  object,
  simplify,
  variable,
} from "../../expressions/index.ts";
import type { FailState, PassState, State, SucceedState, WaitState } from "../../generated/asl-definition.ts";
import type { Delay } from "../../ir/workflow.ts";
import { assertNever } from "../../json.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, end, type StepFragment, sequence, step } from "../shared/steps.ts";
import { lowerChoice } from "./choices.ts";
import { isTimestamp, isTimestampText } from "./comparators.ts";
import { freshVariable, inputName, type Writer } from "./context.ts";
import {
  checkReference,
  effectiveInput,
  isJsonata,
  outputOf,
  outputWithoutResult,
  payloadOf,
  placed,
  rawInput,
  variablesAssigned,
  within,
} from "./data-flow.ts";
import { badTimestamp, unsupportedField } from "./diagnostics/kinds.ts";
import { isProgram } from "./dialects.ts";
import { queryFailure, runtimeFailure } from "./failures.ts";
import { jsonataAt, typedAt } from "./jsonata-values.ts";
import { lowerMap } from "./map.ts";
import { lowerParallel } from "./parallel.ts";
import { reportUnreadable } from "./placeholders.ts";
import { wholeNumber } from "./seconds.ts";
import { lowerTask } from "./tasks.ts";
import { expressionAt, pathAt, textAt, valueAt } from "./templates.ts";

/** Lowers a state, with the transition to its successor. */
export function lowerState(writer: Writer): StepFragment {
  const { state } = writer;
  switch (state.Type) {
    case "Pass":
      return sequence(lowerPass({ ...writer, state }), leave({ ...writer, state }));
    case "Task":
      return sequence(lowerTask({ ...writer, state }), leave({ ...writer, state }));
    case "Choice":
      return lowerChoice({ ...writer, state });
    case "Wait":
      return sequence(lowerWait({ ...writer, state }), leave({ ...writer, state }));
    case "Succeed":
      return lowerSucceed({ ...writer, state });
    case "Fail":
      return lowerFail({ ...writer, state });
    case "Parallel":
      return sequence(lowerParallel({ ...writer, state }), leave({ ...writer, state }));
    case "Map":
      return sequence(lowerMap({ ...writer, state }), leave({ ...writer, state }));
    default:
      return assertNever(state);
  }
}

/** Continues with `Next`, or ends the scope with the output. */
function leave(writer: Writer<Exclude<State, { readonly Type: "Choice" | "Succeed" | "Fail" }>>): StepFragment {
  const { context, state, construct } = writer;
  if (state.Next !== undefined) return () => writer.route(state, "Next");
  const span = state.End === undefined ? construct.span : spanOf(context, state, "End");
  return (next) => end(writer, "end", span, { outcome: "leave", extent: "scope", value: rawInput })(next);
}

function lowerPass(writer: Writer<PassState>): StepFragment {
  const { state, construct } = writer;
  const input = effectiveInput(writer);
  const given = valueAt({ owner: state, key: "Result" });
  const result =
    given === undefined ? payloadOf({ writer, input }, { owner: state, key: "Parameters" }) : literal(given);
  const output = outputOf(writer, placed(writer, state, result));
  const values = [{ variable: inputName, value: simplify(output) }];
  return assign(writer, "output", construct.span, ...values, ...variablesAssigned({ writer, input: result }, state));
}

function lowerWait(writer: Writer<WaitState>): StepFragment {
  const { context, state, construct } = writer;
  const input = effectiveInput(writer);
  const key = (["Seconds", "SecondsPath", "Timestamp", "TimestampPath"] as const).find((each) =>
    Object.hasOwn(state, each),
  );
  if (key === undefined) return (next) => next;
  const isInstant = key.startsWith("Timestamp");
  const span = spanOf(context, state, key);
  const field = { owner: state, key };
  let given: Expression = literal(valueAt(field)!);
  if (isJsonata(writer) && isProgram(valueAt(field))) {
    given = within("wait", jsonataAt({ writer }, field), isInstant ? queriedInstant : queriedSeconds);
  } else if (state.Timestamp !== undefined && !isTimestampText(state.Timestamp)) {
    if (!reportUnreadable(textAt({ writer, input }, field), context.report))
      context.report(badTimestamp(span, { text: state.Timestamp }));
  }
  if (key.endsWith("Path")) {
    const path = pathAt({ writer, input }, field);
    if (path) checkReference(writer, field, path);
    given = within("wait", path?.value ?? literal(0), isInstant ? checkedInstant : checkedSeconds);
  }
  const waits = given.kind === "literal" ? undefined : freshVariable(writer, isInstant ? "instant" : "seconds");
  const value = waits === undefined ? given : variable(waits);
  const wait: Delay["wait"] = isInstant ? { kind: "until", instant: value } : { kind: "for", seconds: value };
  const check = waits === undefined ? [] : [assign(writer, "time", span, { variable: waits, value: simplify(given) })];
  const delay = step(writer, "wait", construct.span, (base, next) => ({
    ...base,
    kind: "delay",
    wait,
    spans: { wait: span },
    next,
  }));
  const output = outputWithoutResult(writer, state, input);
  const assigned = variablesAssigned({ writer, input }, state);
  const isPlain = assigned.length === 0 && output.kind === "variable" && output.name === inputName;
  const store = assign(writer, "output", construct.span, { variable: inputName, value: output }, ...assigned);
  return sequence(...check, delay, ...(isPlain ? [] : [store]));
}

const checkedSeconds = (value: Expression): Expression =>
  wholeNumber(value, 0, runtimeFailure("The seconds of a Wait are no integer from 0 to 99,999,999."));

const checkedInstant = (value: Expression): Expression =>
  conditional(isTimestamp(value), value, runtimeFailure("The instant of a Wait is no timestamp."));

const queriedSeconds = (value: Expression): Expression =>
  wholeNumber(value, 0, queryFailure("The value of the field 'Seconds' is no integer from 0 to 99,999,999."));

const queriedInstant = (value: Expression): Expression =>
  conditional(isTimestamp(value), value, queryFailure("The value of the field 'Timestamp' is no timestamp."));

function lowerSucceed(writer: Writer<SucceedState>): StepFragment {
  const value = outputWithoutResult(writer, writer.state, effectiveInput(writer));
  return end(writer, "end", writer.construct.span, { outcome: "leave", extent: "scope", value });
}

/** Empty names and causes stand for absent ones, which catchers see as null. */
const emptyText = "An empty text, in a machine with Fail states that have no `Error` or no `Cause`,";

function lowerFail(writer: Writer<FailState>): StepFragment {
  const { context, state, construct } = writer;
  const text = (key: "Error" | "Cause"): Expression => {
    if (isJsonata(writer) && isProgram(state[key]))
      return simplify(typedAt({ writer }, { owner: state, key }, "string"));
    if (state[key] !== undefined) return literal(state[key]);
    const field = { owner: state, key: `${key}Path` };
    if (valueAt(field) === undefined) return literal("");
    const isText = (value: Expression): Expression =>
      conditional(
        binary("==", call("type", value), literal("string")),
        value,
        runtimeFailure(`The value of ${key}Path is no string.`),
      );
    return within("given", expressionAt({ writer, input: rawInput }, field), isText);
  };
  for (const key of ["Error", "Cause"] as const)
    if (state[key] === "" && context.hasNullErrors)
      context.report(unsupportedField(spanOf(context, state, key), { what: emptyText }));
  const value = object([
    ["origin", literal("fail")],
    ["name", text("Error")],
    ["message", text("Cause")],
  ]);
  return end(writer, "end", construct.span, { outcome: "fail", extent: "scope", value: simplify(value) });
}
