import { innerBlocks, type StructuredItem, structureScope } from "../../src/cfg/index.ts";
import { awaitsCallback } from "../../src/ir/callbacks.ts";
import { type ScopeNode, scopesOf, stepsOf } from "../../src/ir/walk.ts";
import type { Program, Scope, Step } from "../../src/ir/workflow.ts";
import { own } from "../../src/json.ts";
import type { Settings } from "../../src/target/contract.ts";
import { locateConflict, settingNotes } from "../../src/target/settings.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import {
  attachedInLoop,
  conflictingHosts,
  growingJournal,
  unsupportedTask,
  unsupportedTimer,
} from "./diagnostics/kinds.ts";
import type { Host } from "./host.ts";

/** The host of a program. Different hosts are reported. */
export function hostOf(program: Program, hosts: readonly Host[], settings: Settings, report: Report): Host | undefined {
  const standard = hosts.find(({ isDefault }) => isDefault)!;
  const chosen = program.workflows.map((workflow) => {
    const configured = settings.configurationOf(workflow);
    const value = own(configured.values, "host");
    return { workflow, settings: configured, host: hosts.find(({ name }) => name === value) ?? standard };
  });
  const host = chosen[0]?.host ?? standard;
  const other = chosen.find((each) => each.host !== host);
  if (other) {
    const [span, notes] = locateConflict(["host"], chosen[0]!, other);
    report(conflictingHosts(span, { hosts: [host.name, other.host.name] }, notes));
    return undefined;
  }
  const { journal } = host.limits;
  const unlimited = hosts.filter(({ limits }) => limits.journal === undefined).map(({ name }) => name);
  if (journal !== undefined) reportGrowingLoops(program, { most: journal, unlimited }, settings, report);
  const { tasks } = host.limits;
  const answering = hosts.filter(({ limits }) => limits.tasks === undefined).map(({ name }) => name);
  if (tasks !== undefined)
    reportTasks(program, { host: host.name, reason: tasks, others: answering }, settings, report);
  if (!host.hasServer) {
    const others = hosts.filter(({ hasServer }) => hasServer).map(({ name }) => name);
    reportTimers(program, { host: host.name, others }, settings, report);
  }
  return host;
}

/** Reports subflows that stop with a workflow whose loops would forget them. */
export function checkAttachedSubflows({ workflows, byId }: Program, report: Report): boolean {
  let isSound = true;
  for (const workflow of workflows)
    for (const node of scopesOf(workflow))
      for (const step of node.scope.steps) {
        if (step.kind !== "invoke" || step.whenParentEnds !== "terminate" || !byId.has(step.workflow.name)) continue;
        if (!isInLoop(node)) continue;
        isSound = false;
        report(attachedInLoop(step.span, { name: step.workflow.name }));
      }
  return isSound;
}

/** Whether a scope or one around it has a loop. */
function isInLoop(node: ScopeNode): boolean {
  for (let at: ScopeNode | undefined = node; at; at = at.parent)
    if (structureScope(at.scope).some((item) => hasLoop(item))) return true;
  return false;
}

const hasLoop = (item: StructuredItem): boolean =>
  item.kind === "loop" || innerBlocks(item).some((block) => block.some((inner) => hasLoop(inner)));

/** Reports calls that wait for a callback on a host whose runs cannot. */
function reportTasks(
  { workflows }: Program,
  limit: Parameters<typeof unsupportedTask>[1],
  settings: Settings,
  report: Report,
): void {
  for (const workflow of workflows) {
    const notes = settingNotes(settings.configurationOf(workflow), "host");
    for (const { callback } of stepsOf(workflow).filter(awaitsCallback))
      report(unsupportedTask(callback.span, limit, notes));
  }
}

/** Reports timers on a host without a server, which fires them. */
function reportTimers(
  { workflows }: Program,
  hosts: Parameters<typeof unsupportedTimer>[1],
  settings: Settings,
  report: Report,
): void {
  for (const workflow of workflows) {
    const notes = settingNotes(settings.configurationOf(workflow), "host");
    for (const { span } of workflow.start.timers ?? []) report(unsupportedTimer(span, hosts, notes));
  }
}

function reportGrowingLoops(
  { workflows }: Program,
  limit: Parameters<typeof growingJournal>[1],
  settings: Settings,
  report: Report,
): void {
  for (const workflow of workflows) {
    const notes = settingNotes(settings.configurationOf(workflow), "host");
    for (const { scope } of scopesOf(workflow))
      for (const { span } of recordingLoops(scope)) report(growingJournal(span, limit, notes));
  }
}

function recordingLoops(scope: Scope): readonly Step[] {
  const found = new Set<string>();
  const visit = (item: StructuredItem): void => {
    if (item.kind === "loop" && records(item)) found.add(item.label);
    for (const block of innerBlocks(item)) block.forEach(visit);
  };
  structureScope(scope).forEach(visit);
  return scope.steps.filter(({ id }) => found.has(id));
}

const records = (item: StructuredItem): boolean =>
  (item.kind === "step" && recordedKinds.has(item.step.kind)) ||
  innerBlocks(item).some((block) => block.some((inner) => records(inner)));

const recordedKinds: ReadonlySet<Step["kind"]> = new Set([
  "call",
  "delay",
  "receive",
  "emit",
  "invoke",
  "fork",
  "foreach",
]);
