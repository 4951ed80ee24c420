import { availableParallelism } from "node:os";
import type { DifferentialJob } from "./job.ts";
import type { Disagreement } from "./judge.ts";
import { type DifferentialListener, runJobs } from "./pool.ts";
import { type ProgramSet, samplesOf } from "./samples.ts";
import type { Subject } from "./subjects.ts";
import { addAbandoned, addJudgment, type SubjectTally, tallyOf } from "./tally.ts";

/** How many random programs to compare. */
export interface ProgramCounts {
  readonly evaluator: number;
  /** As JavaScript, as TypeScript and as JSONata each. */
  readonly printed: number;
}

/** The results of a run. */
export interface DifferentialResult {
  readonly tallies: readonly SubjectTally[];
  /** At most one per program: the shrunk ones without duplicates, then the others. */
  readonly disagreements: readonly Disagreement[];
  /** The disagreements that were not shrunk. */
  readonly whole: readonly Disagreement[];
  /** Programs that were abandoned because they, or jq, did not terminate. */
  readonly stuck: readonly string[];
}

/** The part of the programs that each set provides. */
type Shares = readonly (readonly [set: ProgramSet, share: number])[];

const allShares: Shares = [
  ["usual", 0.2],
  ["wide", 0.2],
  ["any", 0.4],
  ["suites", 0.2],
];

/** Fewer programs that JSONata cannot express. */
const jsonataShares: Shares = [
  ["usual", 0.4],
  ["wide", 0.3],
  ["any", 0.15],
  ["suites", 0.15],
];

/** Programs per job. */
const jobSize = 100;

/** Callbacks during a run. */
export interface ProgressCallbacks {
  /** Receives the number of finished programs. */
  readonly onProgress?: (programs: number) => void;
  /** Receives each new, shrunk disagreement. */
  readonly onDisagreement?: (disagreement: Disagreement) => void;
}

/** A run in progress. */
export interface DifferentialRun {
  readonly done: Promise<DifferentialResult>;
  /** Returns the results so far. */
  readonly findings: () => DifferentialResult;
}

/** Compares random programs with jq on all processors. Deterministic for a seed. */
export function startDifferential(
  seed: number,
  counts: ProgramCounts,
  progress: ProgressCallbacks = {},
): DifferentialRun {
  const { listener, findings } = record(progress);
  const done = runJobs(jobsOf(seed, counts), availableParallelism(), listener).then(findings);
  return { done, findings };
}

/** The programs that are printed are evaluated too. */
function jobsOf(seed: number, { evaluator, printed }: ProgramCounts): readonly DifferentialJob[] {
  const jobs: DifferentialJob[] = [];
  const add = (subjects: readonly Subject[], shares: Shares, count: number): void => {
    for (const [set, share] of shares) {
      const programs = Math.ceil(count * share);
      for (let done = 0; done < programs; done += jobSize)
        jobs.push({
          set,
          seed: seed * 100_003 + jobs.length,
          size: Math.min(jobSize, programs - done),
          from: 0,
          subjects,
        });
    }
  };
  add(["javascript", "typescript", "evaluator"], allShares, printed);
  add(["jsonata"], jsonataShares, printed);
  add(["evaluator"], allShares, Math.max(0, evaluator - printed));
  return jobs;
}

function record({ onProgress, onDisagreement }: ProgressCallbacks): {
  readonly listener: DifferentialListener;
  readonly findings: () => DifferentialResult;
} {
  const tallies = new Map<string, SubjectTally>();
  const [whole, shrunk] = [new Map<string, Disagreement>(), new Map<string, Disagreement>()];
  const stuck: string[] = [];
  let programs = 0;
  const listener: DifferentialListener = {
    judged({ set }, judgements) {
      for (const judgement of judgements) {
        addJudgment(tallyOf(tallies, judgement.subject, set), judgement);
        for (const one of judgement.disagreements.slice(0, 1)) whole.set(nameOf(one), one);
      }
      programs += 1;
      onProgress?.(programs);
    },
    shrunk(first, smallest) {
      whole.delete(nameOf(first));
      const name = `${nameOf(smallest)} ${smallest.input}`;
      if (!shrunk.has(name)) onDisagreement?.(smallest);
      shrunk.set(name, smallest);
    },
    stuck({ set, seed, size, subjects }, index) {
      stuck.push(`${subjects.join(", ")}: ${samplesOf(set, seed, size)[index]!.program}`);
      for (const subject of subjects) addAbandoned(tallyOf(tallies, subject, set));
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

const bySubject = (a: SubjectTally, b: SubjectTally): number =>
  `${a.subject} ${a.set}` < `${b.subject} ${b.set}` ? -1 : 1;
const nameOf = ({ subject, program }: Disagreement): string => `${subject} ${program}`;
