import { collect, type Expression, outputs, pipe, simplify, variable } from "../../src/expressions/index.ts";
import * as bindings from "../../src/generated/asl-bindings.js";
import { receivingRuntime } from "../../src/generated/asl-runtime.js";
import * as settings from "../../src/generated/asl-settings.js";
import { fileNames, shortHash } from "../../src/ir/names.ts";
import { type Program, programOf } from "../../src/ir/program.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { type JsonObject, own } from "../../src/json.ts";
import type { OutputFile, Settings, Target } from "../../src/target/contract.ts";
import type { WorkflowMetric } from "../../src/target/metrics.ts";
import type { Diagnostic, Report } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";
import { byteLength } from "../../src/text/utf8.ts";
import type { DeployedMachine } from "./deploy/index.ts";
import * as messages from "./diagnostics/kinds.ts";
import { type EventGroup, eventGroups, startedWorkflows } from "./event-groups.ts";
import type { StartingWaitOf } from "./events.ts";
import { maxHistoryEvents, type ShortestHistory, shortestHistory } from "./history.ts";
import { noFacts, printJsonata, unsupportedParts } from "./jsonata/index.ts";
import { addCallableForms } from "./legalize/callable-forms.ts";
import { raiseWaitErrors } from "./legalize/failing-waits.ts";
import { limitAttempts } from "./legalize/limit-attempts.ts";
import { limitBranches } from "./legalize/limit-branches.ts";
import { paceIterations } from "./legalize/pace-iterations.ts";
import { chooseOwnErrors, ownErrorsRaised } from "./legalize/raise-ends.ts";
import { splitCalls } from "./legalize/split-calls.ts";
import { translateScripts } from "./legalize/translate-scripts.ts";
import { checkLimits } from "./limits.ts";
import { machineMetrics, maxDefinitionBytes, runMetrics } from "./metrics.ts";
import { machineText, machineYaml, printMachine } from "./print.ts";
import { indexWaits } from "./select/waits.ts";
import { type Lowered, lowered } from "./select/workflow.ts";
import { bindingsOf, type Services, servicesOf } from "./services.ts";

/** AWS Step Functions: a state machine in Amazon States Language (JSONata) for each workflow. */
export const asl: Target<Whole> = {
  name: "asl",
  summary: "Amazon States Language (JSONata), for AWS Step Functions",
  bindings,
  settings,
  generate: make,
  emit: ({ made, project }) => [
    ...made.flatMap(({ files }) => files),
    ...(made.some(({ deployed }) => deployed.modules.events) ? [runtimeFile] : []),
    ...project,
  ],
  metrics: ({ made }) => made.flatMap(({ figures }) => figures),
  runMetrics: runMetrics,
  commands: [
    {
      name: "verify",
      summary: "ask AWS about emitted machines, with `--on-aws`",
      run: async (args, surroundings) => (await import("./verify/command.ts")).verify(args, surroundings),
    },
  ],
  loadSimulator: async () => (await import("./simulator/index.ts")).createSimulator(),
  printExpression: { as: "jsonata", print: async (expression, _, span) => printExpression(expression, span) },
};

/** What a program is made to. */
interface Whole {
  readonly made: readonly Made[];
  /** What deploys the machines whose configuration asks for that. */
  readonly project: readonly OutputFile[];
}

/** What a workflow is made to: its machine, where its states come from and, if it has one, the function that computes its expressions. */
interface Made {
  readonly files: readonly OutputFile[];
  readonly figures: readonly WorkflowMetric[];
  readonly deployed: DeployedMachine;
}

async function make(whole: Program, given: Settings, report: Report): Promise<Whole | undefined> {
  let refused = false;
  const raised = chooseOwnErrors(whole.workflows);
  const workflows = whole.workflows
    .map((workflow) => limitAttempts(workflow, raised))
    .map(limitBranches)
    .map(paceIterations)
    .map(indexWaits)
    .map(raiseWaitErrors);
  const program = addCallableForms(splitCalls(programOf(workflows)));
  for (const workflow of program.workflows)
    given.verify?.(
      workflow,
      "limiting the time of attempts, going through some branches at once, counting iterations that wait, failing where waits do, and telling subflows apart",
    );
  const bound = bindingsOf(program, given, report);
  checkLimits(program, bound, (diagnostic) => {
    refused ||= diagnostic.severity === "error";
    report(diagnostic);
  });
  if (refused) return undefined;
  const together = { program, raised };
  const names = fileNames(program.workflows.map(({ id }) => id));
  const modules = moduleNames(names);
  const named = (i: number): FileNames => ({ machine: names[i]!, modules: modules[i]! });
  const parts: { readonly workflow: Workflow; readonly services: Services; readonly lowering: Lowering }[] = [];
  for (const plain of program.workflows) {
    const { workflow, functions } = translateScripts(plain, program, given.verify);
    for (const { definition, isCalled } of functions) report(messages.aslTranslated(definition.span, { isCalled }));
    const services = servicesOf(workflow, bound(plain));
    const machine = await lowered(workflow, together, services, given.verify);
    parts.push({ workflow, services, lowering: { ...machine, endErrors: ownErrorsRaised(machine.workflow, raised) } });
  }
  const groups = eventGroups(parts.map(({ lowering }) => lowering.workflow));
  const waits = new Map<Workflow, string | undefined>(
    parts.map(({ lowering }) => [lowering.workflow, lowering.startedBehind]),
  );
  const behind: StartingWaitOf = (workflow) => waits.get(workflow);
  const made: (Made | undefined)[] = [];
  for (const [i, { workflow, services, lowering }] of parts.entries()) {
    const group = groups.get(lowering.workflow);
    made.push(await makeMachine(workflow, { ...lowering, group, behind }, named(i), services, report));
  }
  if (!made.every((each) => each !== undefined)) return undefined;
  const isAsked = (workflow: Workflow): boolean => own(given.configurationOf(workflow).values, "template") === "sam";
  const wanted = new Set(
    parts.flatMap(({ lowering: { workflow } }, i) =>
      isAsked(program.workflows[i]!) ? (groups.get(workflow)?.members ?? [workflow]) : [],
    ),
  );
  const asked = made.flatMap(({ deployed }) => (wanted.has(deployed.workflow) ? [deployed] : []));
  return { made, project: asked.length > 0 ? await projectOf(asked, report) : [] };
}

/** What deploys machines: made by code that is loaded when that is asked for. */
async function projectOf(machines: readonly DeployedMachine[], report: Report): Promise<readonly OutputFile[]> {
  const { projectFiles } = await import("./deploy/index.ts");
  return projectFiles(machines, report);
}

/** A machine, and the errors of ours that it fails with. */
type Lowering = Lowered & Pick<DeployedMachine, "endErrors">;

/** What the files of a workflow are called by: its machine, and the modules of its functions. */
interface FileNames {
  readonly machine: string;
  readonly modules: string;
}

/** Names for modules: AWS Lambda takes what stands behind the first dot of a handler for the function in the module. */
const moduleNames = (names: readonly string[]): readonly string[] =>
  fileNames(
    names.map((name) => (name.includes(".") ? `${name.replaceAll(".", "-").slice(0, 80)}-${shortHash(name)}` : name)),
  );

/** Undefined where the workflow has no exact form, which is reported. */
async function makeMachine(
  workflow: Workflow,
  lowering: Lowering & Pick<DeployedMachine, "group"> & { readonly behind: StartingWaitOf },
  names: FileNames,
  services: Services,
  report: Report,
): Promise<Made | undefined> {
  const { machine, workflow: performed, legal, endErrors, group, behind } = lowering;
  reportProblems(lowering, report);
  if (lowering.problems.length > 0) return undefined;
  const modules = {
    ...(await functionFiles(workflow, legal.computed, names.modules)),
    events: group && (await eventFile(performed, group, behind, names.modules)),
  };
  reportFunctions(workflow, legal, modules, report);
  const { definition, map } = printMachine(machine, performed, placesOf(modules, services, performed, group));
  const { format, mark: dollar } = services;
  const file = `${names.machine}.asl.${format}`;
  const json = machineText(definition, dollar);
  const text = format === "yaml" ? await machineYaml(definition, dollar) : json;
  const bytes = byteLength(text);
  if (bytes > maxDefinitionBytes) report(messages.aslSize(workflow.span, { id: workflow.id, bytes }));
  const history = shortestHistory(machine);
  if (history.events > maxHistoryEvents)
    report(messages.aslHistory(spanOf(workflow, history), { ...history, id: workflow.id }));
  const { expressions, functions, events } = modules;
  const paths = { expressions: expressions?.path, functions: functions?.path, events: events?.path };
  return {
    deployed: { workflow: performed, machine, services, endErrors, group, file, text, modules: paths },
    files: [
      { path: file, text },
      { path: `${names.machine}.asl.map.json`, text: machineText(map, dollar) },
      ...[expressions, functions, events].filter((each) => each !== undefined),
    ].map((each) => ({ ...each, workflow: workflow.id })),
    figures: machineMetrics(workflow.id, JSON.parse(json) as JsonObject, { bytes, events: history.events }),
  };
}

/** What leaves the most events, where that is a step of the definition. */
const spanOf = (workflow: Workflow, { costliest: most }: ShortestHistory): Span =>
  stepsOf(workflow).find(({ id }) => id === most?.state.step)?.span ?? workflow.span;

/** Reports what of a workflow has no exact form. */
function reportProblems({ problems, legal }: Lowered, report: Report): void {
  for (const { span, construct } of problems) {
    const reason = legal.unsupported.find((each) => isWithin(span, each.span))?.reason;
    const hint = reason === undefined ? undefined : `Nor can a Lambda function compute it. ${reason}`;
    report(messages.aslInexact(span, { construct, hint }));
  }
}

/** The modules of the functions that are made with a machine. */
interface Modules {
  readonly expressions?: OutputFile | undefined;
  readonly functions?: OutputFile | undefined;
  readonly events?: OutputFile | undefined;
}

/** Reports what functions compute that are made with the machine. */
function reportFunctions(
  workflow: Workflow,
  { computed }: Lowered["legal"],
  { expressions, functions }: Modules,
  report: Report,
): void {
  for (const { parts } of computed)
    for (const { span, reason } of parts) report(messages.aslComputed(span, { why: reason, file: expressions!.path }));
  for (const { span } of scriptsIn(workflow))
    report(messages.aslComputed(span, { why: "This function is JavaScript", file: functions!.path }));
}

/** Where the functions are that are made with a machine, and what the machine calls them by. */
const placesOf = (
  { expressions, functions, events }: Modules,
  services: Services,
  workflow: Workflow,
  group: EventGroup | undefined,
) => ({
  expressions: expressions && { file: expressions.path, resource: services.expressionFunction },
  functions: functions && { file: functions.path, resource: services.scriptFunction },
  events: events && {
    file: events.path,
    resource: services.waitFunction,
    starts: startedWorkflows(group?.members ?? []).map(({ id }) => id),
    ...(group && group.leader !== workflow && { leader: group.leader.id }),
  },
});

/** What computes expressions, and what runs the functions whose texts the definition has: made by code that is loaded when there are some. */
async function functionFiles(
  workflow: Workflow,
  computed: Lowered["legal"]["computed"],
  name: string,
): Promise<Omit<Modules, "events">> {
  const [hasComputed, hasScripts] = [computed.length > 0, scriptsIn(workflow).length > 0];
  if (!hasComputed && !hasScripts) return {};
  const { expressionsFile, scriptsFile } = await import("./expressions.ts");
  return {
    expressions: hasComputed
      ? { path: `${name}-expressions.mjs`, text: expressionsFile(workflow, computed) }
      : undefined,
    functions: hasScripts ? { path: `${name}-functions.mjs`, text: scriptsFile(workflow) } : undefined,
  };
}

/** The functions of a workflow that receives events, as do others of its group: made by code that is loaded when there is one. */
async function eventFile(
  workflow: Workflow,
  group: EventGroup,
  behind: StartingWaitOf,
  name: string,
): Promise<OutputFile> {
  const { eventsFile } = await import("./events.ts");
  return { path: `${name}-events.mjs`, text: eventsFile(workflow, group, behind, runtimeFile.path) };
}

/** The module that the functions of workflows that receive events have in common. */
const runtimeFile: OutputFile = { path: "runtime/events.mjs", text: receivingRuntime };

/** The functions whose texts a workflow has. */
const scriptsIn = ({ functions }: Workflow): Workflow["functions"] =>
  functions.filter(({ protocol }) => protocol?.kind === "script");

const isWithin = (part: Span, whole: Span): boolean =>
  part.source === whole.source && part.start >= whole.start && part.end <= whole.end;

/** An expression over `$states.input`; where it need not give one value, it gives the list of its outputs. */
function printExpression(expression: Expression, span: Span): string | Diagnostic {
  const isOne = outputs(expression) === "one";
  const over = simplify(pipe(variable("input'"), isOne ? expression : collect(expression)));
  const [refusal] = unsupportedParts(over);
  if (refusal) return messages.aslInexact(refusal.span ?? span, { construct: refusal.construct });
  const texts = (name: string): string => (name === "input'" ? "$states.input" : `$${name.replace(/\W/g, "_")}`);
  return printJsonata(over, texts, { ...noFacts, exposesMessages: false });
}
