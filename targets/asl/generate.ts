import { joinedWorkflows } from "../../src/ir/groups.ts";
import { fileNames, shortHash } from "../../src/ir/names.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import { type Program, programOf, type Workflow } from "../../src/ir/workflow.ts";
import { equalJson, type Json, type JsonObject, own } from "../../src/json.ts";
import { runPasses } from "../../src/passes/index.ts";
import type { OutputFile, Settings, TargetSettings } from "../../src/target/contract.ts";
import { reusePart } from "../../src/target/reuse.ts";
import { locateConflict, settingNotes } from "../../src/target/settings.ts";
import type { Diagnostic, Report } from "../../src/text/diagnostics.ts";
import { truncate } from "../../src/text/messages.ts";
import { receives } from "./correlation.ts";
import { machineSettings, stackSettingNames, unusedSettings } from "./deploy/settings.ts";
import {
  aslEventStart,
  aslInexact,
  aslMigrated,
  aslStackConflict,
  aslStartedByStep,
  aslTimer,
  aslTranslated,
  aslUnusedSetting,
} from "./diagnostics/kinds.ts";
import { eventGroups } from "./event-groups.ts";
import { startsOnlyByEvents } from "./event-starts.ts";
import type { EventUse } from "./events.ts";
import { checkExpress } from "./express.ts";
import { checkKeptSettings, isKept, type KeptMachine, keptMachine } from "./keep/files.ts";
import { nativeMachine } from "./keep/machine.ts";
import { migratedStates } from "./keep/migration.ts";
import { legalize, programPasses, settingPasses } from "./legalize/index.ts";
import { isSplitCall } from "./legalize/split-calls.ts";
import { checkLimits } from "./limits.ts";
import { buildMachine, type MachineFiles, runtimeFile, type SelectedMachine } from "./machine-files.ts";
import { chooseOwnErrors, type OwnErrors, ownErrorsRaised } from "./own-errors.ts";
import { receivedPart } from "./received-parts.ts";
import { isSchedule, scheduleOf } from "./schedules.ts";
import { findUncaught, selectWorkflow } from "./select/workflow.ts";
import { type AslBindings, bindingsOf, servicesOf } from "./services.ts";

/** The machines of a program, and the project files of those that have a template. */
export interface AslArtifact {
  readonly machines: readonly KeptMachine[];
  /** The module that the functions of machines share which receive events. */
  readonly runtime: readonly OutputFile[];
  readonly project: readonly OutputFile[];
}

/** Generates the machines of a program. Returns undefined after reporting an error. */
export async function generate(program: Program, settings: Settings, report: Report): Promise<AslArtifact | undefined> {
  const valuesOf = (workflow: Workflow): JsonObject => settings.configurationOf(workflow).values;
  // The simulator executes JSONata only.
  const kept = settings.simulates ? [] : program.workflows.filter((workflow) => isKept(workflow, valuesOf(workflow)));
  if (!settings.simulates)
    for (const workflow of program.workflows) if (!kept.includes(workflow)) reportMigration(workflow, report);
  if (kept.length === 0) return generateMachines(program, settings, report);
  checkKeptSettings(kept, settings, report);
  const names = fileNames(program.workflows.map(({ id }) => id));
  const printed = await Promise.all(
    kept.map((each) => keptMachine(each, names[program.workflows.indexOf(each)]!, settings, report)),
  );
  const others = programOf(program.workflows.filter((workflow) => !kept.includes(workflow)));
  const made = others.workflows.length === 0 ? emptyArtifact : await generateMachines(others, settings, report);
  return made && { ...made, machines: [...printed, ...made.machines] };
}

/** Reports what the conversion of a state machine to JSONata changes. */
function reportMigration(workflow: Workflow, report: Report): void {
  const machine = nativeMachine(workflow);
  const states = machine ? migratedStates(machine) : [];
  if (states.length > 0) report(aslMigrated(workflow.span, { id: workflow.id, states }));
}

const emptyArtifact: AslArtifact = { machines: [], runtime: [], project: [] };

/** Generates machines in JSONata, in the steps below. */
async function generateMachines(source: Program, settings: Settings, report: Report): Promise<AslArtifact | undefined> {
  // 1. Legalize the program: constructs that concern several workflows, or that Step Functions lacks.
  const ownErrors = chooseOwnErrors(source.workflows);
  const valuesOf = (workflow: Workflow): JsonObject => settings.configurationOf(workflow).values;
  const isStartedByEvents = (workflow: Workflow): boolean =>
    startsOnlyByEvents(workflow, settings.configurationOf(workflow));
  const checked = runPasses(
    settingPasses,
    source,
    (workflow) => own(valuesOf(workflow), "checkInput") === true && !isStartedByEvents(workflow),
    settings,
  );
  const program = runPasses(programPasses, checked, ownErrors, settings);

  for (const [values, [first]] of Map.groupBy(source.workflows, valuesOf)) {
    const { spanOf } = settings.configurationOf(first!);
    for (const { path, needed } of unusedSettings(values)) {
      const span = spanOf(...path);
      report(aslUnusedSetting(span ?? first!.span, { name: path.join("."), needed, isFlag: !span }));
    }
  }

  // 2. Bind functions and events, and check the limits of Step Functions.
  let hasErrors = false;
  const bindings = bindingsOf(program, settings, report);
  const reportLimit: Report = (diagnostic) => {
    hasErrors ||= diagnostic.severity === "error";
    report(diagnostic);
  };
  checkLimits(program, bindings, reportLimit);
  const receiving = program.workflows.filter(receives);
  if (receiving.length > 0) {
    const { checkEvents } = await import("./event-checks.ts");
    for (const workflow of receiving) checkEvents(workflow, reportLimit);
  }
  checkExpress(program, bindings, reportLimit);
  checkEventStarts(source, isStartedByEvents, settings, reportLimit);
  for (const workflow of source.workflows)
    checkTimers(
      workflow,
      {
        hasTemplate: own(valuesOf(workflow), "template") !== undefined,
        isStartedByEvents: isStartedByEvents(workflow),
      },
      reportLimit,
    );
  if (hasErrors) return undefined;

  // 3. and 4. Build the machines of each group, which depend on no other.
  const names = fileNames(program.workflows.map(({ id }) => id));
  const modules = moduleNames(names);
  const hasTemplate = (workflow: Workflow): boolean => own(valuesOf(workflow), "template") !== undefined;
  const filesOf = new Map(
    program.workflows.map((workflow, i) => [workflow, { file: names[i]!, modules: modules[i]! }]),
  );
  const context = { source, ownErrors, bindings, isStartedByEvents, hasTemplate, filesOf, settings };
  const machines = new Map<Workflow, MachineFiles>();
  for (const workflows of joinedWorkflows(program)) {
    const facts = [{ ...ownErrors }, workflows.map((each) => ({ ...filesOf.get(each)! }))];
    const built = await reusePart({ stage: "machines", workflows, facts }, settings, report, (reportOfGroup) =>
      buildMachines(workflows, context, reportOfGroup),
    );
    for (const [i, each] of built?.entries() ?? []) machines.set(workflows[i]!, each);
  }
  if (machines.size < program.workflows.length) return undefined;

  // 5. Add the project files of machines with a template in their configuration, and of their event groups.
  const built = program.workflows.map((workflow) => machines.get(workflow)!);
  const deployed = new Set(
    built.flatMap(({ deployed: { workflow, group } }, i) =>
      hasTemplate(program.workflows[i]!) ? (group?.members ?? [workflow]) : [],
    ),
  );
  const inTemplate = built.flatMap(({ deployed: machine }, i) =>
    deployed.has(machine.workflow) ? [{ ...machine, settings: machineSettings(valuesOf(program.workflows[i]!)) }] : [],
  );
  const stackValues = stackValuesOf(program.workflows.filter(hasTemplate), settings, report);
  const project =
    inTemplate.length === 0 ? [] : (await import("./deploy/index.ts")).projectFiles(inTemplate, stackValues, report);
  const runtime = built.some(({ deployed: { modules } }) => modules.events) ? [runtimeFile()] : [];
  return { machines: built, runtime, project };
}

/** What the machines of a group depend on besides its workflows. */
interface MachineContext {
  /** The program before step 1. */
  readonly source: Program;
  readonly ownErrors: OwnErrors;
  readonly bindings: (workflow: Workflow) => AslBindings;
  readonly isStartedByEvents: (workflow: Workflow) => boolean;
  readonly hasTemplate: (workflow: Workflow) => boolean;
  /** The names of a workflow's files without extensions. */
  readonly filesOf: ReadonlyMap<Workflow, { readonly file: string; readonly modules: string }>;
  readonly settings: Settings;
}

/** Builds the machines of joined workflows. Returns undefined after reporting an error. */
async function buildMachines(
  workflows: readonly Workflow[],
  { source, ownErrors, bindings, isStartedByEvents, hasTemplate, filesOf, settings }: MachineContext,
  report: Report,
): Promise<readonly MachineFiles[] | undefined> {
  const program = programOf(workflows);
  let hasErrors = false;
  const selected: SelectedMachine[] = [];
  for (const workflow of workflows) {
    // 3. Legalize each workflow (constructs and expressions that Step Functions or JSONata lack), and select its states.
    const context = { program, ownErrors, startsOnlyByEvents: isStartedByEvents(workflow) };
    const servicesOfCalls = (translated: Workflow) => servicesOf(translated, bindings(workflow));
    const { legalized, selection } = await legalize(
      workflow,
      { ...context, servicesOf: servicesOfCalls, findUncaught, select: selectWorkflow },
      settings,
    );
    for (const { definition, isCalled } of legalized.translated) report(aslTranslated(definition.span, { isCalled }));
    if (context.startsOnlyByEvents && !selection.eventInput && selection.problems.length === 0) {
      report(unusableEventStart(workflow, settings));
      hasErrors = true;
    }
    selected.push({ legalized, ...selection, endErrors: ownErrorsRaised(legalized.workflow, ownErrors) });
  }
  if (hasErrors) return undefined;

  // 4. Print machines, and the functions that they need.
  const groups = eventGroups(selected.map(({ legalized }) => legalized.workflow));
  const eventUses = new Map<Workflow, EventUse>(
    selected.map(({ legalized, eventInput }) => [
      legalized.workflow,
      { eventInput, receivedPart: receivedPart(legalized.source) },
    ]),
  );
  const machines: (MachineFiles | undefined)[] = [];
  for (const [i, each] of selected.entries()) {
    const workflow = workflows[i]!;
    const group = groups.get(each.legalized.workflow);
    const leader = selected.findIndex(({ legalized }) => legalized.workflow === group?.leader);
    const leaderModules = filesOf.get(workflows[leader < 0 ? i : leader]!)!.modules;
    const options = { isCall: isSplitCall(workflow, source), hasTemplate: hasTemplate(workflow) };
    machines.push(
      await buildMachine(each, { group, eventUses, leaderModules, ...options, ...filesOf.get(workflow)! }, report),
    );
  }
  return machines.every((each) => each !== undefined) ? machines : undefined;
}

function unusableEventStart(workflow: Workflow, settings: Settings): Diagnostic {
  const { id, span } = workflow;
  const setting = settings.configurationOf(workflow).spanOf("start");
  return setting
    ? aslEventStart(setting, { id, isFlag: false }, [{ message: `\`${truncate(id)}\` is here.`, span }])
    : aslEventStart(span, { id, isFlag: true });
}

/** Reports steps that start workflows which only events start. */
function checkEventStarts(
  { workflows }: Program,
  isStartedByEvents: (workflow: Workflow) => boolean,
  settings: Settings,
  report: Report,
): void {
  const started = new Map(workflows.filter(isStartedByEvents).map((workflow) => [workflow.id, workflow]));
  for (const step of workflows.flatMap(stepsOf)) {
    if (step.kind !== "invoke") continue;
    const workflow = started.get(step.workflow.name);
    if (!workflow) continue;
    const notes = settingNotes(settings.configurationOf(workflow), "start");
    report(aslStartedByStep(step.workflow.span, { id: workflow.id }, notes));
  }
}

/** Reports timers of workflows that only events start, and those for which no schedule is generated. */
function checkTimers(
  { id, start }: Workflow,
  { hasTemplate, isStartedByEvents }: { readonly hasTemplate: boolean; readonly isStartedByEvents: boolean },
  report: Report,
): void {
  for (const timer of start.timers ?? []) {
    const schedule = scheduleOf(timer);
    if (isStartedByEvents)
      report(
        aslInexact(timer.span, {
          construct: "a timer of a workflow that only events start",
          hint: "Remove the setting `start: events`.",
        }),
      );
    else if (isSchedule(schedule) && !hasTemplate)
      report(aslTimer(timer.span, { id, expression: schedule.expression }));
  }
}

/** The settings of a stack. Reports workflows with other settings for it. */
function stackValuesOf(workflows: readonly Workflow[], { configurationOf }: Settings, report: Report): JsonObject {
  const [first, ...others] = workflows.map((workflow) => ({ workflow, settings: configurationOf(workflow) }));
  if (!first) return {};
  const settingOf = ({ values }: TargetSettings, name: string): Json => own(values, name) ?? {};
  for (const other of others)
    for (const setting of stackSettingNames) {
      if (equalJson(settingOf(other.settings, setting), settingOf(first.settings, setting))) continue;
      const [span, notes] = locateConflict([setting], first, other);
      report(aslStackConflict(span, { id: other.workflow.id, first: first.workflow.id, setting }, notes));
    }
  return first.settings.values;
}

/** Names for modules without dots: AWS Lambda splits the handler at the first dot. */
const moduleNames = (names: readonly string[]): readonly string[] =>
  fileNames(
    names.map((name) => (name.includes(".") ? `${name.replaceAll(".", "-").slice(0, 80)}-${shortHash(name)}` : name)),
  );
