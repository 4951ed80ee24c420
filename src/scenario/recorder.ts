import type { Scope, Step } from "../ir/workflow.ts";
import type { Recorder, Way } from "../world.ts";

/** What was recorded of one run, and of the workflows that it left running. */
export interface Recording {
  readonly entered: ReadonlySet<Step | Scope>;
  readonly left: ReadonlySet<Way>;
  readonly isCutOff: boolean;
}

/** The recording of a run of which nothing is known. */
export const nothingRecorded: Recording = { entered: new Set(), left: new Set(), isCutOff: false };

/** A recorder, and what it has recorded so far. */
export function createRecorder(): { readonly recorder: Recorder; recording(): Recording } {
  const entered = new Set<Step | Scope>();
  const left = new Set<Way>();
  let isCutOff = false;
  return {
    recorder: {
      entered: (part) => void entered.add(part),
      left: (by) => void left.add(by),
      leftBehind() {
        isCutOff = true;
      },
    },
    recording: () => ({ entered, left, isCutOff }),
  };
}
