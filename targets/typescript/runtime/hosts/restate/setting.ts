import type { EngineOptions } from "../../engine.ts";
import type { Names } from "./messages.ts";

/** What the runs of a process have in common. */
export interface Setting {
  readonly options: EngineOptions;
  readonly names: Names;
  readonly now: () => number;
  readonly pace: number;
  /** Hears of each thing that is about to be recorded; never resolves where the process is to be dead. */
  readonly alive: () => Promise<void>;
  /** Hears that a run has ended. */
  readonly ended: (id: string) => void;
  /** Resolves where a step may begin; never does where the process is about to end. */
  readonly begins: () => Promise<void>;
  /** The steps that have begun and not ended. */
  readonly underWay: Set<Promise<unknown>>;
}
