import { stepsOf } from "../../../src/ir/walk.ts";
import type { Json } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { openwhiskStore } from "../diagnostics/deployment.ts";
import { sharesCorrelation } from "../lower/extent.ts";
import { conductorFile, conductorPath, helperFile } from "./actions.ts";
import { composerFile } from "./composer.ts";
import { type Deployment, isAction } from "./deployment.ts";
import { type Manifest, type ManifestAction, manifestText, textOf } from "./manifest.ts";
import { needsOf } from "./needs.ts";
import {
  endedTriggers,
  eventsOf,
  type Flow,
  helpersOf,
  lastOf,
  needsStore,
  type Planned,
  type ProgramSettings,
  secretsOf,
  settingsOf,
} from "./plan.ts";
import { readmeText } from "./readme.ts";

export { type Deployment, deploymentOf } from "./deployment.ts";
export type { Flow } from "./plan.ts";

/** All files of a program but the compositions: its actions, the manifest that deploys them, and how that is done. */
export function projectFiles(flows: readonly Flow[], deployment: Deployment, report: Report): readonly OutputFile[] {
  const [first] = flows;
  if (!first) return [];
  const settings = settingsOf(deployment, first.workflow);
  const planned = flows.map((flow): Planned => {
    const needs = needsOf(
      flow.composition,
      deployment.suspensionsOf(flow.workflow),
      deployment.helper,
      settings.budget,
    );
    const { id, span } = flow.workflow;
    if (needs.reasons.length > 0) report(openwhiskStore(span, { id, reasons: needs.reasons }));
    return { ...flow, needs, action: lastOf(deployment.flow(id)) };
  });
  const manifest = manifestOf(planned, deployment, settings);
  return [
    ...planned.map((flow) => conductorFile(flow, conductorSettings(flow, deployment, settings))),
    ...planned.flatMap(composerFiles),
    ...helpersOf(planned).map((name) => helperFile(name, listenersOf(planned, deployment))),
    { path: "manifest.yaml", text: manifestText(manifest) },
    { path: "README.md", text: readmeText(planned, deployment) },
    { path: "waybill.map.json", text: `${JSON.stringify(mapOf(planned, deployment), undefined, 2)}\n` },
  ];
}

/**
 * The same workflow for the command `deploy` of openwhisk-composer, whose conductors know nothing of suspended runs and of branches. Functions that people
 * wrote for the JSON Format mean something else there: their promises are waited for, and what they give back may be nothing.
 */
function composerFiles({ workflow, name, composition, needs, endsCaller }: Planned): readonly OutputFile[] {
  if (workflow.composition || endsCaller) return [];
  if (needs.reasons.length > 0 || needs.helpers.some((helper) => helper !== "rt-call" && helper !== "rt-delay"))
    return [];
  const made = composerFile(composition);
  const text = `${JSON.stringify(made, undefined, 2)}\n`;
  return made ? [{ path: `${name}.composer.json`, text, workflow: workflow.id }] : [];
}

const conductorSettings = (
  { workflow, needs }: Planned,
  deployment: Deployment,
  { budget }: ProgramSettings,
): Json => ({
  helpers: deployment.helper("").slice(0, -1),
  missingAction: workflow.composition?.missingAction ?? "catch",
  ...(needs.isLong ? { budget } : {}),
});

/** What `rt-resume` is told of the flows that hear events. */
const listenersOf = (flows: readonly Planned[], deployment: Deployment): Json =>
  flows.flatMap(({ workflow, hearing }) =>
    hearing ? [JSON.parse(JSON.stringify({ flow: deployment.flow(workflow.id), ...hearing })) as Json] : [],
  );

function manifestOf(flows: readonly Planned[], deployment: Deployment, settings: ProgramSettings): Manifest {
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

/** What a run of the emitted files has to know of the definitions: which action is which function, which trigger brings which event. */
function mapOf(flows: readonly Planned[], deployment: Deployment): Json {
  const known = new Set(flows.map(({ workflow }) => workflow.id));
  const external = flows.flatMap(({ workflow }) =>
    stepsOf(workflow).flatMap((step) =>
      step.kind === "invoke" && !known.has(step.workflow.name)
        ? [[deployment.flow(step.workflow.name), { function: step.workflow.name }] as const]
        : [],
    ),
  );
  const functions = flows.flatMap(({ workflow }) =>
    workflow.functions.filter(isAction).map((definition) => {
      const raw = workflow.language === "composer-fsm" ? { raw: true } : {};
      return [deployment.action(workflow, definition), { function: definition.name, ...raw }] as const;
    }),
  );
  const events = eventsOf(flows, deployment).flatMap(({ trigger, isHeard, definitions }) =>
    isHeard
      ? definitions.map(({ type, source, subject, foldCase }) => ({
          trigger: `/_/${trigger}`,
          type,
          source,
          subject,
          foldCase: foldCase || undefined,
        }))
      : [],
  );
  const workflows = flows.map(({ workflow: { id, language } }) => {
    return [id, { action: deployment.flow(id), ...(language === "composer-fsm" ? { raw: true } : {}) }] as const;
  });
  const map = {
    workflows: Object.fromEntries(workflows),
    functions: Object.fromEntries([...external, ...functions]),
    events,
    secrets: secretsOf(flows),
  };
  return JSON.parse(JSON.stringify(map)) as Json;
}
