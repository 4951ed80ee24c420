import type { Api } from "./api.ts";
import type { PendingStep, StepPage, StepRecord } from "./model.ts";

/** The loaded steps of a run. */
export interface RunSteps {
  readonly steps: readonly StepRecord[];
  readonly pending: readonly PendingStep[];
  readonly hasMore: boolean;
  /** Loads the steps behind the known ones, at most one page. */
  more(): Promise<void>;
  /** A step with its whole result, if the server returns it. */
  load(step: StepRecord): Promise<StepRecord | undefined>;
}

const pageSize = 100;

/** Creates the list of steps of a run; it is empty. */
export function createRunSteps(api: Api, path: string): RunSteps {
  let steps: readonly StepRecord[] = [];
  let pending: readonly PendingStep[] = [];
  let hasMore = true;
  return {
    get steps() {
      return steps;
    },
    get pending() {
      return pending;
    },
    get hasMore() {
      return hasMore;
    },
    async more() {
      const after = steps.at(-1)?.cursor;
      const page = await api.get<StepPage>(`${path}/steps`, { after, limit: pageSize });
      if (after !== steps.at(-1)?.cursor) return;
      steps = [...steps, ...page.steps];
      pending = page.pending;
      hasMore = page.next !== undefined;
    },
    async load({ cursor }) {
      const at = steps.findIndex((step) => step.cursor === cursor);
      const page = await api.get<StepPage>(`${path}/steps`, { after: steps[at - 1]?.cursor, limit: 1 });
      return page.steps.find((step) => step.cursor === cursor);
    },
  };
}
