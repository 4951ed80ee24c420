import type { Json, JsonObject } from "../../../src/json.ts";
import type { ExecutionEnvironment } from "./environment.ts";
import { type FieldEvaluator, failure, type StateView } from "./evaluator.ts";

/** What a wait time depends on besides the state. */
interface WaitContext {
  readonly environment: ExecutionEnvironment;
  readonly evaluator: FieldEvaluator;
}

/** The seconds for which a Wait state waits. Rejects with a `StateError` if its field is malformed. */
export async function secondsOf(
  { environment, evaluator }: WaitContext,
  state: JsonObject,
  view: StateView,
): Promise<number> {
  if (state["Timestamp"] !== undefined) {
    const instant = await evaluator.field("Timestamp", state["Timestamp"], view);
    return (millisOf(instant, view) - environment.now()) / 1000;
  }
  const seconds = await evaluator.field("Seconds", state["Seconds"] ?? null, view);
  if (typeof seconds !== "number" || seconds < 0 || seconds > 99_999_999)
    throw failure(view, "The Seconds field is not a number of seconds.");
  return Math.trunc(seconds);
}

function millisOf(instant: Json, view: StateView): number {
  const wellFormed =
    typeof instant === "string" && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/.test(instant);
  const millis = wellFormed ? Date.parse(instant) : Number.NaN;
  if (!Number.isNaN(millis)) return millis;
  throw failure(
    view,
    `The Timestamp field cannot be parsed as an ISO-8601 extended offset date-time format string: ${String(instant)}`,
  );
}
