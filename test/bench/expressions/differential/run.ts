import { availableParallelism } from "node:os";
import type { Job } from "./job.ts";
import type { Disagreement } from "./judge.ts";
import { type Listener, runJobs } from "./pool.ts";
import { inputsOfProgram, type ProgramSet, samplesOf } from "./samples.ts";
import type { Subject } from "./subjects.ts";
import { note, noteStuck, type Tally, tallyOf } from "./tally.ts";

/** The number of cases for JavaScript (with TypeScript and the evaluator) and for JSONata. */
export interface Amount {
  readonly javascript: number;
  readonly jsonata: number;
}

/** The results of a run. */
export interface Findings {
  readonly tallies: readonly Tally[];
  /** At most one per program: the shrunk ones without duplicates, then the others. */
  readonly disagreements: readonly Disagreement[];
  /** The disagreements that were not shrunk. */
  readonly whole: readonly Disagreement[];
  /** Programs that were abandoned because they, or jq, did not terminate. */
  readonly stuck: readonly string[];
}

const shares: { readonly [subject in keyof Amount]: readonly (readonly [set: ProgramSet, share: number])[] } = {
  javascript: [
    ["usual", 0.2],
    ["wide", 0.2],
    ["any", 0.4],
    ["suites", 0.2],
  ],
  jsonata: [
    ["usual", 0.4],
    ["wide", 0.3],
    ["any", 0.15],
    ["suites", 0.15],
  ],
};

/** Programs per job. */
const jobSize = 100;

/** Callbacks during a run. */
export interface Progress {
  /** Receives the number of finished cases. */
  readonly progress?: (cases: number) => void;
  /** Receives each new, shrunk disagreement. */
  readonly found?: (disagreement: Disagreement) => void;
}

/** A run in progress. */
export interface DifferentialRun {
  readonly done: Promise<Findings>;
  /** Returns the results so far. */
  readonly findings: () => Findings;
}

/** Compares random programs with jq on all processors. Deterministic for a seed. */
export function startDifferential(seed: number, amount: Amount, progress: Progress = {}): DifferentialRun {
  const { listener, findings } = record(progress);
  const done = runJobs(jobsOf(seed, amount), availableParallelism(), listener).then(findings);
  return { done, findings };
}

function jobsOf(seed: number, amount: Amount): readonly Job[] {
  const jobs: Job[] = [];
  for (const run of ["javascript", "jsonata"] as const) {
    const subjects: readonly Subject[] = run === "javascript" ? ["javascript", "typescript", "evaluator"] : ["jsonata"];
    for (const [set, share] of shares[run]) {
      const programs = Math.ceil((amount[run] * share) / inputsOfProgram);
      for (let done = 0; done < programs; done += jobSize)
        jobs.push({
          set,
          seed: seed * 100_003 + jobs.length,
          size: Math.min(jobSize, programs - done),
          from: 0,
          subjects,
        });
    }
  }
  return jobs;
}

function record({ progress, found }: Progress): { readonly listener: Listener; readonly findings: () => Findings } {
  const tallies = new Map<string, Tally>();
  const [whole, shrunk] = [new Map<string, Disagreement>(), new Map<string, Disagreement>()];
  const stuck: string[] = [];
  let programs = 0;
  const listener: Listener = {
    judged({ set }, judgements) {
      for (const judgement of judgements) {
        note(tallyOf(tallies, judgement.subject, set), judgement);
        for (const one of judgement.disagreements.slice(0, 1)) whole.set(nameOf(one), one);
      }
      programs += 1;
      progress?.(programs * inputsOfProgram);
    },
    shrunk(first, smallest) {
      whole.delete(nameOf(first));
      const name = `${nameOf(smallest)} ${smallest.input}`;
      if (!shrunk.has(name)) found?.(smallest);
      shrunk.set(name, smallest);
    },
    stuck({ set, seed, size, subjects }, index) {
      stuck.push(`${subjects.join(", ")}: ${samplesOf(set, seed, size)[index]!.program}`);
      for (const subject of subjects) noteStuck(tallyOf(tallies, subject, set));
    },
  };
  return {
    listener,
    findings: () => ({
      tallies: [...tallies.values()].sort(bySubject),
      disagreements: [...shrunk.values(), ...whole.values()],
      whole: [...whole.values()],
      stuck,
    }),
  };
}

const bySubject = (a: Tally, b: Tally): number => (`${a.subject} ${a.set}` < `${b.subject} ${b.set}` ? -1 : 1);
const nameOf = ({ subject, program }: Disagreement): string => `${subject} ${program}`;
