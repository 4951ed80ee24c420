import { innerScopes } from "../../../src/ir/walk.ts";
import type { Handler, Retry, Step } from "../../../src/ir/workflow.ts";
import { expressionsFunction } from "./computed/site.ts";
import { errorsTaken } from "./match.ts";

/** Names under which an error of an expression, of a scope or of a subflow may arrive as another: no `ErrorEquals` finds them. */
const disguised: ReadonlySet<string> = new Set([
  "DataError",
  "DataMergeError",
  "ExpressionError",
  "LimitError",
  "NotActive",
]);

/** Whether `Retry` of Step Functions says exactly what retries say, at a step of this kind. */
export function hasNativeRetries(step: Step, retries: readonly Retry[]): boolean {
  return retries.every(({ when, limit, delay }, i) => {
    const { base, factor, step: added, cap, jitter } = delay;
    const whole =
      Number.isInteger(base) &&
      base >= 1 &&
      (cap === undefined || (Number.isInteger(cap) && cap >= base && cap <= 31_622_400));
    const timely = limit === 0 || (whole && base <= 99_999_999 && factor >= 1 && added === 0 && jitter === undefined);
    const excepts = (errorsTaken(when)?.all ?? false) && errorsTaken(when)!.names.size > 0;
    return timely && limit < 100_000_000 && isByName(step, when) && !(excepts && i < retries.length - 1);
  });
}

/** Whether `Catch` of Step Functions says exactly what handlers say, at a step of this kind. */
export function hasNativeHandlers(step: Step, handlers: readonly Handler[]): boolean {
  return handlers.every(
    ({ when }) => isByName(step, when) && !(errorsTaken(when)!.all && errorsTaken(when)!.names.size > 0),
  );
}

function isByName(step: Step, when: Retry["when"]): boolean {
  const errors = errorsTaken(when);
  if (!errors) return false;
  if (errors.names.size === 0) return true;
  return !hidesNames(step) && [...errors.names].every((name) => !disguised.has(name));
}

/** Whether the retries or handlers of an attempt take an error that an expression fails with. */
export function takesDataErrors({
  retries,
  handlers,
}: {
  readonly retries: readonly Retry[];
  readonly handlers: readonly Handler[];
}): boolean {
  return [...retries, ...handlers].some(({ when }) => {
    const errors = errorsTaken(when);
    return !errors || errors.all || [...errors.names].some((name) => disguised.has(name));
  });
}

/** Whether a step may fail under another name than its error's: it waits for a subflow, it fails as an expression did, or something in it does. */
function hidesNames(step: Step): boolean {
  if (step.kind === "invoke") return step.wait;
  if (step.kind === "call") return step.function.name === expressionsFunction;
  return innerScopes(step).some(({ steps }) => steps.some(hidesNames));
}
