import { access, collect, comma, type Expression, literal, variable } from "../../expressions/index.ts";
import type { ParallelState } from "../../generated/asl-definition.ts";
import type { Branch } from "../../ir/workflow.ts";
import { spanOf } from "../shared/properties.ts";
import { assign, noSteps, type StepFragment, step } from "../shared/steps.ts";
import { freshVariable, type Writer } from "./context.ts";
import { effectiveInput, payloadOf } from "./data-flow.ts";
import { type Recovery, resultSteps } from "./results.ts";
import { lowerScope } from "./scopes.ts";

/** Runs the branches with the payload; the result is the array of their outputs. */
export function lowerParallel(writer: Writer<ParallelState>): StepFragment {
  const { state, construct, context } = writer;
  const payload = payloadOf({ writer, input: effectiveInput(writer) }, { owner: state, key: "Parameters" });
  const { input, before } = stored(writer, payload);
  const branches = state.Branches.map((branch, i): Branch => {
    const span = spanOf(context, state.Branches, i);
    return { name: String(i), scope: lowerScope(writer, branch, { input, span }), span };
  });
  const run = (inner: Writer, recovery: () => Recovery): StepFragment =>
    step(inner, "fork", construct.span, (base, next) => ({
      ...base,
      kind: "fork",
      branches,
      join: { kind: "all" },
      failure: "fatal",
      ...recovery(),
      next,
    }));
  const join = (inner: Writer, bound: string): StepFragment => {
    const outputs = branches.map((branch) => access(variable(bound), literal(branch.name)));
    const value = collect(outputs.length === 1 ? outputs[0] : comma(...outputs));
    return assign(inner, "join", construct.span, { variable: bound, value });
  };
  return resultSteps(writer, { before, run, collect: join });
}

/** A value that inner scopes read, computed once. */
export function stored(
  writer: Writer,
  value: Expression,
): { readonly input: Expression; readonly before: (inner: Writer) => StepFragment } {
  if (value.kind === "variable" || value.kind === "literal") return { input: value, before: () => noSteps };
  const name = freshVariable(writer, "payload");
  const before = (inner: Writer): StepFragment =>
    assign(inner, "payload", writer.construct.span, { variable: name, value });
  return { input: variable(name), before };
}
