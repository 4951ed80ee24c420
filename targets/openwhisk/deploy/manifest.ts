import { stringify } from "yaml";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { JsonObject } from "../../../src/json.ts";
import { hasSharedCorrelation } from "../select/bounds.ts";
import { conductorPath } from "./actions.ts";
import type { Deployment } from "./deployment.ts";
import {
  type CompiledWorkflow,
  endTriggers,
  eventsOf,
  helpersOf,
  jsonText,
  needsStore,
  type PackageSettings,
  type PlannedWorkflow,
  secretsOf,
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
  readonly inputs?: { readonly [name: string]: string };
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
  const hasStore = needsStore(workflows);
  const events = eventsOf(workflows, deployment);
  const resume = deployment.helper("rt-resume");
  const rules = events
    .filter(({ isReceived }) => isReceived && helpersOf(workflows).includes("rt-resume"))
    .map(({ trigger }) => [`${trigger}-resume`.slice(0, 250), { trigger, action: resume }] as const);
  const sweep = `${deployment.package}-sweep`;
  const feed = "/whisk.system/alarms/interval";
  return {
    package: deployment.package,
    actions: actionsOf(workflows, settings),
    sequences: [...deployment.sequences],
    triggers: [
      ...events.map(
        ({ trigger, inputs, feed }) => [trigger, { ...(feed === undefined ? {} : { feed }), inputs }] as const,
      ),
      ...(hasStore ? [[sweep, { feed, inputs: { minutes: 1 } }] as const] : []),
      ...endTriggers(workflows).map(([, trigger]) => [trigger, { inputs: {} }] as const),
    ],
    rules: [
      ...rules,
      ...(hasStore ? [[sweep, { trigger: sweep, action: deployment.helper("rt-sweep") }] as const] : []),
    ],
  };
}

function actionsOf(workflows: readonly PlannedWorkflow[], settings: PackageSettings): Manifest["actions"] {
  const { runtime } = settings;
  const conductors = workflows.map(({ action, name }): readonly [string, ManifestAction] => [
    action,
    {
      function: conductorPath(name),
      runtime,
      annotations: { conductor: true },
      limits: { timeout: 60_000, memorySize: 256 },
    },
  ]);
  const helpers = helpersOf(workflows).map((name): readonly [string, ManifestAction] => [
    name,
    {
      function: conductorPath(name),
      runtime,
      annotations: { "provide-api-key": true },
      limits: { timeout: atWork.has(name) ? 300_000 : 60_000, memorySize: 256 },
      ...parametersOf(name, workflows, settings),
    },
  ]);
  return [...conductors, ...helpers];
}

const emitsShared = ({ workflow }: CompiledWorkflow): boolean =>
  stepsOf(workflow).some((step) => step.kind === "emit" && hasSharedCorrelation(step, workflow));

/** Helpers that run as long as the actions they call. */
const atWork: ReadonlySet<string> = new Set(["rt-call", "rt-delay", "rt-fork"]);

function parametersOf(
  name: string,
  workflows: readonly PlannedWorkflow[],
  settings: PackageSettings,
): Pick<ManifestAction, "inputs"> {
  const isCall = name === "rt-call";
  const inputs = {
    ...(needsStore(workflows) && (!isCall || workflows.some(emitsShared)) ? inputsOf(workflows, settings) : {}),
    ...(isCall && secretsOf(workflows).length > 0 ? { $secrets: "$WAYBILL_SECRETS" } : {}),
  };
  return Object.keys(inputs).length === 0 ? {} : { inputs };
}

function inputsOf(
  workflows: readonly PlannedWorkflow[],
  { helperSettings }: PackageSettings,
): { readonly [name: string]: string } {
  const inPackage = String(helperSettings["package"]).replace(/^\/_\//, "");
  const ended = endTriggers(workflows).map(([action, trigger]) => [`${inPackage}/${action}`, trigger] as const);
  return {
    $store: "$WAYBILL_STORE",
    $settings: jsonText({ ...helperSettings, ended: Object.fromEntries(ended) }),
  };
}

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
  const head = "# Generated by Waybill. Change the definitions or waybill.config.yaml, not this file.\n";
  return head + stringify({ packages: { [manifest.package]: body } }, { lineWidth: 0, aliasDuplicateObjects: false });
}
