import { conflictingBindings } from "../../../src/diagnostics/configuration.ts";
import { effectsOf } from "../../../src/expressions/index.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Program, Workflow } from "../../../src/ir/workflow.ts";
import { isObject, type JsonObject, own } from "../../../src/json.ts";
import type { Binding, Settings, TargetConfiguration, TargetSettings } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { openwhiskTriggerConflict, openwhiskWebArgument } from "../diagnostics/deployment.ts";

/** The action that a function is bound to. */
export type ActionBinding =
  | { readonly kind: "action"; readonly action: string }
  | { readonly kind: "package"; readonly package: string }
  | { readonly kind: "sequence"; readonly actions: readonly string[] }
  | { readonly kind: "web"; readonly url: string };

/** The trigger of an event, and the feed that fires it. */
export interface TriggerBinding {
  readonly trigger?: string | undefined;
  readonly feed?: string | undefined;
  readonly parameters: JsonObject;
  /** Whether the trigger is fired with the data of the event instead of a CloudEvent. */
  readonly isData: boolean;
}

/** The bindings and settings of a configuration. */
export interface DeploymentBindings extends TargetSettings {
  readonly functions: ReadonlyMap<string, ActionBinding>;
  /** The members that hold idempotency keys, or false, by function. */
  readonly keys: ReadonlyMap<string, string | false>;
  /** The time limits of actions, in seconds, by function. */
  readonly timeouts: ReadonlyMap<string, number>;
  readonly events: ReadonlyMap<string, TriggerBinding>;
}

/** The bindings of each workflow. Reads every configuration once. */
export function bindingsOf(
  { workflows }: Program,
  { configurationOf: configured }: Settings,
  report: Report,
): (workflow: Workflow) => DeploymentBindings {
  const read = new Map<Workflow, DeploymentBindings>();
  for (const [each, owners] of Map.groupBy(workflows, configured)) {
    const bindings = readBindings(each, owners, report);
    for (const workflow of owners) read.set(workflow, bindings);
  }
  return (workflow) => read.get(workflow)!;
}

function readBindings(
  { functions, events, values, spanOf }: TargetConfiguration,
  workflows: readonly Workflow[],
  report: Report,
): DeploymentBindings {
  const actionBindings = [...functions].flatMap(([name, binding]) => {
    const place = readActionBinding(binding, workflows, report);
    return place ? [[name, place] as const] : [];
  });
  const triggerBindings = new Map([...events].map(([name, { value }]) => [name, readTriggerBinding(value)] as const));
  checkTriggers(triggerBindings, events, report);
  const keys = [...functions].flatMap(([name, { value }]) => {
    const key = own(value, "key");
    return key === undefined ? [] : [[name, key as string | false] as const];
  });
  const timeouts = [...functions].flatMap(([name, { value }]) => {
    const timeout = own(value, "timeout");
    return typeof timeout === "number" ? [[name, timeout] as const] : [];
  });
  return {
    functions: new Map(actionBindings),
    keys: new Map(keys),
    timeouts: new Map(timeouts),
    events: triggerBindings,
    values,
    spanOf,
  };
}

const kinds = ["action", "package", "sequence", "web"] as const;

function readActionBinding(
  { name: { name }, value, document }: Binding,
  workflows: readonly Workflow[],
  report: Report,
): ActionBinding | undefined {
  const [kind, ...more] = kinds.filter((each) => Object.hasOwn(value, each));
  for (const second of more)
    report(conflictingBindings(document.spanOf(value, second, "key"), { first: kind!, second }));
  if (kind === undefined || more.length > 0) return undefined;
  const setting = own(value, kind);
  switch (kind) {
    case "action":
      return { kind, action: String(setting) };
    case "package":
      return { kind, package: String(setting) };
    case "sequence":
      return { kind, actions: (setting as readonly string[]).map(String) };
    case "web": {
      const other = workflows
        .flatMap(stepsOf)
        .find(
          (step) => step.kind === "call" && step.function.name === name && effectsOf(step.argument).type !== "object",
        );
      const notes = other ? [{ message: "It is called here.", span: other.span }] : [];
      if (other) report(openwhiskWebArgument(document.spanOf(value, kind), { name }, notes));
      return other ? undefined : { kind, url: String(setting) };
    }
  }
}

function readTriggerBinding(value: JsonObject): TriggerBinding {
  const text = (name: string) => {
    const setting = own(value, name);
    return setting === undefined ? undefined : String(setting);
  };
  const parameters = own(value, "parameters");
  return {
    trigger: text("trigger"),
    feed: text("feed"),
    parameters: isObject(parameters) ? parameters : {},
    isData: text("payload") === "data",
  };
}

function checkTriggers(
  triggerBindings: ReadonlyMap<string, TriggerBinding>,
  bindings: ReadonlyMap<string, Binding>,
  report: Report,
): void {
  const first = new Map<string, string>();
  for (const [name, triggerBinding] of triggerBindings) {
    const trigger = triggerBinding.trigger ?? name;
    const other = first.get(trigger);
    if (other === undefined) {
      first.set(trigger, name);
      continue;
    }
    const what = conflictOf(triggerBindings.get(other)!, triggerBinding);
    const { key } = bindings.get(name)!;
    if (what !== undefined) report(openwhiskTriggerConflict(key, { trigger, first: other, second: name, what }));
  }
}

function conflictOf(one: TriggerBinding, other: TriggerBinding): string | undefined {
  if (one.feed !== other.feed) return "feed";
  if (JSON.stringify(one.parameters) !== JSON.stringify(other.parameters)) return "set of parameters";
  return one.isData || other.isData ? "payload" : undefined;
}
