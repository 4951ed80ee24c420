import * as bindings from "../../src/generated/asl-bindings.js";
import * as settings from "../../src/generated/asl-settings.js";
import type { Target } from "../../src/target/contract.ts";
import { startsOnlyByEvents } from "./event-starts.ts";
import { limitsRuns } from "./execution-limit.ts";
import type { AslArtifact } from "./generate.ts";
import { runMetrics } from "./metrics.ts";

/** AWS Step Functions: a state machine in Amazon States Language (JSONata) for each workflow. */
export const asl: Target<AslArtifact> = {
  name: "asl",
  summary: "Amazon States Language (JSONata), for AWS Step Functions",
  bindings,
  bindsReceivedEvents: true,
  settings,
  callerChecksInputs: true,
  startsOnlyByEvents,
  derivesProblems: true,
  defersProblems: true,
  limitsRuns,
  generate: async (program, options, report) => (await import("./generate.ts")).generate(program, options, report),
  emit: ({ machines, runtime, project }) => [...machines.flatMap(({ files }) => files), ...runtime, ...project],
  loadPasses: async () => (await import("./legalize/index.ts")).passNames,
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
  printExpression: {
    as: "jsonata",
    print: async (expression, _, span) => (await import("./print-expression.ts")).printExpression(expression, span),
  },
};
