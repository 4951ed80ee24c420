import type { Json, JsonObject } from "../../../src/json.ts";
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
  const view = String(state["Resource"]).endsWith(".waitForTaskToken") ? withToken(entered, environment) : entered;
  const given =
    state["Arguments"] === undefined
      ? view.states["input"]!
      : await evaluator.field("Arguments", state["Arguments"], view);
  const resource = String(
    isExpression(state["Resource"]) ? await evaluator.field("Resource", state["Resource"], view) : state["Resource"],
  );
  const limit =
    state["TimeoutSeconds"] === undefined
      ? undefined
      : await evaluator.field("TimeoutSeconds", state["TimeoutSeconds"], view);
  const isSubmitted = /\.(?:sync(?::2)?|waitForTaskToken)$/.test(resource);
  environment.count("events of history", isSubmitted ? 4 : 3);
  const stop = new AbortController();
  const signal = AbortSignal.any([frame.signal, stop.signal]);
  checkData(given, { kind: "input", owner: name }, environment);
  const answer = environment.query?.({ state: name, resource, arguments: given });
  if (answer !== undefined) return answer;
  const work = environment
    .task({ state: name, resource, arguments: given, position: frame.position, signal })
    .then((result) => checkData(result, { kind: "output", owner: resourceType(resource) }, environment));
  if (typeof limit !== "number" || limit >= 99_999_999) return environment.scheduler.wait(frame.position, work);
  const expiry = environment.sleep(limit, signal, frame.position).then(() => {
    throw new StateError("States.Timeout", undefined);
  });
  expiry.catch(() => undefined);
  work.catch(() => undefined);
  const first = Promise.race([work, expiry]).finally(() => stop.abort());
  return environment.scheduler.wait(frame.position, first);
}

function withToken(view: StateView, environment: ExecutionEnvironment): StateView {
  const context = { ...(view.states["context"] as JsonObject), Task: { Token: environment.token() } };
  return { ...view, states: { ...view.states, context } };
}
