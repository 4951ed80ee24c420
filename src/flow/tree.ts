import type { Step } from "../ir/workflow.ts";

/** Structured control flow: what is done one after the other. */
export type Block = readonly Item[];

/** One thing that is done, as a language with loops and labels says it. */
export type Item = Act | Branch | Loop | Labelled | Jump | Aim;

/** A step; what comes after it stands after it. Its handlers' blocks do not go on to that. */
export interface Act {
  readonly kind: "act";
  readonly step: Step;
  /** The body of an attempt; no jump leaves it. */
  readonly body?: Block | undefined;
  /** What is done for an error that the handler of the same index takes. */
  readonly handlers: readonly Block[];
}

/** A choice: by the cases of a step, or by where an `Aim` has pointed. */
export interface Branch {
  readonly kind: "branch";
  readonly by:
    | { readonly kind: "step"; readonly step: Extract<Step, { kind: "choose" }> }
    | { readonly kind: "aim"; readonly targets: readonly string[] };
  readonly ways: readonly Block[];
  /** Absent where a choice without a way fails. */
  readonly otherwise: Block | undefined;
}

/** Does its body again and again, until a jump leaves it. */
export interface Loop {
  readonly kind: "loop";
  /** The node that begins it. */
  readonly label: string;
  readonly body: Block;
}

/** A block that a jump can leave for what comes after it. */
export interface Labelled {
  readonly kind: "labelled";
  /** The node that comes after it. */
  readonly label: string;
  readonly body: Block;
}

/** Leaves the loop or labelled block of that label, or begins the loop again. */
export interface Jump {
  readonly kind: "leave" | "again";
  readonly label: string;
}

/** Notes where the next branch by aim goes. */
export interface Aim {
  readonly kind: "aim";
  readonly target: string;
}
