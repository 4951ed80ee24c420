import type { SimulatedEnvironment } from "../../../src/environment/environment.ts";
import type { JsonObject } from "../../../src/json.ts";

/** The context of an activation. */
export interface ActivationScope {
  readonly environment: SimulatedEnvironment;
  /** The indexes of enclosing branches, which order what happens at the same instant. */
  readonly position: readonly number[];
  readonly part?: RunPart | undefined;
  /** Aborted when the activation no longer has any effect. */
  readonly signal?: AbortSignal | undefined;
  readonly isDetached?: boolean | undefined;
  /** The state of a composition whose call this is. */
  readonly calledBy?: CallingState | undefined;
}

/** A state of a composition. */
export interface CallingState {
  /** The qualified name of the conductor. */
  readonly conductor: string;
  readonly state: string;
}

/** The part of a run that an activation belongs to. */
export interface RunPart {
  readonly run: TrackedRun;
  /** Whether it is neither a branch nor a subflow. */
  readonly isRoot: boolean;
  /** The number of subflows that wait for each other, up to this one. */
  readonly depth: number;
  /** The fork that contains this branch. */
  readonly fork?: PendingFork | undefined;
  /** The fork that it waits for. */
  readonly forking?: PendingFork | undefined;
}

/** A fork. Once its join is decided, its remaining branches no longer belong to the run. */
export interface PendingFork {
  readonly outer: PendingFork | undefined;
  /** The undecided forks of its branches. */
  readonly inner: Set<PendingFork>;
  /** Aborted when it is decided, or a fork around it. */
  readonly decided: AbortController;
}

/** A run that a scenario observes. */
export interface TrackedRun {
  readonly environment: SimulatedEnvironment;
  /** The id in the conductor, once known. */
  id?: string;
  /** The number of detached subflows. */
  left: number;
  ended(result: JsonObject): void;
  /** Called if the simulation cannot continue. */
  failed(error: unknown): void;
}
