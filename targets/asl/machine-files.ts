import { receivingRuntime } from "../../src/generated/asl-runtime.js";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";
import type { OutputFile, WorkflowMetric } from "../../src/target/contract.ts";
import { settingNotes } from "../../src/target/settings.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import { byteLength } from "../../src/text/source.ts";
import type { DeployedMachine } from "./deploy/index.ts";
import * as messages from "./diagnostics/kinds.ts";
import { type EventGroup, startedWorkflows } from "./event-groups.ts";
import type { EventUse } from "./events.ts";
import { maxHistoryEvents, shortestHistory } from "./history.ts";
import { restoreFields } from "./keep/restore-fields.ts";
import type { LegalizedWorkflow } from "./legalize/index.ts";
import { readsSecrets } from "./legalize/secret-references.ts";
import { type UnlimitedLoop, unlimitedLoops } from "./loops.ts";
import { machineMetrics, maxDefinitionBytes } from "./metrics.ts";
import { type GeneratedFunctions, machineText, machineYaml, printMachine } from "./print.ts";
import type { Selection } from "./select/workflow.ts";

/** The files of a workflow: its machine, the source map and the modules of its functions. */
export interface MachineFiles {
  readonly files: readonly OutputFile[];
  readonly metrics: readonly WorkflowMetric[];
  readonly deployed: DeployedMachine;
}

/** A workflow with its states, and the own errors that its ends raise. */
export interface SelectedMachine extends Selection, Pick<DeployedMachine, "endErrors"> {
  readonly legalized: LegalizedWorkflow;
}

/** The event group of a workflow, and the names of its files without extensions. */
interface MachineOptions {
  readonly group: EventGroup | undefined;
  /** The name of the modules of its leader. */
  readonly leaderModules: string;
  readonly eventUses: ReadonlyMap<Workflow, EventUse>;
  /** Whether it makes a call for which another workflow does not wait. */
  readonly isCall: boolean;
  /** Whether a template supplies the functions. */
  readonly hasTemplate: boolean;
  readonly file: string;
  readonly modules: string;
}

/** Prints a machine and its functions. Returns undefined after reporting constructs without an exact form. */
export async function buildMachine(
  selected: SelectedMachine,
  options: MachineOptions,
  report: Report,
): Promise<MachineFiles | undefined> {
  const { machine, endErrors, legalized } = selected;
  const { workflow, source, services } = legalized;
  if (selected.problems.length > 0) {
    reportProblems(selected, report);
    return undefined;
  }
  const modules = await generateModules(legalized, options);
  reportFunctions(legalized, modules, report);
  const generated = generatedFunctions(modules, legalized, options.group);
  const printed = printMachine(machine, workflow, generated, options.isCall);
  const { map } = printed;
  const { format, mark } = services;
  const callsResource = (state: string): boolean => !options.hasTemplate && !services.isBound(state);
  const definition = restoreFields(printed.definition, workflow, { mark, callsResource });
  const file = `${options.file}.asl.${format}`;
  const json = machineText(definition, mark);
  const text = format === "yaml" ? await machineYaml(definition, mark) : json;
  const bytes = byteLength(text);
  if (bytes > maxDefinitionBytes) report(messages.aslSize(workflow.span, { id: workflow.id, bytes }));
  const history = shortestHistory(machine);
  if (history.events > maxHistoryEvents) {
    const costliest = stepsOf(source).find(({ id }) => id === history.costliest?.state.step);
    report(messages.aslHistory(costliest?.span ?? workflow.span, { ...history, id: workflow.id }));
  }
  reportLoops(selected, report);
  const { expressions, functions, events, secrets } = modules;
  const paths = { expressions: expressions?.path, functions: functions?.path, events: events?.path };
  return {
    deployed: { workflow, machine, services, endErrors, group: options.group, file, text, modules: paths },
    files: [
      { path: file, text },
      { path: `${options.file}.asl.map.json`, text: machineText(map, mark) },
      ...[expressions, functions, events, secrets].filter((each) => each !== undefined),
    ].map((each) => ({ ...each, workflow: workflow.id })),
    metrics: machineMetrics(workflow.id, JSON.parse(json) as JsonObject, { bytes, events: history.events }),
  };
}

/** Reports at once how often the loops of a machine may run. */
function reportLoops(selected: SelectedMachine, report: Report): void {
  const { machine, continues, refusal, legalized } = selected;
  const { workflow, source, services } = legalized;
  const steps = new Map([...stepsOf(workflow), ...stepsOf(source)].map((step) => [step.id, step]));
  const named = new Map<string, LoopLimit>();
  const refused = new Map<string, { readonly name: string; readonly reason: string; readonly span: Span }>();
  for (const { step, kind, most, within } of unlimitedLoops(machine, workflow)) {
    const { origin, span } = steps.get(step)!;
    const isTop = kind === "rounds" && within === undefined;
    if (isTop && continues) continue;
    if (kind === "rounds" && services.continues) {
      refused.set(origin.name, { name: origin.name, reason: refusal ?? `it is within a ${within} state`, span });
      continue;
    }
    const known = named.get(origin.name);
    const mayContinue = isTop && refusal === undefined;
    if (!known || most < known.most) named.set(origin.name, { name: origin.name, kind, most, mayContinue, span });
  }
  for (const { span, ...loop } of refused.values())
    report(messages.aslContinuation(span, loop, settingNotes(services, "continue")));
  const [first, ...others] = named.values();
  if (!first) return;
  const notes = others.map(({ span, ...loop }) => ({
    message: `They also allow ${messages.describeLoop(loop)}.`,
    span,
  }));
  report(messages.aslRounds(first.span, first, notes));
}

interface LoopLimit extends Pick<UnlimitedLoop, "kind" | "most"> {
  readonly name: string;
  /** Whether it could continue in new executions. */
  readonly mayContinue: boolean;
  readonly span: Span;
}

function reportProblems({ problems, legalized: { outlined } }: SelectedMachine, report: Report): void {
  const isWithin = (part: Span, whole: Span): boolean =>
    part.source === whole.source && part.start >= whole.start && part.end <= whole.end;
  for (const { span, construct } of problems) {
    const reason = outlined?.unsupported.find((each) => isWithin(span, each.span))?.reason;
    const hint = reason === undefined ? undefined : `Nor can a Lambda function compute it. ${reason}`;
    report(messages.aslInexact(span, { construct, hint }));
  }
}

/** The modules of a machine's functions. */
interface Modules {
  readonly expressions?: OutputFile | undefined;
  readonly functions?: OutputFile | undefined;
  readonly events?: OutputFile | undefined;
  /** Imported by the functions that the deployment supplies. */
  readonly secrets?: OutputFile | undefined;
}

/** The code that generates modules is loaded only if a machine has functions. */
async function generateModules(
  { workflow, source, outlined }: LegalizedWorkflow,
  { group, leaderModules, eventUses, modules }: MachineOptions,
): Promise<Modules> {
  const computed = outlined?.computed ?? [];
  const hasScripts = scriptsIn(workflow).length > 0;
  const generator = computed.length > 0 || hasScripts ? await import("./expressions.ts") : undefined;
  return {
    expressions:
      generator && computed.length > 0
        ? { path: `${modules}-expressions.mjs`, text: generator.expressionsFile(workflow, computed) }
        : undefined,
    functions:
      generator && hasScripts ? { path: `${modules}-functions.mjs`, text: generator.scriptsFile(workflow) } : undefined,
    secrets: stepsOf(source).some(readsSecrets)
      ? (await import("./secrets.ts")).secretsModule(source, `${modules}-secrets.mjs`)
      : undefined,
    events: group && {
      path: eventModulePath(modules),
      text: (await import("./events.ts")).eventsFile(workflow, group, eventUses, {
        runtime: runtimePath,
        leader: eventModulePath(leaderModules),
      }),
    },
  };
}

const eventModulePath = (modules: string): string => `${modules}-events.mjs`;

/** The runtime module that the functions of workflows that receive events share. */
export const runtimeFile = (): OutputFile => ({ path: runtimePath, text: receivingRuntime() });

const runtimePath = "runtime/events.mjs";

const scriptsIn = ({ functions }: Workflow): Workflow["functions"] =>
  functions.filter(({ protocol }) => protocol?.kind === "script");

/** Reports the parts of the definition that functions compute. */
function reportFunctions(
  { workflow, source, outlined }: LegalizedWorkflow,
  { expressions, functions, secrets }: Modules,
  report: Report,
): void {
  const [sending] = stepsOf(source).filter(readsSecrets);
  if (secrets && sending) report(messages.aslSecrets(sending.span, { file: secrets.path }));
  for (const { parts } of outlined?.computed ?? [])
    for (const { span, reason } of parts) report(messages.aslComputed(span, { why: reason, file: expressions!.path }));
  for (const { span } of scriptsIn(workflow))
    report(messages.aslComputed(span, { why: "This function is JavaScript", file: functions!.path }));
}

const generatedFunctions = (
  { expressions, functions, events }: Modules,
  { services, workflow }: LegalizedWorkflow,
  group: EventGroup | undefined,
): GeneratedFunctions => ({
  expressions: expressions && { file: expressions.path, resource: services.expressionFunction },
  functions: functions && { file: functions.path, resource: services.scriptFunction },
  events: events && {
    file: events.path,
    resource: services.waitFunction,
    starts: startedWorkflows(group?.members ?? []).map(({ id }) => id),
    ...(group && group.leader !== workflow && { leader: group.leader.id }),
  },
});
