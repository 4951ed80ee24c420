import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogue } from "../../src/diagnostics/renderers/catalogue.ts";
import type { Case } from "./case.ts";
import { fieldsOf, schemaOf } from "./coverage.ts";
import { emittedFaults, keepEmitted } from "./emitted.ts";
import { smallestOf } from "./generators.ts";
import type { Job, Report } from "./job.ts";
import { checked, emitted } from "./observe.ts";
import { targets } from "./targets.ts";
import { type Limits, watched } from "./watch.ts";

/** The totals of a campaign. */
export interface Tally {
  cases: number;
  /** The number of cases of each kind. */
  readonly drawn: Map<string, number>;
  scenarios: number;
  seconds: number;
  readonly accepted: Map<string, number>;
  readonly status: Map<string, number>;
  readonly faults: Map<string, number>;
  readonly codes: Set<string>;
  readonly kinds: Set<string>;
  readonly fields: Set<string>;
  readonly findings: Report[];
  /** The distinct reasons for which output was rejected; only the first case of each is shrunk. */
  readonly reasons: Set<string>;
}

export const emptyTally = (): Tally => ({
  cases: 0,
  drawn: new Map(),
  scenarios: 0,
  seconds: 0,
  accepted: new Map(),
  status: new Map(),
  faults: new Map(),
  codes: new Set(),
  kinds: new Set(),
  fields: new Set(),
  findings: [],
  reasons: new Set(),
});

/** Far above what any stage of a sound case takes. */
export const limits: Limits = { seconds: 15, megabytes: 1024 };

/**
 * Examines a batch of cases in child processes, validates the output of all of them, and adds the results to a tally.
 */
export async function examineBatch(
  tally: Tally,
  job: Pick<Job, "kind" | "language" | "names" | "trials">,
  { seconds, megabytes }: Limits = limits,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-equivalence-"));
  try {
    const place = join(folder, "emitted");
    const { reports, seconds: spent } = await watched({ ...job, emitted: place }, folder, { seconds, megabytes });
    tally.seconds += spent;
    for (const report of reports) add(tally, report, job.kind);
    for (const { name, target, message } of await emittedFaults(place)) {
      const fault = { on: target, kind: "invalid", message, differences: [] } as const;
      const reason = reasonIn(message);
      const smallest = tally.reasons.has(reason) ? undefined : await smallestRefused(job, name, target, reason);
      tally.reasons.add(reason);
      count(tally.faults, fault.kind);
      tally.findings.push({ ...reports.find((other) => other.name === name)!, faults: [fault], smallest });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shrinks a case while its output is rejected for the same reason. Each trial takes about a second. */
async function smallestRefused(
  job: Pick<Job, "kind" | "language" | "trials">,
  name: string,
  target: string,
  reason: string,
): Promise<Case> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-refused-"));
  const known = new Map<string, boolean>();
  const isRefused = async (smaller: Case): Promise<boolean> => {
    rmSync(folder, { recursive: true, force: true });
    const { program } = checked(smaller);
    const made = program && (await emitted(program, targets.find((other) => other.name === target)!));
    if (!made || made.files.length === 0) return false;
    keepEmitted(folder, "smaller", new Map([[target, made.files]]));
    return (await emittedFaults(folder)).some((fault) => reasonIn(fault.message) === reason);
  };
  const shows = async (smaller: Case) => {
    const key = JSON.stringify({ ...smaller, scenarios: [] });
    const answer = known.get(key) ?? (await isRefused(smaller).catch(() => false));
    known.set(key, answer);
    return answer;
  };
  const found = await smallestOf(job, name, shows, Math.min(job.trials, 80));
  rmSync(folder, { recursive: true, force: true });
  return found;
}

const reasonIn = (message: string): string => /TS\d+|must \w+ \w+/.exec(message)?.[0] ?? message;

function add(tally: Tally, report: Report, kind: string): void {
  tally.cases += 1;
  count(tally.drawn, kind);
  tally.scenarios += report.scenarios;
  for (const status of report.status) count(tally.status, status);
  for (const target of report.accepted) count(tally.accepted, target);
  for (const { kind } of report.faults) count(tally.faults, kind);
  for (const code of report.codes) tally.codes.add(code);
  for (const kind of report.kinds) tally.kinds.add(kind);
  for (const field of report.fields) tally.fields.add(field);
  if (report.faults.length > 0) tally.findings.push(report);
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Renders a tally as a table. */
export function table(tally: Tally, language: string): string {
  const fields = fieldsOf(schemaOf(language));
  const codes = [...catalogue.keys()];
  const missing = (all: readonly string[], found: ReadonlySet<string>) => {
    const others = all.filter((one) => !found.has(one));
    return others.length === 0 ? "all" : `not ${others.join(" ")}`;
  };
  const counts = (map: ReadonlyMap<string, number>) => [...map].map(([name, n]) => `${name} ${n}`).join(", ") || "none";
  const rows: readonly (readonly [string, string])[] = [
    ["programs", `${tally.cases}: ${counts(tally.drawn)}`],
    ["scenarios", `${tally.scenarios}; runs: ${counts(tally.status)}`],
    ["accepted", counts(tally.accepted)],
    ["disagreements", String(tally.faults.get("disagreement") ?? 0)],
    ["changes of meaning", String(tally.faults.get("change") ?? 0)],
    ["hangs", String((tally.faults.get("hang") ?? 0) + (tally.faults.get("memory") ?? 0))],
    ["exits 3", String(tally.faults.get("crash") ?? 0)],
    ["invalid output", String(tally.faults.get("invalid") ?? 0)],
    ["kinds of steps", `${tally.kinds.size}: ${[...tally.kinds].sort().join(" ")}`],
    ["fields of the schema", `${tally.fields.size} of ${fields.length}; ${missing(fields, tally.fields)}`],
    [
      "diagnostic codes",
      `${codes.filter((code) => tally.codes.has(code)).length} of ${codes.length}; ${missing(codes, tally.codes)}`,
    ],
    ["CPU seconds", tally.seconds.toFixed(1)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(22)}${value}\n`).join("");
}

/** Returns consecutive seeds. */
export const seedsFrom = (first: number, length: number): readonly string[] =>
  Array.from({ length }, (_, i) => String(first + i));
