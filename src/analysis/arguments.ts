import { argumentMismatch, uncertainArgument } from "../diagnostics/data.ts";
import { spanOfPart } from "../documents/locate.ts";
import { inferType } from "../expressions/index.ts";
import type { ParameterType } from "../ir/definitions.ts";
import { spanOfValue } from "../ir/spans.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Call, Program } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import { findMisfit, type Type } from "../types/index.ts";
import { inferDataFlow } from "./types/flow.ts";

/** Checks arguments against the types of functions. */
export function checkArguments(program: Program, report: Report): void {
  const isTyped = program.workflows.some(({ functions }) => functions.some((each) => each.parameterType));
  if (!isTyped) return;
  for (const [workflow, { before }] of inferDataFlow(program)) {
    const parameters = new Map(workflow.functions.map((each) => [each.name, each.parameterType]));
    for (const step of stepsOf(workflow)) {
      const parameter = step.kind === "call" ? parameters.get(step.function.name) : undefined;
      const types = before.get(step.id);
      if (step.kind === "call" && parameter && types)
        checkArgument(step, inferType(step.argument, types), parameter, report);
    }
  }
}

function checkArgument(call: Call, argument: Type, { type, span: declared }: ParameterType, report: Report): void {
  const misfit = findMisfit(argument, type);
  if (!misfit) return;
  const { path, found, wanted, origin, isCertain } = misfit;
  const span = call.spans?.argument ? spanOfPart(call.spans.argument, path) : spanOfValue(call, "argument");
  const notes = [{ message: "The parameter is declared here.", span: origin ?? declared }];
  const kind = isCertain ? argumentMismatch : uncertainArgument;
  report(kind(span, { name: call.function.name, path, found, wanted }, notes));
}
