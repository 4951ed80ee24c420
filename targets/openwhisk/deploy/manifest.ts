import { stringify } from "yaml";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { JsonObject } from "../../../src/json.ts";
import { sharesCorrelation } from "../select/bounds.ts";
import { conductorPath } from "./actions.ts";
import type { Deployment } from "./deployment.ts";
import {
  endedTriggers,
  eventsOf,
  type Flow,
  helpersOf,
  needsStore,
  type Planned,
  type ProgramSettings,
  secretsOf,
  textOf,
} from "./plan.ts";

/** What a manifest says of a program, in the words of wskdeploy. */
export interface Manifest {
  /** The name of the package. */
  readonly package: string;
  readonly actions: readonly (readonly [name: string, action: ManifestAction])[];
  readonly sequences: readonly (readonly [name: string, actions: readonly string[]])[];
  readonly triggers: readonly (readonly [name: string, trigger: ManifestTrigger])[];
  readonly rules: readonly (readonly [name: string, rule: { readonly trigger: string; readonly action: string }])[];
}

/** An action: its file, how it is run, and its parameters, which are texts. */
export interface ManifestAction {
  readonly function: string;
  readonly runtime: string;
  readonly annotations?: { readonly [name: string]: boolean };
  readonly limits: { readonly timeout: number; readonly memorySize: number };
  readonly inputs?: { readonly [name: string]: string };
}

/** A trigger, and the feed that fires it. */
export interface ManifestTrigger {
  readonly feed?: string;
  readonly inputs: JsonObject;
}

/** The manifest of a program. */
export function manifestOf(flows: readonly Planned[], deployment: Deployment, settings: ProgramSettings): Manifest {
  const hasStore = needsStore(flows);
  const events = eventsOf(flows, deployment);
  const resume = deployment.helper("rt-resume");
  const rules = events
    .filter(({ isHeard }) => isHeard && helpersOf(flows).includes("rt-resume"))
    .map(({ trigger }) => [`${trigger}-resume`.slice(0, 250), { trigger, action: resume }] as const);
  const sweep = `${deployment.package}-sweep`;
  const feed = "/whisk.system/alarms/interval";
  return {
    package: deployment.package,
    actions: actionsOf(flows, settings),
    sequences: [...deployment.sequences],
    triggers: [
      ...events.map(
        ({ trigger, inputs, feed }) => [trigger, { ...(feed === undefined ? {} : { feed }), inputs }] as const,
      ),
      ...(hasStore ? [[sweep, { feed, inputs: { minutes: 1 } }] as const] : []),
      ...endedTriggers(flows).map(([, trigger]) => [trigger, { inputs: {} }] as const),
    ],
    rules: [
      ...rules,
      ...(hasStore ? [[sweep, { trigger: sweep, action: deployment.helper("rt-sweep") }] as const] : []),
    ],
  };
}

/** The conductors and the helpers of a program. */
function actionsOf(flows: readonly Planned[], settings: ProgramSettings): Manifest["actions"] {
  const { runtime } = settings;
  const conductors = flows.map(({ action, name }): readonly [string, ManifestAction] => [
    action,
    {
      function: conductorPath(name),
      runtime,
      annotations: { conductor: true },
      limits: { timeout: 60_000, memorySize: 256 },
    },
  ]);
  const helpers = helpersOf(flows).map((name): readonly [string, ManifestAction] => [
    name,
    {
      function: conductorPath(name),
      runtime,
      annotations: { "provide-api-key": true },
      limits: { timeout: atWork.has(name) ? 300_000 : 60_000, memorySize: 256 },
      ...parametersOf(name, flows, settings),
    },
  ]);
  return [...conductors, ...helpers];
}

/** Whether a workflow emits events with a correlation value that is with what all runs have in common. */
const emitsShared = ({ workflow }: Flow): boolean =>
  stepsOf(workflow).some((step) => step.kind === "emit" && sharesCorrelation(step, workflow));

/** Helpers that are at work for as long as what they call. */
const atWork: ReadonlySet<string> = new Set(["rt-call", "rt-delay", "rt-fork"]);

/** The parameters of a helper: where the store is, what is so in this deployment, and the secrets. */
function parametersOf(
  name: string,
  flows: readonly Planned[],
  settings: ProgramSettings,
): Pick<ManifestAction, "inputs"> {
  const isCall = name === "rt-call";
  const inputs = {
    ...(needsStore(flows) && (!isCall || flows.some(emitsShared)) ? inputsOf(flows, settings) : {}),
    ...(isCall && secretsOf(flows).length > 0 ? { $secrets: "$WAYBILL_SECRETS" } : {}),
  };
  return Object.keys(inputs).length === 0 ? {} : { inputs };
}

/** What helpers that use the store are told. */
function inputsOf(flows: readonly Planned[], { told }: ProgramSettings): { readonly [name: string]: string } {
  const inPackage = String(told["package"]).replace(/^\/_\//, "");
  const ended = endedTriggers(flows).map(([action, trigger]) => [`${inPackage}/${action}`, trigger] as const);
  return {
    $store: "$WAYBILL_STORE",
    $settings: textOf({ ...told, ended: Object.fromEntries(ended) }),
  };
}

/** The text of manifest.yaml. Triggers and rules stand in the package there, and belong to the namespace. */
export function manifestText(manifest: Manifest): string {
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
