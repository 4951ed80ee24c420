import { retriesOf, stepsOf } from "../../../src/ir/walk.ts";
import type { Retry, Workflow } from "../../../src/ir/workflow.ts";
import { type JsonObject, own } from "../../../src/json.ts";
import type { OutputFile, Settings, WorkflowMetric } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { byteLength } from "../../../src/text/source.ts";
import { aslAlreadyBound, aslKeptSetting, aslKeptStates, aslSize } from "../diagnostics/kinds.ts";
import { canRetry } from "../errors.ts";
import { layOutJson } from "../layout.ts";
import { machineMetrics, maxDefinitionBytes } from "../metrics.ts";
import { foldPasses } from "./fold-passes.ts";
import { nativeMachine, storingStates } from "./machine.ts";

/**
 * Whether a state machine is printed as it was written, in its own query language: on request, or if it cannot be
 * converted.
 */
export function isKept(workflow: Workflow, values: JsonObject): boolean {
  const language = own(values, "queryLanguage");
  const machine = nativeMachine(workflow);
  if (!machine || language === "keep") return machine !== undefined;
  return storingStates(machine).length > 0 || (language === undefined && retryingStates(workflow).length > 0);
}

/** Whether a later delay of a retry has a fractional factor. */
const waitsForParts = ({ delay, limit = Number.POSITIVE_INFINITY }: Retry): boolean =>
  limit > 1 && !Number.isInteger(delay.factor);

/** The states whose retries would become loops of states, which cannot wait for parts of seconds. */
const retryingStates = (workflow: Workflow): readonly string[] =>
  stepsOf(workflow)
    .filter((step) => retriesOf(step).some(waitsForParts) && !canRetry(step, workflow))
    .map(({ origin }) => origin.name);

/**
 * Reports the state machines that cannot be converted, and the settings that have no effect on those that are kept, once
 * for each configuration.
 */
export function checkKeptSettings(kept: readonly Workflow[], { configurationOf }: Settings, report: Report): void {
  for (const workflow of kept) {
    if (own(configurationOf(workflow).values, "queryLanguage") === "keep") continue;
    const stored = storingStates(nativeMachine(workflow)!);
    const [states, reason] =
      stored.length > 0 ? [stored, "items" as const] : [retryingStates(workflow), "retries" as const];
    report(aslKeptStates(workflow.span, { id: workflow.id, states, reason }));
  }
  for (const [values, [first]] of Map.groupBy(kept, (workflow) => configurationOf(workflow).values)) {
    const { spanOf } = configurationOf(first!);
    const isAsked = own(values, "queryLanguage") === "keep";
    for (const name of Object.keys(values).filter((each) => each !== "queryLanguage" && each !== "format")) {
      const span = spanOf(name);
      report(aslKeptSetting(span ?? first!.span, { name, id: first!.id, isFlag: !span, isAsked }));
    }
  }
}

/** The file of a state machine that is kept, and what it measures. */
export interface KeptMachine {
  readonly files: readonly OutputFile[];
  readonly metrics: readonly WorkflowMetric[];
}

/** Prints a state machine in its own query language, without Pass states that its other states make superfluous. */
export async function keptMachine(
  workflow: Workflow,
  file: string,
  { configurationOf }: Settings,
  report: Report,
): Promise<KeptMachine> {
  const { functions, values } = configurationOf(workflow);
  for (const { name, resource = "" } of workflow.functions) {
    const binding = functions.get(name);
    if (binding) report(aslAlreadyBound(binding.name.span, { name, resource, workflow: undefined }));
  }
  const definition = foldPasses(nativeMachine(workflow)!);
  const format = own(values, "format") === "yaml" ? "yaml" : "json";
  const text =
    format === "json"
      ? layOutJson(definition)
      : (await import("yaml")).stringify(definition, { aliasDuplicateObjects: false, lineWidth: 0 });
  const bytes = byteLength(text);
  if (bytes > maxDefinitionBytes) report(aslSize(workflow.span, { id: workflow.id, bytes }));
  return {
    files: [{ path: `${file}.asl.${format}`, text, workflow: workflow.id }],
    metrics: machineMetrics(workflow.id, definition, { bytes, events: 0 }).filter(({ value }) => value > 0),
  };
}
