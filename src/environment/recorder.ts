import type { ChooseCase, Handler, Scope, Step } from "../ir/workflow.ts";

/** An edge of the control-flow graph: a case, a handler, or the step itself for its default successor (`next`, `otherwise`). */
export type Edge = ChooseCase | Handler | Step;

/** Observes which parts of the IR a run executes, and which billed units of its platform it uses. */
export interface RunRecorder {
  /** A step began, or the scope of a workflow, a branch, an iteration or an attempt. */
  entered(part: Step | Scope): void;
  /** A step transferred control along an edge. */
  left(by: Edge): void;
  /** A fork or loop ended while some of its branches or iterations still ran. What those do next is not part of the semantics. */
  onAbandoned(): void;
  /** A branch or an iteration failed, and its fork or loop with it. The order of other effects at that instant is not part of the semantics. */
  onJoinFailed(): void;
  /** The run used `times` units that the platform counts or bills, such as state transitions. */
  uses(what: string, times: number): void;
}
