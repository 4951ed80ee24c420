import type { Program } from "../../../src/ir/program.ts";
import { builtInOf, describeProtocol } from "../../../src/ir/protocols.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { EventDefinition, FunctionDefinition, Workflow } from "../../../src/ir/workflow.ts";
import { own } from "../../../src/json.ts";
import type { Settings } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import type { Span } from "../../../src/text/source.ts";
import type { HelperPlace } from "../composition.ts";
import { nativeComposition } from "../composition.ts";
import { openwhiskRenamed, openwhiskReplacements, openwhiskSettingsConflict } from "../diagnostics/deployment.ts";
import type { Entities, Suspension } from "../select/context.ts";
import { type Bindings, bindingsOf, type Channel, type Place } from "./bindings.ts";
import { type EntityNames, entityName, entityNames } from "./names.ts";

/** The helper actions that a program may need. */
export const helperNames = [
  ...["rt-call", "rt-continue", "rt-delay", "rt-fork", "rt-join", "rt-resume", "rt-suspend", "rt-sweep", "rt-timeout"],
] as const;

/** How a program stands on the platform: what its workflows, functions and events are called there. */
export interface Deployment {
  /** The package of the program, such as `waybill`. */
  readonly package: string;
  /** After how many components a run goes on in an invocation of its own. */
  readonly budget: number;
  readonly helperPlace: HelperPlace;
  /** What the configuration of a workflow says. */
  bindingsOf(workflow: Workflow): Bindings;
  /** The action of a workflow, by its id; of one that is not in the program too. */
  flow(id: string): string;
  /** The action of a function, or the URL of a web action. */
  action(workflow: Workflow, definition: FunctionDefinition): string;
  helper(name: string): string;
  /** The trigger of an event. */
  trigger(workflow: Workflow, event: EventDefinition): string;
  /** How an event comes to its trigger, where the configuration says something of that. */
  channel(workflow: Workflow, event: EventDefinition): Channel | undefined;
  /** The sequences that functions are, by the names of their actions in the package. */
  readonly sequences: ReadonlyMap<string, readonly string[]>;
  /** The same, for who lowers a workflow. */
  entitiesOf(workflow: Workflow): Entities;
  /** For what runs of a workflow may be suspended, once it has been lowered. */
  suspensionsOf(workflow: Workflow): ReadonlySet<Suspension>;
  /** Whether a function is to be deployed with the program, by whoever wrote it: nothing says where it is. */
  isOpen(workflow: Workflow, definition: FunctionDefinition): boolean;
}

/** Names all that a program has on the platform. Names that OpenWhisk does not take become others, which is reported. */
export function deploymentOf(program: Program, settings: Settings, report: Report): Deployment {
  const bound = bindingsOf(program, settings, report);
  checkSettings(program, bound, report);
  const deployment = namedDeployment(program, bound);
  for (const workflow of program.workflows) {
    reportNames(workflow, deployment, report);
    reportStandIns(workflow, deployment, report);
  }
  return deployment;
}

function namedDeployment({ workflows }: Program, bound: (workflow: Workflow) => Bindings): Deployment {
  const [first] = workflows;
  const values = first ? bound(first).values : {};
  const name = String(own(values, "package") ?? "waybill");
  const actions = entityNames(helperNames);
  const triggers = entityNames([]);
  const suspensions = new Map<Workflow, ReadonlySet<Suspension>>();
  const inPackage = (action: string) => `/_/${name}/${action}`;
  for (const { id } of workflows) actions.of("workflow", id);
  const placed = (workflow: Workflow, definition: FunctionDefinition) => placeOf(bound(workflow), workflow, definition);
  const deployment: Deployment = {
    package: name,
    budget: own(values, "checkpoint") === "each-call" ? 1 : Number(own(values, "budget") ?? 45),
    helperPlace: own(values, "helpers") === "functions" ? "functions" : "composition",
    bindingsOf: bound,
    flow: (id) => inPackage(actions.of("workflow", id)),
    action: (workflow, definition) => {
      const place = placed(workflow, definition);
      return place
        ? actionAt(place, definition.name, actions, inPackage)
        : inPackage(actions.of("function", definition.name));
    },
    helper: inPackage,
    trigger: (workflow, event) =>
      `/_/${bound(workflow).events.get(event.name)?.trigger ?? triggers.of("event", event.name)}`,
    channel: (workflow, event) => bound(workflow).events.get(event.name),
    sequences: sequencesOf(workflows, bound, actions),
    entitiesOf: (workflow) => entitiesIn(deployment, workflow, suspensions),
    suspensionsOf: (workflow) => suspensions.get(workflow) ?? new Set(),
    isOpen: (workflow, definition) => placed(workflow, definition) === undefined,
  };
  return deployment;
}

/** What who lowers a workflow calls things; it notes for what runs may be suspended. */
const entitiesIn = (
  deployment: Deployment,
  workflow: Workflow,
  suspensions: Map<Workflow, ReadonlySet<Suspension>>,
): Entities => ({
  action: (definition) => deployment.action(workflow, definition),
  flow: deployment.flow,
  helper: deployment.helper,
  budget: deployment.budget,
  trigger: (event) => deployment.trigger(workflow, event),
  suspends: (what) => {
    suspensions.set(workflow, new Set([...deployment.suspensionsOf(workflow), what]));
  },
});

/** The sequences that functions are bound to, by the names of their actions. */
function sequencesOf(
  workflows: readonly Workflow[],
  bound: (workflow: Workflow) => Bindings,
  actions: EntityNames,
): Deployment["sequences"] {
  const sequences = workflows.flatMap((workflow) =>
    workflow.functions.flatMap(({ name }) => {
      const place = bound(workflow).functions.get(name);
      return place?.kind === "sequence" ? [[actions.of("function", name), place.actions] as const] : [];
    }),
  );
  return new Map(sequences);
}

/** Whether a function is an action: neither a text in the definition nor what runs have by themselves. */
export const isAction = ({ protocol }: FunctionDefinition): boolean =>
  protocol?.kind !== "script" && builtInOf(protocol) === undefined;

/** Where a function is: as the configuration says it, else its definition. What a composition calls keeps its name. */
function placeOf({ functions }: Bindings, workflow: Workflow, definition: FunctionDefinition): Place | undefined {
  const { name, resource, protocol } = definition;
  const place = functions.get(name);
  if (place) return place;
  if (nativeComposition(workflow)) return { kind: "action", action: name };
  if (protocol?.kind === "cloudFunction" && protocol.provider === "openwhisk")
    return { kind: "action", action: protocol.id };
  return resource !== undefined && qualified.test(resource) ? { kind: "action", action: resource } : undefined;
}

const qualified = /^\/(?:_|\w[\w@.-]*)(?:\/\w(?:[\w@ .-]*[\w@.-])?){1,2}$/;

function actionAt(place: Place, name: string, actions: EntityNames, inPackage: (action: string) => string): string {
  switch (place.kind) {
    case "action":
      return place.action;
    case "package":
      return `${place.package}/${entityName(name)}`;
    case "sequence":
      return inPackage(actions.of("function", name));
    case "web":
      return place.url;
  }
}

/** Reports workflows whose settings are not those of the first: there is one package, with one budget and one runtime. */
function checkSettings({ workflows }: Program, bound: (workflow: Workflow) => Bindings, report: Report): void {
  const [first, ...others] = workflows;
  for (const other of others) {
    const [known, values] = [bound(first!).values, bound(other).values];
    const names = [...new Set([...Object.keys(known), ...Object.keys(values)])];
    const settings = names.filter((name) => own(known, name) !== own(values, name));
    if (settings.length > 0)
      report(openwhiskSettingsConflict(other.span, { id: other.id, first: first!.id, settings }));
  }
}

/** Says what is called otherwise on the platform, at its definition. */
function reportNames(workflow: Workflow, deployment: Deployment, report: Report): void {
  const say = (what: string, name: string, path: string, span: Span) => {
    const entity = path.slice(path.lastIndexOf("/") + 1);
    if (entity !== name) report(openwhiskRenamed(span, { what, name, entity }));
  };
  say("Workflow", workflow.id, deployment.flow(workflow.id), workflow.span);
  for (const definition of workflow.functions)
    if (isAction(definition) && deployment.isOpen(workflow, definition))
      say("Function", definition.name, deployment.action(workflow, definition), definition.span);
  for (const event of workflow.events)
    if (deployment.channel(workflow, event)?.trigger === undefined)
      say("Event", event.name, deployment.trigger(workflow, event), event.span);
}

function reportStandIns(workflow: Workflow, deployment: Deployment, report: Report): void {
  const called = new Set(stepsOf(workflow).flatMap((step) => (step.kind === "call" ? [step.function.name] : [])));
  const elsewhere = workflow.functions.flatMap((definition) => {
    const way = describeProtocol(definition.protocol);
    const isOpen = way !== undefined && called.has(definition.name) && deployment.isOpen(workflow, definition);
    return isOpen ? [{ definition, way }] : [];
  });
  const [first] = elsewhere;
  if (!first) return;
  const names = elsewhere.map(({ definition }) => definition.name);
  report(openwhiskReplacements(first.definition.span, { names, ways: [...new Set(elsewhere.map(({ way }) => way))] }));
}
