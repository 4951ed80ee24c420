import type { Edge, RunRecorder } from "../environment/environment.ts";
import type { Scope, Step } from "../ir/workflow.ts";
import type { Clock } from "./clock.ts";

/** The recording of a run and its detached subflows. */
export interface Recording {
  /** In the order in which they began first. */
  readonly entered: ReadonlySet<Step | Scope>;
  /** The entered steps, in the order in which they began last. */
  readonly recent: ReadonlySet<Step>;
  /** The names of the constructs that were entered, in order: the first `maxTrace` of them. */
  readonly trace: readonly string[];
  readonly left: ReadonlySet<Edge>;
  /**
   * The instants, in milliseconds since 1970, at which joins were decided while branches still ran, whose further
   * progress is unspecified.
   */
  readonly cutOffs: ReadonlySet<number>;
  /** The instants, in milliseconds since 1970, at which a failure ended other branches or iterations. */
  readonly failures: ReadonlySet<number>;
  /** Descriptions of the platform's limits that the run reached. */
  readonly limits: ReadonlySet<string>;
  /** The counted or billed units of the platform that the run used. */
  readonly used: ReadonlyMap<string, number>;
}

/** An empty recording. */
export const nothingRecorded: Recording = {
  entered: new Set(),
  recent: new Set(),
  trace: [],
  left: new Set(),
  cutOffs: new Set(),
  failures: new Set(),
  limits: new Set(),
  used: new Map(),
};

/** The greatest number of constructs in a trace. */
const maxTrace = 10_000;

/** Creates a recorder with access to its recording. */
export function createRecorder(clock: Clock): { readonly recorder: RunRecorder; recording(): Recording } {
  const entered = new Set<Step | Scope>();
  const recent = new Set<Step>();
  const trace: string[] = [];
  const left = new Set<Edge>();
  const used = new Map<string, number>();
  const cutOffs = new Set<number>();
  const failures = new Set<number>();
  const limits = new Set<string>();
  return {
    recorder: {
      entered(part) {
        entered.add(part);
        if (!("kind" in part)) return;
        if (part.origin.entry && trace.length < maxTrace) trace.push(part.origin.name);
        recent.delete(part);
        recent.add(part);
      },
      left: (by) => void left.add(by),
      onAbandoned() {
        cutOffs.add(clock.now());
      },
      onJoinFailed() {
        failures.add(clock.now());
      },
      onLimit: (limit) => void limits.add(limit),
      uses: (what, times) => void used.set(what, (used.get(what) ?? 0) + times),
    },
    recording: () => ({ entered, recent, trace, left, cutOffs, failures, limits, used }),
  };
}
