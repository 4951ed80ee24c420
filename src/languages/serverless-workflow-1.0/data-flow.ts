import { binary, type Expression, literal, variable } from "../../expressions/index.ts";
import type { Export, Input, Output } from "../../generated/serverless-workflow-1.0-definition.ts";
import { violationOf } from "../../ir/inputs.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, choose, end, noSteps, type StepFragment, type StepWriter, sequence, step } from "../shared/steps.ts";
import { exportRow, inputRow, outputRow, type Row } from "./arguments.ts";
import { builtInFunction } from "./built-in.ts";
import { type Context, contextName, dataName, type Writer } from "./context.ts";
import { exportInBranch } from "./diagnostics/flow.ts";
import { standardError } from "./errors.ts";
import { filterAt, type ValuePlace } from "./expressions.ts";
import { rulesAt } from "./schemas.ts";

/** Assigns the data the value of a filter. */
function filterSteps(
  context: Context,
  writer: StepWriter,
  place: ValuePlace,
  row: Row,
  target = dataName,
): StepFragment {
  const value = filterAt(context, place, row);
  if (value.kind === "variable" && value.name === target) return noSteps;
  const span = spanOf(context, place.owner, place.key);
  if (target === contextName) context.replacements.set(value, span);
  return assign(writer, String(place.key), span, { variable: target, value });
}

/** Raises `validation` if a variable does not conform to the schema of `owner`. */
export function schemaSteps(
  context: Context,
  writer: StepWriter,
  owner: Input | Output | Export,
  { checked, instance, noun }: { readonly checked: string; readonly instance: string; readonly noun: string },
): StepFragment {
  const found = owner.schema && rulesAt(context, owner.schema);
  if (!found) return noSteps;
  const span = spanOf(context, owner, "schema");
  const violation = violationOf(variable(checked), found, noun);
  const value = standardError("validation", "Validation", violation, instance);
  const isViolated = binary("!=", violation, literal(null));
  const fail = () => end(writer, "invalid", span, { outcome: "fail", extent: "scope", value });
  return choose(writer, "schema", span, [{ when: isViolated, span, build: fail }], () => noSteps);
}

const keep = (writer: Writer, name: string | undefined, what: string, value: Expression): StepFragment =>
  name === undefined ? noSteps : assign(writer, what, writer.construct.span, { variable: name, value });

/** The steps before the work of a task: clock, input schema, `input.from`. */
export function inputSteps(writer: Writer): StepFragment {
  const { context, task, pointer, startedAt } = writer;
  const data = variable(dataName);
  const { input } = task;
  return sequence(
    keep(writer, writer.rawInput, "raw", data),
    startedAt === undefined ? noSteps : clockCall(writer, context, startedAt, writer.construct.span),
    input ? schemaSteps(context, writer, input, { checked: dataName, instance: pointer, noun: "the input" }) : noSteps,
    input?.from === undefined ? noSteps : filterSteps(context, writer, { owner: input, key: "from" }, inputRow(writer)),
    keep(writer, writer.keptInput, "keep", data),
  );
}

/** The steps after the work of a task: `output.as`, its schema, `export.as`, its schema. */
export function outputSteps(writer: Writer): StepFragment {
  const { context, task, pointer, scope } = writer;
  const { output, export: exported } = task;
  if (exported && scope.frame.isBranch) context.report(exportInBranch(spanOf(context, task, "export", "key"), {}));
  return sequence(
    keep(writer, writer.rawOutput, "output", variable(dataName)),
    output?.as === undefined ? noSteps : filterSteps(context, writer, { owner: output, key: "as" }, outputRow(writer)),
    output
      ? schemaSteps(context, writer, output, { checked: dataName, instance: pointer, noun: "the output" })
      : noSteps,
    exported?.as === undefined
      ? noSteps
      : filterSteps(context, writer, { owner: exported, key: "as" }, exportRow(writer), contextName),
    exported
      ? schemaSteps(context, writer, exported, { checked: contextName, instance: pointer, noun: "the context" })
      : noSteps,
  );
}

/** The workflow's own `output`, before it ends. */
export const workflowOutputSteps = (context: Context, writer: StepWriter, row: Row): StepFragment => {
  const { output } = context.definition;
  if (!output) return noSteps;
  return sequence(
    output.as === undefined ? noSteps : filterSteps(context, writer, { owner: output, key: "as" }, row),
    schemaSteps(context, writer, output, { checked: dataName, instance: "", noun: "the output" }),
  );
};

/** The check of a workflow's input against its schema. */
export function workflowInputCheck(context: Context, writer: StepWriter): StepFragment {
  const { input } = context.definition;
  return input ? schemaSteps(context, writer, input, { checked: dataName, instance: "", noun: "the input" }) : noSteps;
}

/** The steps that transform a workflow's input: `input.from`. */
export function workflowInputFilter(context: Context, writer: StepWriter, row: Row): StepFragment {
  const { input } = context.definition;
  return input?.from === undefined ? noSteps : filterSteps(context, writer, { owner: input, key: "from" }, row);
}

/** A task that cannot be lowered, which is reported: it keeps its place. */
export const skippedSteps = (writer: Writer): StepFragment => assign(writer, "skip", writer.construct.span);

/** Reads the clock into a variable. */
export function clockCall(writer: StepWriter, context: Context, bound: string, span: Span): StepFragment {
  const called = builtInFunction(context, "clock", span);
  return builtInCall(writer, "clock", called, bound, span);
}

/** Calls a built-in function. */
export const builtInCall = (
  writer: StepWriter,
  what: string,
  called: string,
  bound: string,
  span: Span,
): StepFragment =>
  step(writer, what, span, (base, next) => ({
    ...base,
    kind: "call",
    function: { name: called, span },
    argument: literal(null),
    wait: true,
    retries: [],
    bind: bound,
    handlers: [],
    next,
  }));
