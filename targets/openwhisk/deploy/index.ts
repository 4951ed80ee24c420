import { stepsOf } from "../../../src/ir/walk.ts";
import type { Json } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { nativeComposition } from "../composition.ts";
import { openwhiskStoreRequired } from "../diagnostics/deployment.ts";
import { composed } from "../print.ts";
import { conductorFile, helperFile } from "./actions.ts";
import { composerFile } from "./composer.ts";
import { type Deployment, isAction } from "./deployment.ts";
import { manifestOf, manifestText } from "./manifest.ts";
import { needsOf } from "./needs.ts";
import { eventsOf, type Flow, helpersOf, lastOf, type Planned, secretsOf, settingsOf } from "./plan.ts";
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
      deployment.budget,
    );
    const { id, span } = flow.workflow;
    if (needs.reasons.length > 0) report(openwhiskStoreRequired(span, { id, reasons: needs.reasons }));
    return { ...flow, needs, action: lastOf(deployment.flow(id)) };
  });
  const manifest = manifestOf(planned, deployment, settings);
  return [
    ...planned.map((flow) => conductorFile(flow, conductorSettings(flow, deployment))),
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
function composerFiles({ workflow, name, composition, lowered, needs }: Planned): readonly OutputFile[] {
  if (nativeComposition(workflow) || lowered?.needsConductor) return [];
  if (needs.reasons.length > 0 || needs.helpers.some((helper) => helper !== "rt-call" && helper !== "rt-delay"))
    return [];
  const made = composerFile(lowered ? composed(lowered, "functions") : composition);
  const text = `${JSON.stringify(made, undefined, 2)}\n`;
  return made ? [{ path: `${name}.composer.json`, text, workflow: workflow.id }] : [];
}

const conductorSettings = ({ workflow, needs }: Planned, deployment: Deployment): Json => ({
  helpers: deployment.helper("").slice(0, -1),
  missingAction: nativeComposition(workflow)?.missingAction ?? "catch",
  ...(needs.isLong ? { budget: deployment.budget } : {}),
});

/** What `rt-resume` is told of the flows that hear events. */
const listenersOf = (flows: readonly Planned[], deployment: Deployment): Json =>
  flows.flatMap(({ workflow, lowered }) =>
    lowered?.hearing
      ? [JSON.parse(JSON.stringify({ flow: deployment.flow(workflow.id), ...lowered.hearing })) as Json]
      : [],
  );

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
      const raw = nativeComposition(workflow) ? { raw: true } : {};
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
  const workflows = flows.map(({ workflow }) => {
    const raw = nativeComposition(workflow) ? { raw: true } : {};
    return [workflow.id, { action: deployment.flow(workflow.id), ...raw }] as const;
  });
  const map = {
    workflows: Object.fromEntries(workflows),
    functions: Object.fromEntries([...external, ...functions]),
    events,
    secrets: secretsOf(flows),
  };
  return JSON.parse(JSON.stringify(map)) as Json;
}
