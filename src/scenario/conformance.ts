import type { JsonObject } from "../json.ts";
import { type Difference, differences, isSameCall } from "./compare.ts";
import type { Expectation } from "./model.ts";
import type { Performance, RecordedCall } from "./stage.ts";

/** A run that could not be brought to an end, and why. */
export interface BrokenOff {
  readonly brokenOff: string;
}

/** Whether a run was broken off. */
export const isBrokenOff = (seen: Performance | BrokenOff): seen is BrokenOff => "brokenOff" in seen;

/**
 * In what a target's run differs from that of the reference, where a scenario leaves nothing open: the order of calls and events counts when
 * `ordered`, calls under `maybe` do not, nor does the id of an event, or a time that the target does not tell. Where branches were still running when their join was decided, calls and
 * events count only as far as the scenario lists them. `found` are the differences from what the scenario expects, which are not told twice.
 */
export function referenceDifferences(
  expect: Expectation,
  meant: Performance | BrokenOff,
  seen: Performance,
  found: readonly Difference[],
): readonly Difference[] {
  if (isBrokenOff(meant))
    return [{ what: "run", expected: meant.brokenOff, got: seen.outcome.status, against: "reference" }];
  const told = new Set(found.map(subject));
  if (told.has("status")) return [];
  const ofCalls = comparesCalls(expect, meant) && !told.has("calls");
  const ofEvents = comparesEvents(expect, meant) && !told.has("emitted");
  const tellsTimes = seen.emitted.every((event) => Object.hasOwn(event, "time"));
  const wanted: Expectation = {
    ...resultOf(meant),
    ...(ofCalls ? { calls: certain(meant.calls, expect) } : { calls: undefined }),
    maybe: [],
    ordered: expect.ordered,
    emitted: ofEvents ? meant.emitted.map((event) => comparable(event, tellsTimes)) : undefined,
    elapsed: seen.elapsed === undefined ? undefined : meant.elapsed,
  };
  return differences(wanted, { ...seen, calls: certain(seen.calls, expect) }, true)
    .filter((difference) => !told.has(subject(difference)))
    .map((difference) => ({ ...difference, against: "reference" }));
}

/** What a difference is about, without the place in a list. */
const subject = ({ what }: Difference): string => what.replace(/\[.*/, "");

function resultOf({ outcome }: Performance): Pick<Expectation, "status" | "output" | "error"> {
  const { status } = outcome;
  if (outcome.status === "succeeded") return { status, output: outcome.output, error: undefined };
  if (outcome.status !== "failed") return { status, output: undefined, error: undefined };
  const { name, message, data } = outcome.error;
  return { status, output: undefined, error: { ...(isPlain(data) ? data : {}), name, message } };
}

const isPlain = (data: unknown): data is JsonObject =>
  typeof data === "object" && data !== null && !Array.isArray(data);

/** Whether the calls of the reference say more than the scenario: not where it lists them and the reference makes these. */
function comparesCalls({ calls, maybe, ordered }: Expectation, meant: Performance): boolean {
  if (calls === undefined) return !meant.recording.isCutOff;
  return differences({ ...nothing(meant), calls, maybe, ordered }, meant, false).length > 0;
}

/** The same for events. */
function comparesEvents({ emitted, ordered }: Expectation, meant: Performance): boolean {
  if (!meant.recording.isCutOff) return true;
  return emitted !== undefined && differences({ ...nothing(meant), emitted, ordered }, meant, false).length > 0;
}

/** Expects the status that there is, and nothing else. */
const nothing = ({ outcome }: Performance): Expectation => ({
  status: outcome.status,
  output: undefined,
  error: undefined,
  calls: undefined,
  maybe: [],
  ordered: true,
  emitted: undefined,
  elapsed: undefined,
});

/** The calls that have to happen. */
const certain = (calls: readonly RecordedCall[], { maybe }: Expectation): readonly RecordedCall[] =>
  calls.filter((call) => !maybe.some((other) => isSameCall(other, call)));

/** An event without what is left to whoever sends it. */
function comparable({ id: _, time, ...event }: JsonObject, tellsTimes: boolean): JsonObject {
  return { ...(event as JsonObject), ...(tellsTimes && time !== undefined ? { time } : {}) };
}
