import { conflictingBindings } from "../../../src/diagnostics/configuration.ts";
import { effectsOf } from "../../../src/expressions/index.ts";
import type { Program } from "../../../src/ir/program.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { isObject, type JsonObject, own } from "../../../src/json.ts";
import type { Binding, Settings, TargetConfiguration } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { openwhiskTriggerConflict, openwhiskWebArgument } from "../diagnostics/deployment.ts";

/** Where a function is, as the configuration says it. */
export type Place =
  | { readonly kind: "action"; readonly action: string }
  | { readonly kind: "package"; readonly package: string }
  | { readonly kind: "sequence"; readonly actions: readonly string[] }
  | { readonly kind: "web"; readonly url: string };

/** By which trigger an event comes or goes, and what fires that. */
export interface Channel {
  readonly trigger?: string | undefined;
  readonly feed?: string | undefined;
  readonly parameters: JsonObject;
  /** What the trigger is fired with is the data of the event, and not the event. */
  readonly isData: boolean;
}

/** What a configuration says for OpenWhisk. */
export interface Bindings {
  readonly functions: ReadonlyMap<string, Place>;
  readonly events: ReadonlyMap<string, Channel>;
  readonly values: JsonObject;
}

/** What the configurations of a program say, each read once: by the workflow. */
export function bindingsOf(
  { workflows }: Program,
  { configurationOf: configured }: Settings,
  report: Report,
): (workflow: Workflow) => Bindings {
  const read = new Map<Workflow, Bindings>();
  for (const [each, owners] of Map.groupBy(workflows, configured)) {
    const bindings = bindingsIn(each, owners, report);
    for (const workflow of owners) read.set(workflow, bindings);
  }
  return (workflow) => read.get(workflow)!;
}

function bindingsIn(
  { functions, events, values }: TargetConfiguration,
  workflows: readonly Workflow[],
  report: Report,
): Bindings {
  const places = [...functions].flatMap(([name, binding]) => {
    const place = placeOf(binding, workflows, report);
    return place ? [[name, place] as const] : [];
  });
  const channels = new Map([...events].map(([name, { value }]) => [name, channelOf(value)] as const));
  checkTriggers(channels, events, report);
  return { functions: new Map(places), events: channels, values };
}

const kinds = ["action", "package", "sequence", "web"] as const;

/** The place that a binding names; undefined where it cannot be used, which is reported. */
function placeOf(
  { name: { name }, value, document }: Binding,
  workflows: readonly Workflow[],
  report: Report,
): Place | undefined {
  const [kind, ...more] = kinds.filter((known) => Object.hasOwn(value, known));
  for (const second of more)
    report(conflictingBindings(document.spanOf(value, second, "key"), { first: kind!, second }));
  if (kind === undefined || more.length > 0) return undefined;
  const said = own(value, kind);
  switch (kind) {
    case "action":
      return { kind, action: String(said) };
    case "package":
      return { kind, package: String(said) };
    case "sequence":
      return { kind, actions: (said as readonly string[]).map(String) };
    case "web": {
      const other = workflows
        .flatMap(stepsOf)
        .find(
          (step) => step.kind === "call" && step.function.name === name && effectsOf(step.argument).type !== "object",
        );
      const notes = other ? [{ message: "It is called here.", span: other.span }] : [];
      if (other) report(openwhiskWebArgument(document.spanOf(value, kind), { name }, notes));
      return other ? undefined : { kind, url: String(said) };
    }
  }
}

function channelOf(value: JsonObject): Channel {
  const text = (name: string) => {
    const said = own(value, name);
    return said === undefined ? undefined : String(said);
  };
  const parameters = own(value, "parameters");
  return {
    trigger: text("trigger"),
    feed: text("feed"),
    parameters: isObject(parameters) ? parameters : {},
    isData: text("payload") === "data",
  };
}

/** Reports triggers that two bindings describe in different ways. */
function checkTriggers(
  channels: ReadonlyMap<string, Channel>,
  bindings: ReadonlyMap<string, Binding>,
  report: Report,
): void {
  const first = new Map<string, string>();
  for (const [name, channel] of channels) {
    const trigger = channel.trigger ?? name;
    const other = first.get(trigger);
    if (other === undefined) {
      first.set(trigger, name);
      continue;
    }
    const what = differenceOf(channels.get(other)!, channel);
    const { key } = bindings.get(name)!;
    if (what !== undefined) report(openwhiskTriggerConflict(key, { trigger, first: other, second: name, what }));
  }
}

function differenceOf(one: Channel, other: Channel): string | undefined {
  if (one.feed !== other.feed) return "feed";
  if (JSON.stringify(one.parameters) !== JSON.stringify(other.parameters)) return "set of parameters";
  return one.isData || other.isData ? "payload" : undefined;
}
