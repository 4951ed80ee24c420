import type { RunStatus } from "../engine.ts";
import type { Json } from "../json.ts";

/** The responses of the server that the page reads. */

/** A run in a list. */
export interface RunRow {
  readonly id: string;
  readonly workflow: string;
  readonly version: string;
  readonly status: RunStatus;
  readonly created: string;
  readonly updated: string;
  readonly reason?: string;
  readonly error?: RunError;
}

/** The error of a run or a step. */
export interface RunError {
  readonly name: string;
  readonly message: string;
  readonly data?: Json;
  readonly stack?: string;
}

/** A page of `GET /runs`. */
export interface RunPage {
  readonly runs: readonly RunRow[];
  readonly next?: string;
}

/** `GET /runs/{id}`. */
export interface RunDetail extends RunRow {
  readonly input?: Json;
  readonly correlation?: Json;
  readonly output?: Json;
  readonly unsent?: readonly Unsent[];
  readonly waitingFor?: {
    readonly events: readonly string[];
    /** The keys of the calls whose tasks have no answer. */
    readonly tasks?: readonly string[];
    readonly activities?: readonly string[];
    readonly until?: string;
  };
}

/** An emitted event that no sink has accepted. */
export interface Unsent {
  readonly event: string;
  readonly type: string;
  readonly at: string;
  readonly status: "waiting" | "refused";
  readonly attempts: number;
  readonly reason?: string;
}

/** `GET /runs/{id}/steps`. */
export interface StepPage {
  readonly steps: readonly StepRecord[];
  /** On the last page: what has begun and has no result. */
  readonly pending: readonly PendingStep[];
  readonly next?: string;
}

/** A recorded step. */
export interface StepRecord {
  readonly cursor: string;
  readonly key: string;
  readonly status: "done" | "failed" | "fired";
  readonly at: string;
  /** When its call began, if that is recorded. */
  readonly began?: string;
  readonly attempt?: number;
  readonly result?: Json;
  /** The length in bytes of a result that is too large for the page. */
  readonly size?: number;
  readonly error?: RunError;
}

/** A step that has begun and has no result. */
export interface PendingStep {
  readonly key: string;
  readonly began?: string;
  readonly events?: readonly string[];
  /** It waits for the answer of its task, or until a worker of the activity takes it. */
  readonly isTask?: true;
  readonly activity?: string;
  readonly until?: string;
}

/** A workflow of `GET /workflows`. */
export interface WorkflowInfo {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly events: readonly EventInfo[];
}

/** An event of a workflow. */
export interface EventInfo {
  readonly name: string;
  readonly type: string;
  readonly source?: string;
  readonly subject?: string;
  /** Whether its correlation value must be that of a run. */
  readonly isCorrelated: boolean;
  /** The attribute that has the correlation value when it is emitted. */
  readonly correlationAttribute?: string;
  readonly direction: "receives" | "emits";
}

/** A version of `GET /versions`. */
export interface VersionRow {
  readonly workflow: string;
  readonly version: string;
  readonly runs: number;
  readonly code: "new" | "previous" | "missing";
}

/** The statuses in the order of the page. */
export const statuses: readonly RunStatus[] = ["running", "waiting", "succeeded", "failed", "cancelled", "stranded"];

/** Whether a run has not ended. */
export const isActive = (status: RunStatus): boolean => status === "running" || status === "waiting";
