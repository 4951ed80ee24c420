import { stepsOf } from "../../../src/ir/walk.ts";
import type { Json } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { nativeComposition } from "../composition.ts";
import { openwhiskStoreRequired } from "../diagnostics/deployment.ts";
import { buildComposition } from "../print.ts";
import { conductorFile, helperFile } from "./actions.ts";
import { composerFile } from "./composer.ts";
import { type Deployment, isAction } from "./deployment.ts";
import { manifestOf, printManifest } from "./manifest.ts";
import {
  type CompiledWorkflow,
  eventsOf,
  helpersOf,
  lastOf,
  type PlannedWorkflow,
  packageSettingsOf,
  secretsOf,
} from "./plan.ts";
import { printReadme } from "./readme.ts";
import { requirementsOf } from "./requirements.ts";

export { type Deployment, deploymentOf } from "./deployment.ts";
export type { CompiledWorkflow } from "./plan.ts";

/** Generates all files of a program except compositions: actions, manifest, README and map. */
export function projectFiles(
  workflows: readonly CompiledWorkflow[],
  deployment: Deployment,
  report: Report,
): readonly OutputFile[] {
  const [first] = workflows;
  if (!first) return [];
  const settings = packageSettingsOf(deployment, first.workflow);
  const planned = workflows.map((flow): PlannedWorkflow => {
    const requirements = requirementsOf(
      flow.composition,
      deployment.suspensionsOf(flow.workflow),
      deployment.helper,
      deployment.budget,
    );
    const { id, span } = flow.workflow;
    if (requirements.reasons.length > 0) report(openwhiskStoreRequired(span, { id, reasons: requirements.reasons }));
    return { ...flow, requirements, action: lastOf(deployment.workflow(id)) };
  });
  const manifest = manifestOf(planned, deployment, settings);
  const composer = planned.flatMap(composerFiles);
  return [
    ...planned.map((flow) => conductorFile(flow, conductorSettings(flow, deployment))),
    ...composer,
    ...helpersOf(planned).map((name) => helperFile(name, subscriptionsOf(planned, deployment))),
    { path: "manifest.yaml", text: printManifest(manifest) },
    { path: "README.md", text: printReadme(planned, deployment, composer) },
    { path: "waybill.map.json", text: `${JSON.stringify(programMap(planned, deployment), undefined, 2)}\n` },
  ];
}

/**
 * Generates the file for openwhisk-composer if its conductors support the workflow: they know neither suspended runs
 * nor branches. Composer would also await the promises of native functions.
 */
function composerFiles({
  workflow,
  name,
  composition,
  selected,
  requirements,
}: PlannedWorkflow): readonly OutputFile[] {
  if (nativeComposition(workflow) || selected?.needsConductor) return [];
  if (
    requirements.reasons.length > 0 ||
    requirements.helpers.some((helper) => helper !== "rt-call" && helper !== "rt-delay")
  )
    return [];
  const composerProgram = composerFile(selected ? buildComposition(selected, "functions") : composition);
  const text = `${JSON.stringify(composerProgram, undefined, 2)}\n`;
  return composerProgram ? [{ path: `${name}.composer.json`, text, workflow: workflow.id }] : [];
}

const conductorSettings = ({ workflow, requirements }: PlannedWorkflow, deployment: Deployment): Json => ({
  helpers: deployment.helper("").slice(0, -1),
  missingAction: nativeComposition(workflow)?.missingAction ?? "catch",
  ...(requirements.isLong ? { budget: deployment.budget } : {}),
});

const subscriptionsOf = (workflows: readonly PlannedWorkflow[], deployment: Deployment): Json =>
  workflows.flatMap(({ workflow, selected }) =>
    selected?.subscription
      ? [JSON.parse(JSON.stringify({ flow: deployment.workflow(workflow.id), ...selected.subscription })) as Json]
      : [],
  );

/** The map that `waybill test` reads. */
function programMap(workflows: readonly PlannedWorkflow[], deployment: Deployment): Json {
  const ids = new Set(workflows.map(({ workflow }) => workflow.id));
  const external = workflows.flatMap(({ workflow }) =>
    stepsOf(workflow).flatMap((step) =>
      step.kind === "invoke" && !ids.has(step.workflow.name)
        ? [[deployment.workflow(step.workflow.name), { function: step.workflow.name }] as const]
        : [],
    ),
  );
  const functions = workflows.flatMap(({ workflow }) =>
    workflow.functions.filter(isAction).map((definition) => {
      const raw = nativeComposition(workflow) ? { raw: true } : {};
      return [deployment.action(workflow, definition), { function: definition.name, ...raw }] as const;
    }),
  );
  const events = eventsOf(workflows, deployment).flatMap(({ trigger, isReceived, definitions }) =>
    isReceived
      ? definitions.map(({ type, source, subject, foldCase }) => ({
          trigger: `/_/${trigger}`,
          type,
          source,
          subject,
          foldCase: foldCase || undefined,
        }))
      : [],
  );
  const actions = workflows.map(({ workflow }) => {
    const raw = nativeComposition(workflow) ? { raw: true } : {};
    return [workflow.id, { action: deployment.workflow(workflow.id), ...raw }] as const;
  });
  const map = {
    workflows: Object.fromEntries(actions),
    functions: Object.fromEntries([...external, ...functions]),
    events,
    secrets: secretsOf(workflows),
  };
  return JSON.parse(JSON.stringify(map)) as Json;
}
