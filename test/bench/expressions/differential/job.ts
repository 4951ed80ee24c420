import type { Disagreement, Judgement } from "./judge.ts";
import type { ProgramSet } from "./samples.ts";
import type { Subject } from "./subjects.ts";

/** Programs for a worker to try: so many of a set, without those before `from`. */
export interface Job {
  readonly set: ProgramSet;
  readonly seed: number;
  readonly size: number;
  readonly from: number;
  readonly subjects: readonly Subject[];
}

/** What a worker says: what became of a program, the smallest form of its first disagreement so far and in the end, or that its job is done. */
export type Report =
  | { readonly kind: "judged"; readonly index: number; readonly judgements: readonly Judgement[] }
  | { readonly kind: "shrinking" | "shrunk"; readonly first: Disagreement; readonly smallest: Disagreement }
  | { readonly kind: "done" };
