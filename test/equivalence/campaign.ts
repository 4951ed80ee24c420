import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCatalog } from "../../src/diagnostics/renderers/catalog.ts";
import { targets } from "../../targets/index.ts";
import type { EquivalenceCase } from "./case.ts";
import { fieldsOf, schemaOf } from "./coverage.ts";
import { validateOutput, writeOutput } from "./emitted.ts";
import { shrinkCase } from "./generators.ts";
import type { CampaignJob, CaseReport } from "./job.ts";
import { checkCase, generateFor } from "./observe.ts";
import { runJob, type StageLimits } from "./watch.ts";

/** The totals of a campaign. */
export interface CampaignTally {
  cases: number;
  /** The number of cases of each kind. */
  readonly casesByKind: Map<string, number>;
  scenarios: number;
  tied: number;
  seconds: number;
  readonly accepted: Map<string, number>;
  readonly status: Map<string, number>;
  readonly failures: Map<string, number>;
  readonly codes: Set<string>;
  readonly kinds: Set<string>;
  readonly fields: Set<string>;
  readonly findings: CaseReport[];
  /** The distinct reasons for which output was rejected; only the first case of each is shrunk. */
  readonly reasons: Set<string>;
}

export const emptyTally = (): CampaignTally => ({
  cases: 0,
  casesByKind: new Map(),
  scenarios: 0,
  tied: 0,
  seconds: 0,
  accepted: new Map(),
  status: new Map(),
  failures: new Map(),
  codes: new Set(),
  kinds: new Set(),
  fields: new Set(),
  findings: [],
  reasons: new Set(),
});

/** Far above what any stage of a sound case takes. */
export const defaultLimits: StageLimits = { seconds: 15, megabytes: 1024 };

type Batch = Pick<CampaignJob, "kind" | "language" | "names" | "trials" | "isStrict">;

/** Examines a batch of cases in a child process, and adds the results to a tally. Output is kept where the job says. */
export async function runBatch(
  tally: CampaignTally,
  job: Batch & Pick<CampaignJob, "emitted" | "prefix">,
  limits: StageLimits = defaultLimits,
): Promise<readonly CaseReport[]> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-equivalence-"));
  try {
    const { reports, seconds } = await runJob(job, folder, limits);
    tally.seconds += seconds;
    for (const report of reports) add(tally, report, job.kind);
    return reports;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Examines a batch of cases, validates the output of all of them, and adds the results to a tally. */
export async function examineBatch(
  tally: CampaignTally,
  job: Batch,
  limits: StageLimits = defaultLimits,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-emitted-"));
  try {
    const output = join(folder, "emitted");
    const reports = await runBatch(tally, { ...job, emitted: output }, limits);
    for (const { name, target, message } of await validateOutput(output)) {
      const failure = { on: target, kind: "invalid", message, differences: [] } as const;
      const reason = reasonIn(message);
      const smallest = tally.reasons.has(reason) ? undefined : await shrinkInvalid(job, name, target, reason);
      tally.reasons.add(reason);
      count(tally.failures, failure.kind);
      tally.findings.push({ ...reports.find((other) => other.name === name)!, failures: [failure], smallest });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shrinks a case while its output is rejected for the same reason. Each trial takes about a second. */
async function shrinkInvalid(
  job: Pick<Batch, "kind" | "language" | "trials" | "isStrict">,
  name: string,
  target: string,
  reason: string,
): Promise<EquivalenceCase> {
  const folder = mkdtempSync(join(tmpdir(), "waybill-refused-"));
  const known = new Map<string, boolean>();
  const isRefused = async (smaller: EquivalenceCase): Promise<boolean> => {
    rmSync(folder, { recursive: true, force: true });
    const { program } = checkCase(smaller);
    const generated = program && (await generateFor(program, targets.find((other) => other.name === target)!));
    if (!generated || generated.files.length === 0) return false;
    writeOutput(folder, "smaller", new Map([[target, generated.files]]));
    return (await validateOutput(folder)).some((failure) => reasonIn(failure.message) === reason);
  };
  const shows = async (smaller: EquivalenceCase) => {
    const key = JSON.stringify({ ...smaller, scenarios: [] });
    const result = known.get(key) ?? (await isRefused(smaller).catch(() => false));
    known.set(key, result);
    return result;
  };
  const found = await shrinkCase(job, name, shows, Math.min(job.trials, 80));
  rmSync(folder, { recursive: true, force: true });
  return found;
}

const reasonIn = (message: string): string => /TS\d+|must \w+ \w+/.exec(message)?.[0] ?? message;

function add(tally: CampaignTally, report: CaseReport, kind: string): void {
  tally.cases += 1;
  count(tally.casesByKind, kind);
  tally.scenarios += report.scenarios;
  tally.tied += report.tied;
  for (const status of report.status) count(tally.status, status);
  for (const target of report.accepted) count(tally.accepted, target);
  for (const { kind } of report.failures) count(tally.failures, kind);
  for (const code of report.codes) tally.codes.add(code);
  for (const kind of report.kinds) tally.kinds.add(kind);
  for (const field of report.fields) tally.fields.add(field);
  if (report.failures.length > 0) tally.findings.push(report);
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

const catalog = await loadCatalog();

/** Renders a tally as a table. */
export function table(tally: CampaignTally, language: string): string {
  const fields = fieldsOf(schemaOf(language));
  const codes = [...catalog.keys()];
  const missing = (all: readonly string[], found: ReadonlySet<string>) => {
    const others = all.filter((one) => !found.has(one));
    return others.length === 0 ? "all" : `not ${others.join(" ")}`;
  };
  const counts = (map: ReadonlyMap<string, number>) => [...map].map(([name, n]) => `${name} ${n}`).join(", ") || "none";
  const rows: readonly (readonly [string, string])[] = [
    ["programs", `${tally.cases}: ${counts(tally.casesByKind)}`],
    ["scenarios", `${tally.scenarios}; runs: ${counts(tally.status)}`],
    ["not compared", `${tally.tied} scenarios with ties`],
    ["accepted", counts(tally.accepted)],
    ["disagreements", String(tally.failures.get("disagreement") ?? 0)],
    ["changed meanings", String(tally.failures.get("change") ?? 0)],
    ["hangs", String((tally.failures.get("hang") ?? 0) + (tally.failures.get("memory") ?? 0))],
    ["crashes", String(tally.failures.get("crash") ?? 0)],
    ["invalid output", String(tally.failures.get("invalid") ?? 0)],
    ["step kinds", `${tally.kinds.size}: ${[...tally.kinds].sort().join(" ")}`],
    ["schema fields", `${tally.fields.size} of ${fields.length}; ${missing(fields, tally.fields)}`],
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
