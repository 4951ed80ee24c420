import { cloudFunctionName } from "../../../src/ir/protocols.ts";
import { stepsOf } from "../../../src/ir/walk.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { type Json, own } from "../../../src/json.ts";
import type { OutputFile } from "../../../src/target/contract.ts";
import type { Report } from "../../../src/text/diagnostics.ts";
import { nativeComposition } from "../composition.ts";
import { openwhiskStoreRequired } from "../diagnostics/deployment.ts";
import { buildComposition, retriedStates } from "../print.ts";
import type { DeployedFunction } from "../select/deployed-functions.ts";
import { conductorFile, helperFile } from "./actions.ts";
import { composerFile } from "./composer.ts";
import { type Deployment, defaultKeyMember, isAction } from "./deployment.ts";
import { checkPartitions, eventGroups } from "./event-groups.ts";
import { manifestOf, printManifest } from "./manifest.ts";
import {
  type CompiledWorkflow,
  eventsOf,
  helperKind,
  lastOf,
  type PlannedWorkflow,
  packageSettingsOf,
  secretsOf,
  timersOf,
} from "./plan.ts";
import { printReadme } from "./readme.ts";
import { requirementsOf } from "./requirements.ts";
import { statesByFunction } from "./shared-actions.ts";

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
  checkPartitions(
    workflows.map(({ workflow }) => workflow),
    report,
  );
  const manifest = manifestOf(planned, deployment, settings);
  const composer = planned.flatMap(composerFiles);
  const kind = helperKind(planned);
  return [
    ...planned.map((flow) => conductorFile(flow, conductorSettings(flow, planned, deployment))),
    ...composer,
    ...(kind === undefined ? [] : [helperFile(kind, eventProgram(planned, deployment), deployedFunctions(planned))]),
    { path: "manifest.yaml", text: printManifest(manifest) },
    { path: "README.md", text: printReadme(planned, deployment, composer) },
    { path: "waybill.map.json", text: `${JSON.stringify(programMap(planned, deployment), undefined, 2)}\n` },
  ];
}

/**
 * Generates the file for openwhisk-composer if its conductors support the workflow: they cannot sign requests to the
 * helper action. Composer would also await the promises of native functions.
 */
function composerFiles({
  workflow,
  name,
  composition,
  selected,
  requirements,
}: PlannedWorkflow): readonly OutputFile[] {
  if (nativeComposition(workflow) || selected?.needsConductor) return [];
  if (requirements.usesHelper) return [];
  const composerProgram = composerFile(selected ? buildComposition(selected, "functions") : composition);
  const text = `${JSON.stringify(composerProgram, undefined, 2)}\n`;
  return composerProgram ? [{ path: `${name}.composer.json`, text, workflow: workflow.id }] : [];
}

function conductorSettings(flow: PlannedWorkflow, workflows: readonly PlannedWorkflow[], deployment: Deployment): Json {
  const { workflow, requirements, selected, composition } = flow;
  const called = new Set(Object.values(composition.States).flatMap((state) => ("Action" in state ? state.Action : [])));
  const started = stepsOf(workflow).flatMap((step) => (step.kind === "invoke" ? [step.workflow.name] : []));
  const subflows = workflows
    .filter(({ workflow: { id } }) => started.includes(id))
    .map(({ workflow: { id } }) => deployment.workflow(id));
  const keys = nativeComposition(workflow) ? [] : keyMembers(workflow, deployment);
  const retried = selected ? retriedStates(selected, deployment.helperPlacement) : [];
  const native = nativeComposition(workflow);
  return {
    helper: deployment.helper,
    missingAction: native?.missingAction ?? "catch",
    ...(native ? { reserved: native.reserved } : {}),
    ...(requirements.isLong ? { budget: deployment.budget } : {}),
    ...(keys.length === 0 ? {} : { keys: Object.fromEntries(keys) }),
    ...(keys.length === 0 || retried.length === 0 ? {} : { retried }),
    ...(subflows.length === 0 || called.size === 0 ? {} : { workflows: subflows }),
  };
}

/** The actions that receive idempotency keys, with the members that hold them. */
function keyMembers(
  workflow: Workflow,
  deployment: Deployment,
): readonly (readonly [action: string, member: string])[] {
  const called = new Set(stepsOf(workflow).flatMap((step) => (step.kind === "call" ? [step.function.name] : [])));
  return workflow.functions.flatMap((definition) => {
    const member = deployment.keyMember(workflow, definition);
    if (!isAction(definition) || member === undefined || !called.has(definition.name)) return [];
    return [[deployment.action(workflow, definition), member] as const];
  });
}

function eventProgram(workflows: readonly PlannedWorkflow[], deployment: Deployment): Json {
  const groups = eventGroups(workflows.map(({ workflow }) => workflow));
  const flows = workflows.flatMap(({ workflow, selected }) => {
    const { group } = groups.get(workflow) ?? {};
    return selected?.subscription ? [{ flow: deployment.workflow(workflow.id), group, ...selected.subscription }] : [];
  });
  const keys = [...groups.values()].flatMap(({ group, key }) => (key === undefined ? [] : [[group, key] as const]));
  return JSON.parse(JSON.stringify({ flows, keys: Object.fromEntries(keys) })) as Json;
}

const deployedFunctions = (workflows: readonly PlannedWorkflow[]): readonly DeployedFunction[] =>
  workflows.flatMap(({ selected }) => selected?.deployed ?? []);

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
  const states = statesByFunction(workflows, deployment);
  const functions = workflows.flatMap(({ workflow }) =>
    workflow.functions.filter(isAction).map((definition) => {
      const raw = nativeComposition(workflow) ? { raw: true } : {};
      const member = deployment.keyMember(workflow, definition);
      const key = member === undefined || member === defaultKeyMember ? {} : { key: member };
      const timeout = deployment.timeout(workflow, definition);
      const bound = { function: definition.name, ...raw, ...key, timeout };
      const { protocol } = definition;
      const isElsewhere = protocol?.kind === "cloudFunction" && protocol.provider !== "openwhisk";
      const replaced = isElsewhere ? { inPlaceOf: cloudFunctionName(protocol) } : {};
      const action = deployment.action(workflow, definition);
      return [action, { ...bound, ...replaced, ...own(states, action) }] as const;
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
  const timers = timersOf(workflows);
  const actions = workflows.map(({ workflow }) => {
    const raw = nativeComposition(workflow) ? { raw: true } : {};
    const triggers = timers.flatMap(({ trigger, flow }) => (flow.workflow === workflow ? [`/_/${trigger}`] : []));
    const timed = triggers.length === 0 ? {} : { timers: triggers };
    return [workflow.id, { action: deployment.workflow(workflow.id), ...raw, ...timed }] as const;
  });
  const map = {
    workflows: Object.fromEntries(actions),
    functions: Object.fromEntries([...external, ...functions]),
    events,
    secrets: secretsOf(workflows),
  };
  return JSON.parse(JSON.stringify(map)) as Json;
}
