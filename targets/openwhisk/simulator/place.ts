import type { JsonObject } from "../../../src/json.ts";
import type { SimulatedEnvironment } from "../../../src/world.ts";

/** Where an activation takes place. */
export interface Place {
  readonly environment: SimulatedEnvironment;
  /** The indexes of the branches around it, outermost first: orders what happens at one instant. */
  readonly position: readonly number[];
  /** What it is a part of; absent: of no run. */
  readonly part?: Part | undefined;
  /** Aborted when what the activation still does is of no use to anybody. */
  readonly signal?: AbortSignal | undefined;
  /** Nobody waits for what is invoked there. */
  readonly isDetached?: boolean | undefined;
}

/** A part of a run. */
export interface Part {
  readonly run: Run;
  /** It is the run itself, not a branch or a subflow. */
  readonly isRoot: boolean;
  /** The fork of which it is in a branch, if it is in one. */
  readonly fork?: Fork | undefined;
  /** The fork whose branches it waits for itself. */
  readonly forking?: Fork | undefined;
}

/** Branches that run side by side. What one of them still does when the join has been decided without it is no part of the run. */
export interface Fork {
  readonly around: Fork | undefined;
  readonly decided: AbortController;
}

/** A run that a world is told of. */
export interface Run {
  readonly environment: SimulatedEnvironment;
  /** The id that the conductor has for the run itself, once it has begun. */
  id?: string;
  /** How many subflows it has started that nobody waits for. */
  left: number;
  /** Hears what the run gives, or its error. */
  ended(result: JsonObject): void;
  /** Hears why the run cannot be followed any further. */
  failed(error: unknown): void;
}
