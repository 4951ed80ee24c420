import type { Disagreement, ProgramJudgment } from "./judge.ts";
import type { ProgramSet } from "./samples.ts";
import type { Subject } from "./subjects.ts";

/** The programs for one worker: `size` programs of a set, starting at index `from`. */
export interface DifferentialJob {
  readonly set: ProgramSet;
  readonly seed: number;
  readonly size: number;
  readonly from: number;
  readonly subjects: readonly Subject[];
}

/**
 * A message of a worker: the judgements of a program, the smallest form of its first disagreement, provisional or
 * final, or the end of the job.
 */
export type WorkerMessage =
  | { readonly kind: "judged"; readonly index: number; readonly judgements: readonly ProgramJudgment[] }
  | { readonly kind: "shrinking" | "shrunk"; readonly first: Disagreement; readonly smallest: Disagreement }
  | { readonly kind: "done" };
