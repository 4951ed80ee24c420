import { builtInOf, describeProtocol } from "../../../src/ir/protocols.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, FunctionDefinition, Program, Workflow } from "../../../src/ir/workflow.ts";
import { own } from "../../../src/json.ts";
import type { Settings } from "../../../src/target/contract.ts";
import { locateConflict } from "../../../src/target/settings.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { truncate } from "../../../src/text/messages.ts";
import type { Span } from "../../../src/text/source.ts";
import type { HelperPlacement } from "../composition.ts";
import { nativeComposition } from "../composition.ts";
import { openwhiskRenamed, openwhiskReplacements, openwhiskSettingsConflict } from "../diagnostics/deployment.ts";
import { openwhiskUnsupported } from "../diagnostics/kinds.ts";
import type { PlatformNames, SuspensionReason } from "../select/context.ts";
import { maxActionSeconds } from "../select/effects.ts";
import { type ActionBinding, bindingsOf, type DeploymentBindings, type TriggerBinding } from "./bindings.ts";
import { checkEventTriggers } from "./event-triggers.ts";
import { createNameAllocator, entityName, type NameAllocator } from "./names.ts";

/** The name of the helper action. */
export const helperName = "rt";

/** The member that holds the idempotency key by default. Arguments with such a member are wrapped. */
export const defaultKeyMember = "$waybill";

/** The names of a program's workflows, functions and events on the platform. */
export interface Deployment {
  readonly package: string;
  readonly budget: number;
  readonly helperPlacement: HelperPlacement;
  bindingsOf(workflow: Workflow): DeploymentBindings;
  /** The action of a workflow, which may be outside the program. */
  workflow(id: string): string;
  /** The action of a function, or the URL of a web action. */
  action(workflow: Workflow, definition: FunctionDefinition): string;
  /** The helper action. */
  readonly helper: string;
  trigger(workflow: Workflow, event: EventDefinition): string;
  triggerBinding(workflow: Workflow, event: EventDefinition): TriggerBinding | undefined;
  /** The member of a function's parameters that holds its idempotency key, unless the binding switches it off. */
  keyMember(workflow: Workflow, definition: FunctionDefinition): string | undefined;
  /** The time limit of a function's action in its binding, in seconds. */
  timeout(workflow: Workflow, definition: FunctionDefinition): number | undefined;
  readonly sequences: ReadonlyMap<string, readonly string[]>;
  /** The names that selection uses for a workflow. */
  platformNamesOf(workflow: Workflow): PlatformNames;
  /** Complete once the workflow has been selected. */
  suspensionsOf(workflow: Workflow): ReadonlySet<SuspensionReason>;
  /** Whether nothing says which action a function is. */
  isUnbound(workflow: Workflow, definition: FunctionDefinition): boolean;
}

/** Names the entities of a program. Reports names that OpenWhisk does not allow. */
export function deploymentOf(program: Program, settings: Settings, report: Report): Deployment {
  const bound = bindingsOf(program, settings, report);
  checkSettings(program, bound, report);
  const deployment = createDeployment(program, bound);
  for (const workflow of program.workflows) {
    reportNames(workflow, deployment, report);
    reportReplacements(workflow, deployment, report);
  }
  checkEventTriggers(program, deployment, settings, report);
  return deployment;
}

function createDeployment({ workflows }: Program, bound: (workflow: Workflow) => DeploymentBindings): Deployment {
  const [first] = workflows;
  const values = first ? bound(first).values : {};
  const name = String(own(values, "package") ?? "waybill");
  const actions = createNameAllocator([helperName]);
  const triggers = createNameAllocator([]);
  const suspensions = new Map<Workflow, ReadonlySet<SuspensionReason>>();
  const inPackage = (action: string) => `/_/${name}/${action}`;
  for (const { id } of workflows) actions.nameFor("workflow", id);
  const bindingFor = (workflow: Workflow, definition: FunctionDefinition) =>
    actionBindingOf(bound(workflow), workflow, definition);
  const deployment: Deployment = {
    package: name,
    budget: own(values, "checkpoint") === "each-call" ? 1 : Number(own(values, "budget") ?? 45),
    helperPlacement: own(values, "helpers") === "functions" ? "functions" : "composition",
    bindingsOf: bound,
    workflow: (id) => inPackage(actions.nameFor("workflow", id)),
    action: (workflow, definition) => {
      const binding = bindingFor(workflow, definition);
      return binding
        ? actionPath(binding, definition.name, actions, inPackage)
        : inPackage(actions.nameFor("function", definition.name));
    },
    helper: inPackage(helperName),
    trigger: (workflow, event) =>
      `/_/${bound(workflow).events.get(event.name)?.trigger ?? triggers.nameFor("event", event.name)}`,
    triggerBinding: (workflow, event) => bound(workflow).events.get(event.name),
    keyMember: (workflow, { name: function_ }) => {
      const key = bound(workflow).keys.get(function_) ?? defaultKeyMember;
      return key === false ? undefined : key;
    },
    timeout: (workflow, { name: function_ }) => bound(workflow).timeouts.get(function_),
    sequences: sequencesOf(workflows, bound, actions),
    platformNamesOf: (workflow) => createPlatformNames(deployment, workflow, suspensions),
    suspensionsOf: (workflow) => suspensions.get(workflow) ?? new Set(),
    isUnbound: (workflow, definition) => bindingFor(workflow, definition) === undefined,
  };
  return deployment;
}

const createPlatformNames = (
  deployment: Deployment,
  workflow: Workflow,
  suspensions: Map<Workflow, ReadonlySet<SuspensionReason>>,
): PlatformNames => ({
  action: (definition) => deployment.action(workflow, definition),
  actionSeconds: (definition) => deployment.timeout(workflow, definition) ?? maxActionSeconds,
  workflow: deployment.workflow,
  helper: deployment.helper,
  budget: deployment.budget,
  trigger: (event) => deployment.trigger(workflow, event),
  noteSuspension: (what) => {
    suspensions.set(workflow, new Set([...deployment.suspensionsOf(workflow), what]));
  },
});

function sequencesOf(
  workflows: readonly Workflow[],
  bound: (workflow: Workflow) => DeploymentBindings,
  actions: NameAllocator,
): Deployment["sequences"] {
  const sequences = workflows.flatMap((workflow) =>
    workflow.functions.flatMap(({ name }) => {
      const binding = bound(workflow).functions.get(name);
      return binding?.kind === "sequence" ? [[actions.nameFor("function", name), binding.actions] as const] : [];
    }),
  );
  return new Map(sequences);
}

/** Whether a function is an action, and neither a script of the definition nor built in. */
export const isAction = ({ protocol }: FunctionDefinition): boolean =>
  protocol?.kind !== "script" && builtInOf(protocol) === undefined;

/** Native compositions name actions themselves. */
function actionBindingOf(
  { functions }: DeploymentBindings,
  workflow: Workflow,
  definition: FunctionDefinition,
): ActionBinding | undefined {
  const { name, resource, protocol } = definition;
  const binding = functions.get(name);
  if (binding) return binding;
  if (nativeComposition(workflow)) return { kind: "action", action: name };
  if (protocol?.kind === "cloudFunction" && protocol.provider === "openwhisk")
    return { kind: "action", action: protocol.id };
  return resource !== undefined && qualifiedName.test(resource) ? { kind: "action", action: resource } : undefined;
}

const qualifiedName = /^\/(?:_|\w[\w@.-]*)(?:\/\w(?:[\w@ .-]*[\w@.-])?){1,2}$/;

function actionPath(
  binding: ActionBinding,
  name: string,
  actions: NameAllocator,
  inPackage: (action: string) => string,
): string {
  switch (binding.kind) {
    case "action":
      return binding.action;
    case "package":
      return `${binding.package}/${entityName(name)}`;
    case "sequence":
      return inPackage(actions.nameFor("function", name));
    case "web":
      return binding.url;
  }
}

/** A program is one package, so its workflows need the same settings. */
function checkSettings(
  { workflows }: Program,
  bound: (workflow: Workflow) => DeploymentBindings,
  report: Report,
): void {
  const [first, ...others] = workflows.map((workflow) => ({ workflow, settings: bound(workflow) }));
  for (const other of others) {
    const [expected, values] = [first!.settings.values, other.settings.values];
    const names = [...new Set([...Object.keys(expected), ...Object.keys(values)])];
    const settings = names.filter((name) => own(expected, name) !== own(values, name));
    if (settings.length === 0) continue;
    const [span, notes] = locateConflict(settings, first!, other);
    report(openwhiskSettingsConflict(span, { id: other.workflow.id, first: first!.workflow.id, settings }, notes));
  }
}

function reportNames(workflow: Workflow, deployment: Deployment, report: Report): void {
  const reportName = (what: string, name: string, path: string, span: Span) => {
    const entity = path.slice(path.lastIndexOf("/") + 1);
    if (entity !== name) report(openwhiskRenamed(span, { what, name, entity }));
  };
  reportName("Workflow", workflow.id, deployment.workflow(workflow.id), workflow.span);
  for (const definition of workflow.functions)
    if (isAction(definition) && deployment.isUnbound(workflow, definition))
      reportName("Function", definition.name, deployment.action(workflow, definition), definition.span);
  for (const event of workflow.events)
    if (deployment.triggerBinding(workflow, event)?.trigger === undefined)
      reportName("Event", event.name, deployment.trigger(workflow, event), event.span);
}

/** Why an action that only has the argument cannot replace a function. */
function unsupportedProtocol({
  name,
  protocol,
}: FunctionDefinition): Parameters<typeof openwhiskUnsupported>[1] | undefined {
  const hint = `Bind \`${truncate(name)}\` to an action`;
  if (protocol?.kind === "process")
    return {
      construct: "a process in a composition",
      hint: `${hint} that runs it and returns \`code\`, \`stdout\` and \`stderr\`.`,
    };
  return protocol?.kind === "http" && protocol.authentication
    ? { construct: "a request with a token of OAuth 2.0 in a composition", hint: `${hint} that obtains the token.` }
    : undefined;
}

function reportReplacements(workflow: Workflow, deployment: Deployment, report: Report): void {
  const called = new Set(stepsOf(workflow).flatMap((step) => (step.kind === "call" ? [step.function.name] : [])));
  const replaced = workflow.functions.flatMap((definition) => {
    const protocol = describeProtocol(definition.protocol);
    const isUnbound =
      protocol !== undefined && called.has(definition.name) && deployment.isUnbound(workflow, definition);
    if (!isUnbound) return [];
    const unsupported = unsupportedProtocol(definition);
    if (unsupported) report(openwhiskUnsupported(definition.span, unsupported));
    return unsupported ? [] : [{ definition, protocol }];
  });
  const [first] = replaced;
  if (!first) return;
  const names = replaced.map(({ definition }) => definition.name);
  report(
    openwhiskReplacements(first.definition.span, {
      names,
      ways: [...new Set(replaced.map(({ protocol }) => protocol))],
    }),
  );
}
