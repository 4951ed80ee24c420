import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { JsonObject } from "../../../src/json.ts";

/** The context of an activation. */
export interface ActivationScope {
  readonly environment: SimulatedEnvironment;
  /** The indexes of the enclosing branches, outermost first. They order what happens at the same instant. */
  readonly position: readonly number[];
  /** The run that the activation belongs to. */
  readonly part?: RunPart | undefined;
  /** Aborted when the activation no longer has any effect. */
  readonly signal?: AbortSignal | undefined;
  /** Whether no caller waits for the actions invoked here. */
  readonly isDetached?: boolean | undefined;
}

/** The part of a run that an activation belongs to. */
export interface RunPart {
  readonly run: TrackedRun;
  /** Whether it is the run itself, not a branch or a subflow. */
  readonly isRoot: boolean;
  /** The fork that contains this branch. */
  readonly fork?: PendingFork | undefined;
  /** The fork whose branches the activation waits for. */
  readonly forking?: PendingFork | undefined;
}

/** A fork whose join may not be decided yet. After that, its remaining branches no longer belong to the run. */
export interface PendingFork {
  readonly outer: PendingFork | undefined;
  readonly decided: AbortController;
}

/** A run that a scenario observes. */
export interface TrackedRun {
  readonly environment: SimulatedEnvironment;
  /** The id of the run in its conductor, once it has started. */
  id?: string;
  /** The number of detached subflows that it has started. */
  left: number;
  /** Receives the result or the error of the run. */
  ended(result: JsonObject): void;
  /** Receives the reason why the simulation cannot continue. */
  failed(error: unknown): void;
}
