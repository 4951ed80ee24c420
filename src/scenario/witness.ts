import type { Case, Handler, Scope, Step } from "../ir/workflow.ts";

/** By what a step was left: a case, a handler, or the step itself where it goes on by its plain way (`next`, `otherwise`). */
export type Way = Case | Handler | Step;

/** Hears which parts of the IR a run reaches. */
export interface Witness {
  /** A step, or the scope of a branch, of an iteration, of an attempt or of the workflow, has begun. */
  entered(part: Step | Scope): void;
  /** A step has led to another. */
  left(by: Way): void;
  /** Branches or iterations were still running when the step that runs them was over: what they would do next is no part of the meaning. */
  leftBehind(): void;
}

/** What a witness has heard of one run, and of the workflows that it left running. */
export interface Testimony {
  readonly entered: ReadonlySet<Step | Scope>;
  readonly left: ReadonlySet<Way>;
  readonly isCutOff: boolean;
}

/** What was heard of a run of which nothing was. */
export const unheard: Testimony = { entered: new Set(), left: new Set(), isCutOff: false };

/** A witness, and what it has heard so far. */
export function createWitness(): { readonly witness: Witness; testimony(): Testimony } {
  const entered = new Set<Step | Scope>();
  const left = new Set<Way>();
  let isCutOff = false;
  return {
    witness: {
      entered: (part) => void entered.add(part),
      left: (by) => void left.add(by),
      leftBehind() {
        isCutOff = true;
      },
    },
    testimony: () => ({ entered, left, isCutOff }),
  };
}
