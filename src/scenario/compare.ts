import { equalValues } from "../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Expectation, RecordedCall } from "./model.ts";
import type { Observed } from "./simulation.ts";

/** One way in which a run was not what a scenario expects. */
export interface Difference {
  /** What differs, such as `output` or `calls[2]`. */
  readonly what: string;
  /** Absent where nothing was expected. */
  readonly expected?: Json | undefined;
  /** Absent where there was nothing. */
  readonly got?: Json | undefined;
  /** What was expected by: the scenario where absent, or what the reference did. */
  readonly against?: "reference" | undefined;
}

/** All ways in which a run was not what was expected. `timed` is false where the executor cannot tell virtual time. */
export function differences(expect: Expectation, seen: Observed, timed: boolean): readonly Difference[] {
  const { outcome } = seen;
  const output = outcome.status === "succeeded" ? outcome.output : undefined;
  const error: JsonObject | undefined =
    outcome.status === "failed"
      ? { ...dataOf(outcome.error.data), name: outcome.error.name, message: outcome.error.message }
      : undefined;
  if (expect.status !== outcome.status)
    return [
      {
        what: "status",
        expected: expect.status,
        got: error ? { [outcome.status]: error } : output === undefined ? outcome.status : { [outcome.status]: output },
      },
    ];
  return [
    ...(expect.output !== undefined && !(output !== undefined && isSame(output, expect.output))
      ? [{ what: "output", expected: expect.output, got: output }]
      : []),
    ...(expect.error && !(error && contains(error, expect.error))
      ? [{ what: "error", expected: expect.error, got: error }]
      : []),
    ...(expect.calls ? callDifferences(expect.calls, expect, seen.calls) : []),
    ...(expect.emitted ? emittedDifferences(expect.emitted, expect.ordered, seen.emitted) : []),
    ...(timed && expect.elapsed !== undefined && !isSameTime(expect.elapsed, seen.elapsed)
      ? [{ what: "elapsed", expected: expect.elapsed, got: seen.elapsed }]
      : []),
  ];
}

const dataOf = (data: Json | undefined): JsonObject => (isObject(data) ? data : {});

/** Whether two values are equal as JSON, but for the stack traces of errors. */
const isSame = (a: Json, b: Json): boolean => equalValues(untraced(a), untraced(b));

/** Seconds are sums of fractions: equal to the microsecond. */
const isSameTime = (wanted: number, seen: number | undefined): boolean =>
  seen !== undefined && Math.abs(wanted - seen) < 1e-6;

/** The value without the stack traces of errors. */
function untraced(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => untraced(item));
  if (!isObject(value)) return value;
  const isError = Object.hasOwn(value, "name") && Object.hasOwn(value, "message");
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (isError && key === "trace" ? [] : [[key, untraced(item)]])),
  );
}

/** Whether an object has the properties given. */
function contains(object: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const found = own(object, key);
    return key === "trace" || (found !== undefined && isSame(found, value));
  });
}

/** Whether two calls are of the same function with the same argument. */
const isSameCall = (a: RecordedCall, b: RecordedCall): boolean =>
  a.function === b.function && isSame(a.argument, b.argument);
const shown = (call: RecordedCall | undefined): Json | undefined => call && { [call.function]: call.argument };

/** Calls under `maybe` may come in between, in any number of those listed; all others are as expected. */
function callDifferences(
  expected: readonly RecordedCall[],
  { ordered, maybe }: Expectation,
  made: readonly RecordedCall[],
): readonly Difference[] {
  const spare = [...maybe];
  const left = [...expected];
  const found: Difference[] = [];
  for (const [i, call] of made.entries()) {
    const at = ordered
      ? left[0] && isSameCall(left[0], call)
        ? 0
        : -1
      : left.findIndex((other) => isSameCall(other, call));
    const optional = spare.findIndex((other) => isSameCall(other, call));
    if (at >= 0) left.splice(at, 1);
    else if (optional >= 0) spare.splice(optional, 1);
    else if (ordered) return [{ what: `calls[${i}]`, expected: shown(left[0]), got: shown(call) }];
    else found.push({ what: `calls[${i}]`, got: shown(call) });
  }
  return [
    ...found,
    ...left.map((call, i) => ({ what: `calls[${expected.length - left.length + i}]`, expected: shown(call) })),
  ];
}

function emittedDifferences(
  expected: readonly JsonObject[],
  ordered: boolean,
  made: readonly JsonObject[],
): readonly Difference[] {
  const left = [...expected];
  const found: Difference[] = [];
  for (const [i, event] of made.entries()) {
    const at = ordered
      ? left[0] && contains(event, left[0])
        ? 0
        : -1
      : left.findIndex((wanted) => contains(event, wanted));
    if (at >= 0) left.splice(at, 1);
    else if (ordered) return [{ what: `emitted[${i}]`, expected: left[0], got: event }];
    else found.push({ what: `emitted[${i}]`, got: event });
  }
  return [
    ...found,
    ...left.map((event, i) => ({ what: `emitted[${expected.length - left.length + i}]`, expected: event })),
  ];
}

/** A run that could not be brought to an end, and why. */
export interface BrokenOff {
  readonly brokenOff: string;
}

/** Whether a run was broken off. */
export const isBrokenOff = (seen: Observed | readonly Observed[] | BrokenOff): seen is BrokenOff => "brokenOff" in seen;

/**
 * In what a target's run differs from that of the reference, where a scenario leaves nothing open: the order of calls and events counts when
 * `ordered`, calls under `maybe` do not, nor does the id of an event, a time that the target does not tell, the message of an error that an expression raised or a limit, or, where `namesErrors` is false, the name of a function's error. Where branches were still running when their join was decided, calls and
 * events count only as far as the scenario lists them. `found` are the differences from what the scenario expects, which are not told twice.
 */
export function referenceDifferences(
  expect: Expectation,
  meant: Observed | BrokenOff,
  seen: Observed,
  found: readonly Difference[],
  namesErrors = true,
): readonly Difference[] {
  if (isBrokenOff(meant))
    return [{ what: "run", expected: meant.brokenOff, got: seen.outcome.status, against: "reference" }];
  const told = new Set(found.map(subject));
  if (told.has("status")) return [];
  const ofCalls = comparesCalls(expect, meant) && !told.has("calls");
  const ofEvents = comparesEvents(expect, meant) && !told.has("emitted");
  const tellsTimes = seen.emitted.every((event) => Object.hasOwn(event, "time"));
  const wanted: Expectation = {
    ...resultOf(meant, namesErrors),
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

function resultOf({ outcome }: Observed, namesErrors: boolean): Pick<Expectation, "status" | "output" | "error"> {
  const { status } = outcome;
  if (outcome.status === "succeeded") return { status, output: outcome.output, error: undefined };
  if (outcome.status !== "failed") return { status, output: undefined, error: undefined };
  const { name, message, data, origin } = outcome.error;
  const said = origin === "expression" || origin === "limit" ? {} : { message };
  const named = namesErrors || origin !== "function" ? { name } : {};
  return { status, output: undefined, error: { ...dataOf(data), ...named, ...said } };
}

/** Whether the calls of the reference say more than the scenario: not where it lists them and the reference makes these. */
function comparesCalls({ calls, maybe, ordered }: Expectation, meant: Observed): boolean {
  if (calls === undefined) return meant.recording.cutOffs.size === 0;
  return differences({ ...nothing(meant), calls, maybe, ordered }, meant, false).length > 0;
}

/** The same for events. */
function comparesEvents({ emitted, ordered }: Expectation, meant: Observed): boolean {
  if (meant.recording.cutOffs.size === 0) return true;
  return emitted !== undefined && differences({ ...nothing(meant), emitted, ordered }, meant, false).length > 0;
}

/** Expects the status that there is, and nothing else. */
const nothing = ({ outcome }: Observed): Expectation => ({
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
