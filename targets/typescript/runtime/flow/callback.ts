import { WorkflowError } from "../errors.ts";
import type { CallbackOptions, TaskStep } from "../flow.ts";
import type { Json } from "../json.ts";
import { stoppable } from "./abort.ts";
import { begin, outcomeOf, type Result, wait } from "./activities.ts";
import { act, type Context, keyOf } from "./context.ts";
import { withRetries, withTimeout } from "./recovery.ts";
import { callOnce, type GivenStep } from "./step.ts";

/** Calls a function with a token, and waits until the holder of the token reports the result. */
export function callback(
  context: Context,
  name: string,
  call: (step: TaskStep) => unknown,
  { timeout, heartbeat, retries, orResult = false }: CallbackOptions,
): Promise<Json> {
  act(context, name);
  return withRetries(context, name, { retries }, async (attempt) => {
    const task = { ...(await openTask(attempt, name)), heartbeat, orResult };
    const work = async (step: GivenStep): Promise<Json> => {
      const result = await call(step as TaskStep);
      return orResult ? (result as Json) : null;
    };
    return withTimeout(attempt, name, timeout, (inner) =>
      callAndAnswer(inner, (calling) => callOnce(calling, name, work, timeout, task.token), task),
    );
  });
}

/**
 * Offers work to the workers of an activity, and waits until the one that has taken it reports the result. The limits
 * count from then on.
 */
export function activity(
  context: Context,
  name: string,
  activityName: string,
  input: (token: string) => Json,
  { timeout, heartbeat, retries }: CallbackOptions,
): Promise<Json> {
  act(context, name);
  return withRetries(context, name, { retries }, async (attempt) => {
    const { host } = attempt;
    const { token, key } = await openTask(attempt, name);
    const offer = { token, step: name, activity: activityName, input: input(token) };
    await outcomeOf(attempt, host.offerTask(keyOf(attempt, name), offer, attempt));
    return withTimeout(attempt, name, timeout, (inner) =>
      outcomeOf(inner, host.taskAnswer(key, { token, heartbeat }, inner)),
    );
  });
}

/** A task: its token, and the key of its answer. */
interface OpenTask {
  readonly token: string;
  readonly key: string;
}

async function openTask(context: Context, name: string): Promise<OpenTask> {
  const [tokenKey, key] = [keyOf(context, name, "token"), keyOf(context, name, "answer")];
  return {
    token: await outcomeOf(context, context.host.openTask(tokenKey, { step: name, answer: key }, context)),
    key,
  };
}

/**
 * Makes a call, and waits for the answer of its task. A failure of the call and a missed heartbeat fail at once. An
 * answer that is there before the call has returned is kept until then, unless the result of the call counts too.
 */
function callAndAnswer(
  context: Context,
  call: (context: Context) => Promise<Json>,
  { token, key, heartbeat, orResult }: OpenTask & Pick<CallbackOptions, "heartbeat" | "orResult">,
): Promise<Json> {
  return wait<Json>(context, (wake) => {
    const { signal, stop } = stoppable(context.signal);
    const inner = { ...context, signal };
    let [hasReturned, kept]: [boolean, Result<Json> | undefined] = [false, undefined];
    const answered = (result: Result<Json>): void => {
      if (hasReturned || orResult || isMissedHeartbeat(result)) wake(result);
      else kept = result;
    };
    const returned = (result: Result<Json>): void => {
      hasReturned = true;
      const outcome = orResult || "error" in result ? result : kept;
      if (outcome) wake(outcome);
    };
    begin(inner, () => call(inner), returned);
    Promise.resolve(inner.host.taskAnswer(key, { token, heartbeat }, inner)).then(
      (value) => answered({ value }),
      (error: unknown) => answered({ error }),
    );
    return stop;
  });
}

const isMissedHeartbeat = (result: Result<Json>): boolean =>
  "error" in result && result.error instanceof WorkflowError && result.error.origin === "heartbeat";
