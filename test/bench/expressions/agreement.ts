import type { BenchmarkRow } from "../row.ts";
import { type DifferentialResult, type ProgramCounts, startDifferential } from "./differential/run.ts";
import type { Subject } from "./differential/subjects.ts";
import { describeDisagreement, type SubjectTally } from "./differential/tally.ts";

const seed = 1;
const full: ProgramCounts = { evaluator: 40_000, printed: 10_000 };
const short: ProgramCounts = { evaluator: 1000, printed: 1000 };

/** Compares random programs with jq: disagreements, and the share of usual programs that are rejected. */
export async function agreementRows(isAll: boolean): Promise<readonly BenchmarkRow[]> {
  const findings = await startDifferential(seed, isAll ? full : short).done;
  const rows = (["javascript", "typescript", "evaluator", "jsonata"] as const).map((subject) =>
    disagreementRow(subject, findings),
  );
  return [
    ...rows,
    ...(["javascript", "typescript", "jsonata"] as const).map((subject) => refusedRow(subject, findings.tallies)),
  ];
}

const names: { readonly [subject in Subject]: string } = {
  javascript: "JavaScript",
  typescript: "TypeScript",
  evaluator: "the evaluator",
  jsonata: "JSONata",
};

function disagreementRow(subject: Subject, { tallies, disagreements }: DifferentialResult): BenchmarkRow {
  const own = tallies.filter((tally) => tally.subject === subject);
  const sum = (
    what: "cases" | "values" | "failures" | "limited" | "unanswered" | "programs" | "refused" | "disagreements",
  ) => own.reduce((total, tally) => total + tally[what], 0);
  const parts = {
    cases: sum("cases"),
    values: sum("values"),
    failures: sum("failures"),
    limited: sum("limited"),
    unanswered: sum("unanswered"),
  };
  const programs = { programs: sum("programs"), refused: sum("refused") };
  const list = disagreements.filter((one) => one.subject === subject).map(describeDisagreement);
  return {
    name: `random jq as ${names[subject]}: disagreements`,
    value: sum("disagreements"),
    limit: 0,
    unit: "cases",
    parts: { ...parts, ...programs },
    list,
  };
}

/** The value covers usual programs; the list covers all. */
function refusedRow(subject: Subject, tallies: readonly SubjectTally[]): BenchmarkRow {
  const own = tallies.filter((tally) => tally.subject === subject);
  const usual = own.find(({ set }) => set === "usual");
  const { programs = 0, refused = 0 } = usual ?? {};
  const shares = own.map(({ set, refused: some, programs: all }) => [`${set} (%)`, (100 * some) / all] as const);
  const list = own.flatMap(({ set, reasons }) =>
    [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, count]) => `${set}: ${count} × ${reason}`),
  );
  return {
    name: `usual jq rejected as ${names[subject]}`,
    value: (100 * refused) / Math.max(1, programs),
    limit: 20,
    unit: "%",
    parts: Object.fromEntries(shares),
    list,
  };
}
