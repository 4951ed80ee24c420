import type { StepConfig } from "@aws/durable-execution-sdk-js";
import type { Entry } from "./journal.ts";

/** What may not fail is done again until it does not, less and less often. */
export const again: StepConfig<Entry | null> = {
  retryStrategy: (_, attempt) => ({
    shouldRetry: true,
    delay: { seconds: Math.min(60, 2 ** Math.min(attempt - 1, 6)) },
  }),
};
