/** The differences between two programs. */
export interface ProgramDiff {
  /** Whether the canonical forms of all workflows are equal. */
  readonly isEqual: boolean;
  readonly workflows: readonly WorkflowDiff[];
}

/** A workflow of one program, or the differences between a workflow and its counterpart. */
export interface WorkflowDiff {
  readonly kind: "equal" | "changed" | "added" | "removed";
  readonly old?: WorkflowSide | undefined;
  readonly new?: WorkflowSide | undefined;
  readonly changes: readonly Change[];
}

/** A workflow of one of the programs. */
export interface WorkflowSide {
  readonly id: string;
  readonly language: string;
  /** The Git revision, if it was read from one. */
  readonly revision?: string | undefined;
  readonly at: Place;
}

/** A position in a source; `line` and `column` from 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** What happened to a state or step, a definition, or the workflow itself. A renamed or moved one may have details, too. */
export interface Change {
  readonly kind: "added" | "removed" | "renamed" | "moved" | "changed";
  /** The language's noun, such as `operation state`. */
  readonly noun: string;
  /** The new name, or the old one if it was removed. */
  readonly name: string;
  /** If it is another. */
  readonly oldName?: string | undefined;
  /** The branch, iteration or attempt around it, such as `branch Stock of parallel state Reserve`. */
  readonly within?: string | undefined;
  readonly old?: Place | undefined;
  readonly new?: Place | undefined;
  readonly details: readonly Detail[];
}

/** One difference in a line. */
export interface Detail {
  readonly aspect: Aspect;
  readonly kind: "added" | "removed" | "changed";
  /** In words, without the values. */
  readonly text: string;
  readonly old?: Value | undefined;
  readonly new?: Value | undefined;
}

/** A value in one of the programs. */
export interface Value {
  readonly text: string;
  readonly at?: Place | undefined;
}

/** What a difference concerns. */
export type Aspect =
  | "call"
  | "subflow"
  | "event"
  | "emit"
  | "wait"
  | "branches"
  | "iteration"
  | "attempt"
  | "data"
  | "end"
  | "transition"
  | "condition"
  | "error"
  | "kind"
  | "place"
  | "definition"
  | "steps";
