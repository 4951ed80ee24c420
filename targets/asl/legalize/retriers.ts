import type { Retry } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { errorsTaken } from "./match.ts";

/** `Retry` for retries that Step Functions can say. */
export function retriers(retries: readonly Retry[]): readonly Json[] {
  const result: Json[] = [];
  for (const { when, limit, delay } of retries) {
    const errors = errorsTaken(when)!;
    if (errors.all && errors.names.size > 0) result.push({ ErrorEquals: [...errors.names], MaxAttempts: 0 });
    if (!errors.all && errors.names.size === 0) continue;
    const names = errors.all ? ["States.ALL"] : [...errors.names];
    const pace = { IntervalSeconds: delay.base, MaxAttempts: limit, BackoffRate: delay.factor };
    result.push({
      ErrorEquals: names,
      ...(limit === 0 ? { MaxAttempts: 0 } : pace),
      ...(delay.cap === undefined || limit === 0 ? {} : { MaxDelaySeconds: delay.cap }),
    });
    if (errors.all) break;
  }
  return result;
}
