import type { Disagreement, Judgement } from "./judge.ts";
import { inputsOfProgram, type ProgramSet } from "./samples.ts";
import type { Subject } from "./subjects.ts";

/** What became of all programs of a set as one subject. A case is a program with one input. */
export interface Tally {
  readonly subject: Subject;
  readonly set: ProgramSet;
  programs: number;
  cases: number;
  /** Cases with the same values, and with the same failure. */
  values: number;
  failures: number;
  /** Cases that reach a limit of ours. */
  limited: number;
  /** Cases that jq breaks down on or has no one answer to, or that run without an end in sight. */
  unanswered: number;
  disagreements: number;
  /** Programs that are refused when they are compiled, and how many for each reason. */
  refused: number;
  readonly reasons: Map<string, number>;
}

/** Adds a program to those of its set. */
export function note(tally: Tally, judgement: Judgement): void {
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

/** Adds a program that was given up. */
export function noteStuck(tally: Tally): void {
  tally.programs += 1;
  tally.cases += inputsOfProgram;
  tally.unanswered += inputsOfProgram;
}

/** The tally of a set as a subject; begun when it is first asked for. */
export function tallyOf(tallies: Map<string, Tally>, subject: Subject, set: ProgramSet): Tally {
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

/** A disagreement in words. */
export function shownDisagreement({ subject, against, program, input, want, got, simplified }: Disagreement): string {
  const form = simplified ? `${subject}, simplified` : subject;
  return `${form}: ${program}\n    for ${input}\n    ${against} gives ${want}\n    here it ${/^(?:fails|reaches|is refused)/.test(got) ? "" : "gives "}${got}`;
}
