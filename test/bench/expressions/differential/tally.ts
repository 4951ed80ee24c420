import type { Disagreement, ProgramJudgment } from "./judge.ts";
import { inputsOfProgram, type ProgramSet } from "./samples.ts";
import type { Subject } from "./subjects.ts";

/** The totals of a set on one subject. A case is a program with one input. */
export interface SubjectTally {
  readonly subject: Subject;
  readonly set: ProgramSet;
  programs: number;
  cases: number;
  /** Cases with equal values; `failures` counts equal failures. */
  values: number;
  failures: number;
  /** Cases that exceed one of our limits. */
  limited: number;
  /** Cases without a definite outcome in jq, or that do not terminate. */
  unanswered: number;
  disagreements: number;
  /** The number of rejected programs; `reasons` counts each reason. */
  refused: number;
  readonly reasons: Map<string, number>;
}

/** Adds a program. */
export function addJudgment(tally: SubjectTally, judgement: ProgramJudgment): void {
  tally.programs += 1;
  if (judgement.refused !== undefined) {
    tally.refused += 1;
    tally.reasons.set(judgement.refused, (tally.reasons.get(judgement.refused) ?? 0) + 1);
    return;
  }
  const { values, failures, limited, unanswered, disagreements } = judgement;
  tally.cases += inputsOfProgram;
  tally.values += values;
  tally.failures += failures;
  tally.limited += limited;
  tally.unanswered += unanswered;
  tally.disagreements += disagreements.length;
}

/** Adds an abandoned program. */
export function addAbandoned(tally: SubjectTally): void {
  tally.programs += 1;
  tally.cases += inputsOfProgram;
  tally.unanswered += inputsOfProgram;
}

/** Returns the tally of a set on a subject, creating it if needed. */
export function tallyOf(tallies: Map<string, SubjectTally>, subject: Subject, set: ProgramSet): SubjectTally {
  const key = `${subject} ${set}`;
  const counts = {
    programs: 0,
    cases: 0,
    values: 0,
    failures: 0,
    limited: 0,
    unanswered: 0,
    disagreements: 0,
    refused: 0,
  };
  const tally = tallies.get(key) ?? { subject, set, ...counts, reasons: new Map() };
  tallies.set(key, tally);
  return tally;
}

/** Describes a disagreement. */
export function describeDisagreement({
  subject,
  against,
  program,
  input,
  expected,
  actual,
  simplified,
}: Disagreement): string {
  const form = simplified ? `${subject}, simplified` : subject;
  return `${form}: ${program}\n    for ${input}\n    ${against} gives ${expected}\n    here it ${/^(?:fails|reaches|is refused)/.test(actual) ? "" : "gives "}${actual}`;
}
