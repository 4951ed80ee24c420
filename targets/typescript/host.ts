import { innerBlocks, type StructuredItem, structureScope } from "../../src/cfg/index.ts";
import { scopesOf } from "../../src/ir/walk.ts";
import type { Program, Scope, Step } from "../../src/ir/workflow.ts";
import { own } from "../../src/json.ts";
import type { Settings } from "../../src/target/contract.ts";
import { locateConflict, settingNotes } from "../../src/target/settings.ts";
import type { Report } from "../../src/text/diagnostics.ts";
import { conflictingHosts, growingJournal } from "./diagnostics/kinds.ts";
import type { HostName } from "./runtime-files.ts";

/** The host of a program. Different hosts are reported. */
export function hostOf(program: Program, settings: Settings, report: Report): HostName | undefined {
  const hosts = program.workflows.map((workflow) => {
    const configured = settings.configurationOf(workflow);
    const value = own(configured.values, "host");
    return { workflow, settings: configured, host: hostNames.find((host) => host === value) ?? "sqlite" };
  });
  const host = hosts[0]?.host ?? "sqlite";
  const other = hosts.find((each) => each.host !== host);
  if (other) {
    const [span, notes] = locateConflict(["host"], hosts[0]!, other);
    report(conflictingHosts(span, { hosts: [host, other.host] }, notes));
    return undefined;
  }
  const limit = journalLimits.get(host);
  if (limit !== undefined) reportGrowingLoops(program, limit, settings, report);
  return host;
}

const hostNames: readonly HostName[] = ["sqlite", "dbos", "restate", "lambda"];

/** The limits of hosts that keep whole journals. */
const journalLimits: ReadonlyMap<HostName, string> = new Map([
  ["restate", "Restate limits it to 32 MiB"],
  ["lambda", "AWS Lambda limits it to 3,000 operations"],
]);

function reportGrowingLoops({ workflows }: Program, limit: string, settings: Settings, report: Report): void {
  for (const workflow of workflows) {
    const notes = settingNotes(settings.configurationOf(workflow), "host");
    for (const { scope } of scopesOf(workflow))
      for (const { span } of recordingLoops(scope)) report(growingJournal(span, { most: limit }, notes));
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
