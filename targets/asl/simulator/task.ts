import type { Json, JsonObject } from "../../../src/json.ts";
import { givesToken } from "../services.ts";
import { type ExecutionEnvironment, StateError } from "./environment.ts";
import { isExpression, type StateView } from "./evaluator.ts";
import type { ExecutionFrame } from "./frame.ts";
import { checkData, resourceType } from "./limits.ts";

/** Runs a Task state once, for at most its `TimeoutSeconds`. Resolves to the result of the service. */
export async function runTask(
  frame: ExecutionFrame,
  name: string,
  state: JsonObject,
  entered: StateView,
): Promise<Json> {
  const { environment, evaluator } = frame;
  const stop = new AbortController();
  const signal = AbortSignal.any([frame.signal, stop.signal]);
  const where = { state: name, position: frame.position, signal };
  const hasToken = givesToken(String(state["Resource"])) || isActivity(state);
  const view = hasToken ? await withToken(entered, where, environment) : entered;
  const given =
    state["Arguments"] === undefined
      ? view.states["input"]!
      : await evaluator.field("Arguments", state["Arguments"], view);
  const resource = String(
    isExpression(state["Resource"]) ? await evaluator.field("Resource", state["Resource"], view) : state["Resource"],
  );
  const secondsIn = async (key: string): Promise<Json | undefined> =>
    state[key] === undefined ? undefined : await evaluator.field(key, state[key], view);
  const limit = await secondsIn("TimeoutSeconds");
  const heartbeat = hasToken ? await secondsIn("HeartbeatSeconds") : undefined;
  const isSubmitted = /\.(?:sync(?::2)?|waitForTaskToken)$/.test(resource);
  environment.count("events of history", isSubmitted ? 4 : 3);
  checkData(given, { kind: "input", owner: name }, environment);
  const answer = environment.query?.({ state: name, resource, arguments: given });
  if (answer !== undefined) return answer;
  const work = environment
    .task({ ...where, resource, hasToken, arguments: given, onHeartbeat: () => beats?.onHeartbeat() })
    .then((result) => checkData(result, { kind: "output", owner: resourceType(resource) }, environment));
  const isTimed = typeof limit === "number" && limit < 99_999_999;
  const expiry = isTimed ? [expiryAfter(limit, frame, signal, new StateError("States.Timeout", undefined))] : [];
  const beats = heartbeatsOf(heartbeat, frame, signal);
  if (!isTimed && !beats) return environment.scheduler.wait(frame.position, work);
  work.catch(() => undefined);
  const first = Promise.race([work, ...expiry, ...(beats ? [beats.missed] : [])]).finally(() => stop.abort());
  return environment.scheduler.wait(frame.position, first);
}

/** Whether the resource is a substitution for an activity: no other has a limit between heartbeats. */
const isActivity = ({ Resource: resource, HeartbeatSeconds: seconds }: JsonObject): boolean =>
  seconds !== undefined && /^\$\{[^{}]*\}$/.test(String(resource));

/** Rejects with an error after some seconds, unless the signal is aborted before. */
function expiryAfter(
  seconds: number,
  { environment, position }: ExecutionFrame,
  signal: AbortSignal,
  error: StateError,
): Promise<never> {
  const expiry = environment.sleep(seconds, signal, position).then(() => {
    throw error;
  });
  expiry.catch(() => undefined);
  return expiry;
}

/** The heartbeats of a Task: `missed` rejects when one has not arrived in time. */
function heartbeatsOf(seconds: Json | undefined, frame: ExecutionFrame, signal: AbortSignal) {
  if (typeof seconds !== "number") return undefined;
  const error = new StateError("States.Timeout", undefined, { missesHeartbeat: true });
  let timer = new AbortController();
  let fail: (reason: StateError) => void = () => undefined;
  const missed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  missed.catch(() => undefined);
  const begin = (): void => {
    timer = new AbortController();
    expiryAfter(seconds, frame, AbortSignal.any([signal, timer.signal]), error).catch((reason: unknown) => {
      if (reason === error) fail(error);
    });
  };
  begin();
  return {
    missed,
    onHeartbeat(): void {
      timer.abort(new Error("cut off"));
      begin();
    },
  };
}

/** Adds the token of an attempt to the context object. */
async function withToken(
  view: StateView,
  where: Parameters<ExecutionEnvironment["taskToken"]>[0],
  { scheduler, taskToken }: ExecutionEnvironment,
): Promise<StateView> {
  const token = taskToken(where);
  const Token = typeof token === "string" ? token : await scheduler.wait(where.position, token);
  const context = { ...(view.states["context"] as JsonObject), Task: { Token } };
  return { ...view, states: { ...view.states, context } };
}
