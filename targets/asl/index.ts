import { collect, type Expression, outputs, pipe, simplify, variable } from "../../src/expressions/index.ts";
import * as bindings from "../../src/generated/asl-bindings.js";
import * as settings from "../../src/generated/asl-settings.js";
import type { Target } from "../../src/target/contract.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import { aslInexact } from "./diagnostics/kinds.ts";
import { type AslArtifact, generate } from "./generate.ts";
import { noFacts } from "./jsonata/context.ts";
import { printJsonata, unsupportedParts } from "./jsonata/print.ts";
import { passNames } from "./legalize/index.ts";
import { runtimeFile } from "./machine-files.ts";
import { runMetrics } from "./metrics.ts";

/** AWS Step Functions: a state machine in Amazon States Language (JSONata) for each workflow. */
export const asl: Target<AslArtifact> = {
  name: "asl",
  summary: "Amazon States Language (JSONata), for AWS Step Functions",
  bindings,
  bindsReceivedEvents: true,
  settings,
  callerChecksInputs: true,
  generate,
  emit: ({ machines, project }) => [
    ...machines.flatMap(({ files }) => files),
    ...(machines.some(({ deployed }) => deployed.modules.events) ? [runtimeFile] : []),
    ...project,
  ],
  passes: passNames,
  metrics: ({ machines }) => machines.flatMap(({ metrics }) => metrics),
  runMetrics,
  commands: [
    {
      name: "verify",
      summary: "validate generated machines with AWS, requires `--on-aws`",
      run: async (args, surroundings) => (await import("./verify/command.ts")).verify(args, surroundings),
    },
  ],
  loadSimulator: async () => (await import("./simulator/index.ts")).createSimulator(),
  printExpression: { as: "jsonata", print: async (expression, _, span) => printExpression(expression, span) },
};

/**
 * Prints an expression over `$states.input`. If it does not have exactly one output, it becomes the array of its
 * outputs.
 */
function printExpression(expression: Expression, span: Span): string | Diagnostic {
  const isOne = outputs(expression) === "one";
  const overInput = simplify(pipe(variable("input'"), isOne ? expression : collect(expression)));
  const [unsupported] = unsupportedParts(overInput);
  if (unsupported) return aslInexact(unsupported.span ?? span, { construct: unsupported.construct });
  const printVariable = (name: string): string =>
    name === "input'" ? "$states.input" : `$${name.replace(/\W/g, "_")}`;
  return printJsonata(overInput, printVariable, { ...noFacts, exposesMessages: false });
}
