import type { Json, JsonObject } from "../../../src/json.ts";
import { StateError, Unsupported } from "./environment.ts";
import { failure, isExpression, type View } from "./evaluator.ts";
import { assignments, type Frame } from "./execute.ts";
import { runBranches, runItems } from "./parallel.ts";

/** How a visit of a state ended: its output, the next state (none: the `States` object ends), and the variables to set. */
export interface Done {
  readonly output: Json;
  readonly next: string | undefined;
  readonly assign: readonly (readonly [string, Json])[];
}

/** One attempt at a state. Rejects with a `StateError`. */
export async function perform(frame: Frame, name: string, state: JsonObject, view: View): Promise<Done> {
  if ((state["QueryLanguage"] ?? "JSONata") !== "JSONata")
    throw new Unsupported("This interpreter executes the JSONata dialect only.");
  switch (state["Type"]) {
    case "Pass":
      return finish(frame, state, view, undefined);
    case "Succeed":
      return finish(frame, state, view, undefined);
    case "Fail":
      return fail(frame, state, view);
    case "Wait":
      return wait(frame, state, view);
    case "Choice":
      return choose(frame, state, view);
    case "Task":
      return finish(frame, state, view, { value: await runTask(frame, name, state, view) });
    case "Parallel":
      return finish(frame, state, view, { value: await runBranches(frame, state, view) });
    case "Map":
      return finish(frame, state, view, { value: await runItems(frame, state, view) });
    default:
      throw new Unsupported(`States of type ${String(state["Type"])} are not executed.`);
  }
}

/** Output, Assign and Next of a state that has done its work; `result` is there for those that have one. */
async function finish(
  frame: Frame,
  state: JsonObject,
  view: View,
  result: { readonly value: Json } | undefined,
): Promise<Done> {
  const seen: View = result ? { ...view, states: { ...view.states, result: result.value } } : view;
  const fallback = result ? result.value : view.states["input"]!;
  const output =
    state["Output"] === undefined ? fallback : await frame.evaluator.field("Output", state["Output"], seen);
  return { output, next: state["Next"] as string | undefined, assign: await assignments(frame, state["Assign"], seen) };
}

async function fail({ evaluator }: Frame, state: JsonObject, view: View): Promise<never> {
  const text = async (field: string) => {
    const value = state[field] === undefined ? undefined : await evaluator.field(field, state[field], view);
    if (value !== undefined && typeof value !== "string") throw failure(view, `The field '${field}' is not a string.`);
    return value;
  };
  throw new StateError(await text("Error"), await text("Cause"));
}

async function wait(frame: Frame, state: JsonObject, view: View): Promise<Done> {
  const seconds = await secondsOf(frame, state, view);
  if (seconds > 0) await frame.environment.sleep(seconds, frame.signal);
  return finish(frame, state, view, undefined);
}

async function secondsOf({ environment, evaluator }: Frame, state: JsonObject, view: View): Promise<number> {
  if (state["Timestamp"] !== undefined) {
    const instant = await evaluator.field("Timestamp", state["Timestamp"], view);
    return (millisOf(instant, view) - environment.now()) / 1000;
  }
  const seconds = await evaluator.field("Seconds", state["Seconds"] ?? null, view);
  if (typeof seconds !== "number" || seconds < 0 || seconds > 99_999_999)
    throw failure(view, "The Seconds field is not a number of seconds.");
  return Math.trunc(seconds);
}

function millisOf(instant: Json, view: View): number {
  const wellFormed =
    typeof instant === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(instant);
  const millis = wellFormed ? Date.parse(instant) : Number.NaN;
  if (!Number.isNaN(millis)) return millis;
  throw failure(
    view,
    `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${String(instant)}`,
  );
}

async function choose(frame: Frame, state: JsonObject, view: View): Promise<Done> {
  for (const [i, rule] of (state["Choices"] as readonly JsonObject[]).entries()) {
    const holds = await frame.evaluator.field(`Choices[${i}]/Condition`, rule["Condition"] ?? null, view);
    if (typeof holds !== "boolean") throw failure(view, `The condition of rule ${i} gave no boolean.`);
    if (holds) return finish(frame, rule, view, undefined);
  }
  if (state["Default"] === undefined)
    throw new StateError("States.NoChoiceMatched", "No choice rule matched, and there is no default.");
  return { ...(await finish(frame, state, view, undefined)), next: state["Default"] as string };
}

async function runTask(frame: Frame, name: string, state: JsonObject, view: View): Promise<Json> {
  const { environment, evaluator } = frame;
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
  const stop = new AbortController();
  const signal = AbortSignal.any([frame.signal, stop.signal]);
  const work = environment.task({ state: name, resource, arguments: given, position: frame.position, signal });
  if (typeof limit !== "number" || limit >= 99_999_999) return work;
  const expiry = environment.sleep(limit, signal).then(() => {
    throw new StateError("States.Timeout", undefined);
  });
  expiry.catch(() => undefined);
  work.catch(() => undefined);
  return Promise.race([work, expiry]).finally(() => stop.abort());
}
