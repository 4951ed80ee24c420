import type { Json, JsonObject } from "../json.ts";
import type { Outcome } from "./simulator.ts";

/** How to open an emitted program. */
export interface OpenOptions {
  /** The file of the store; if omitted, nothing outlives the process. */
  readonly store?: string | undefined;
  /** URLs of folders in which the program's packages are looked up, in order. */
  readonly packagesFrom: readonly string[];
  /** Receives the events that runs emit. */
  emitted(event: Json): void;
  /** Receives warnings. */
  warn(message: string): void;
}

/** An emitted program that runs in this process. */
export interface Engine {
  /** Starts a run, or resumes the run with this id. Returns what the run began with. */
  start(workflow: string, input: Json, id: string): Promise<EngineRun>;
  /** What the run with an id began with, if there is one. */
  find(id: string): Promise<EngineRun | undefined>;
  /**
   * Delivers an event in CloudEvents' JSON format; a repeated id has no effect. If it starts a run of the workflow
   * `startAs.workflow`, that has the id `startAs.id`; if there is such a run already, the event is for that one.
   */
  deliver(event: JsonObject, startAs: { readonly workflow: string; readonly id: string }): Promise<void>;
  /** Resolves when a run has ended; rejects with the signal's reason if that is aborted first. */
  ended(id: string, signal: AbortSignal): Promise<RunStatus>;
  /** The events and the answers of tasks one of which a run needs to continue, and until when it waits for them. */
  waitingFor(id: string): Promise<AwaitedFromOutside | undefined>;
  close(): Promise<void>;
}

/** What a run waits for from outside: events by their names in the definition, and tasks by their steps. */
export interface AwaitedFromOutside {
  readonly events: readonly string[];
  readonly tasks: readonly string[];
  readonly until?: string | undefined;
}

/** The workflow and the input of a run. */
export interface EngineRun {
  readonly workflow: string;
  readonly input: Json;
}

/** How a run ended in an engine: `cancelled` by a caller, or `stranded` because its program no longer exists. */
export type RunStatus = Outcome | { readonly status: "cancelled" | "stranded" };

/** An engine cannot be opened, for example because its store is in use or a user's module cannot be loaded. The program is not at fault. */
export class EngineError extends Error {}
