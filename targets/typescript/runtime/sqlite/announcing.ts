import { announceAnswer } from "./answers.ts";
import type { Core } from "./core.ts";
import type { Decision } from "./decisions.ts";

/** Continues the runs that a decision, which is now stored, has given answers or started. */
export function announce(core: Core, { answers, started }: Decision): void {
  for (const answer of answers) announceAnswer(core, answer);
  for (const run of started) core.wake(run);
}
