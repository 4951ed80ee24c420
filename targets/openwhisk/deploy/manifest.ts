import { stringify } from "yaml";
import type { JsonObject } from "../../../src/json.ts";
import { conductorPath } from "./actions.ts";
import { type Deployment, helperName } from "./deployment.ts";
import {
  endTriggers,
  eventsOf,
  helperKind,
  jsonText,
  needsJanitor,
  needsStore,
  type PackageSettings,
  type PlannedWorkflow,
  secretsOf,
  timersOf,
} from "./plan.ts";

/** A manifest in the terms of wskdeploy. */
export interface Manifest {
  readonly package: string;
  readonly actions: readonly (readonly [name: string, action: ManifestAction])[];
  readonly sequences: readonly (readonly [name: string, actions: readonly string[]])[];
  readonly triggers: readonly (readonly [name: string, trigger: ManifestTrigger])[];
  readonly rules: readonly (readonly [name: string, rule: { readonly trigger: string; readonly action: string }])[];
}

/** An action in a manifest. */
export interface ManifestAction {
  readonly function: string;
  readonly runtime: string;
  readonly annotations?: { readonly [name: string]: boolean };
  readonly limits: { readonly timeout: number; readonly memorySize: number };
  readonly inputs: { readonly [name: string]: string | RequiredInput };
}

/** An input from the environment. wskdeploy fails if the variable is not set. */
export interface RequiredInput {
  readonly type: "string";
  readonly required: true;
  readonly value: string;
}

/** A trigger in a manifest, and the feed that fires it. */
export interface ManifestTrigger {
  readonly feed?: string;
  readonly inputs: JsonObject;
}

/** Builds the manifest of a program. */
export function manifestOf(
  workflows: readonly PlannedWorkflow[],
  deployment: Deployment,
  settings: PackageSettings,
): Manifest {
  const events = eventsOf(workflows, deployment);
  const rules = events
    .filter(({ isReceived }) => isReceived && helperKind(workflows) === "events")
    .map(({ trigger }) => [`${trigger}-receive`.slice(0, 250), { trigger, action: deployment.helper }] as const);
  const timers = timersOf(workflows);
  const janitor = `${deployment.package}-janitor`;
  const hasJanitor = needsJanitor(workflows);
  const minutely = {
    feed: "/whisk.system/alarms/interval",
    inputs: { minutes: 1, trigger_payload: { operation: "janitor" } },
  };
  return {
    package: deployment.package,
    actions: actionsOf(workflows, settings),
    sequences: [...deployment.sequences],
    triggers: [
      ...events.map(
        ({ trigger, inputs, feed }) => [trigger, { ...(feed === undefined ? {} : { feed }), inputs }] as const,
      ),
      ...(hasJanitor ? [[janitor, minutely] as const] : []),
      ...timers.map(
        ({ trigger, alarm: { feed, inputs } }) =>
          [trigger, { feed, inputs: { ...inputs, trigger_payload: {} } }] as const,
      ),
      ...endTriggers(workflows).map(([, trigger]) => [trigger, { inputs: {} }] as const),
    ],
    rules: [
      ...rules,
      ...timers.map(
        ({ trigger, flow }) =>
          [`${trigger}-start`, { trigger, action: deployment.workflow(flow.workflow.id) }] as const,
      ),
      ...(hasJanitor ? [[janitor, { trigger: janitor, action: deployment.helper }] as const] : []),
    ],
  };
}

const fromEnvironment = (variable: string): RequiredInput => ({
  type: "string",
  required: true,
  value: `$${variable}`,
});

/** Signs the state of runs. Parameters of actions with the annotation `final` cannot be overridden by callers. */
const key = { $waybillKey: fromEnvironment("WAYBILL_KEY") };

function actionsOf(workflows: readonly PlannedWorkflow[], settings: PackageSettings): Manifest["actions"] {
  const { runtime } = settings;
  const conductors = workflows.map(({ action, name }): readonly [string, ManifestAction] => [
    action,
    {
      function: conductorPath(name),
      runtime,
      annotations: { conductor: true, final: true },
      limits: { timeout: 60_000, memorySize: 256 },
      inputs: key,
    },
  ]);
  const helper: ManifestAction = {
    function: conductorPath(helperName),
    runtime,
    annotations: { "provide-api-key": true, final: true },
    // It runs as long as the actions that it calls.
    limits: { timeout: 300_000, memorySize: 256 },
    inputs: { ...key, ...helperInputs(workflows, settings) },
  };
  return [...conductors, ...(helperKind(workflows) === undefined ? [] : [[helperName, helper] as const])];
}

function helperInputs(
  workflows: readonly PlannedWorkflow[],
  { helperSettings }: PackageSettings,
): ManifestAction["inputs"] {
  const ended = endTriggers(workflows).map(([action, trigger]) => [`${packageIn(helperSettings)}/${action}`, trigger]);
  const settings = { ...helperSettings, ...(ended.length === 0 ? {} : { ended: Object.fromEntries(ended) }) };
  return {
    ...(needsStore(workflows) ? { $store: fromEnvironment("WAYBILL_STORE") } : {}),
    ...(needsStore(workflows) ? { $settings: jsonText(settings) } : {}),
    ...(secretsOf(workflows).length > 0 ? { $secrets: fromEnvironment("WAYBILL_SECRETS") } : {}),
  };
}

/** `waybill` for `/_/waybill/rt`. */
const packageIn = ({ helper }: JsonObject): string => String(helper).split("/")[2]!;

/** Prints manifest.yaml. Triggers and rules are listed in the package, although they belong to the namespace. */
export function printManifest(manifest: Manifest): string {
  const { actions, sequences, triggers, rules } = manifest;
  const named = sequences.map(([name, list]) => [name, { actions: list.join(", ") }] as const);
  const body = {
    actions: Object.fromEntries(actions),
    ...(named.length === 0 ? {} : { sequences: Object.fromEntries(named) }),
    ...(triggers.length === 0 ? {} : { triggers: Object.fromEntries(triggers) }),
    ...(rules.length === 0 ? {} : { rules: Object.fromEntries(rules) }),
  };
  const head = "# @generated by Waybill. Change the definitions or waybill.config.yaml, not this file.\n";
  return head + stringify({ packages: { [manifest.package]: body } }, { lineWidth: 0, aliasDuplicateObjects: false });
}
