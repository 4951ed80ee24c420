import * as bindings from "../../src/generated/openwhisk-bindings.js";
import * as settings from "../../src/generated/openwhisk-settings.js";
import type { OutputFile, Target } from "../../src/target/contract.ts";
import { metricsOf, runMetricsOf } from "./metrics.ts";

/**
 * Apache OpenWhisk: generates a composition in the JSON format and a conductor action for each workflow, and a
 * manifest.
 */
export const openwhisk: Target<readonly OutputFile[]> = {
  name: "openwhisk",
  summary: "compositions for Apache OpenWhisk",
  bindings,
  bindsReceivedEvents: true,
  settings,
  generate: async (program, options, report) => (await import("./generate.ts")).generate(program, options, report),
  emit: (files) => files,
  loadPasses: async () => (await import("./select/workflow.ts")).passes.map(({ name }) => name),
  metrics: metricsOf,
  runMetrics: runMetricsOf,
  loadSimulator: async () => (await import("./simulate.ts")).createSimulator(),
};
