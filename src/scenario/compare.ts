import { equalValues } from "../expressions/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Expectation, RecordedCall } from "./model.ts";
import { missingParts, wrongItems, wrongParts } from "./output-parts.ts";
import { withoutNulls } from "./read-expectation.ts";
import type { Observed } from "./simulation.ts";
import { taskDifferences, traceDifferences } from "./tasks.ts";

/** A difference between a run and its expectation. */
export interface Difference {
  /** The differing part, such as `output` or `calls[2]`. */
  readonly what: string;
  /** Omitted if nothing was expected. */
  readonly expected?: Json | undefined;
  /** Omitted without an actual value. */
  readonly got?: Json | undefined;
  /** The origin of the expectation: the reference, or by default the scenario. */
  readonly against?: "reference" | undefined;
}

/** Compares a run with an expectation. `timed` is false if the executor has no virtual time. */
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
    ...missingParts(expect.outputHas, output),
    ...wrongParts(expect.outputIs, output, isSame),
    ...wrongItems(expect.items, output),
    ...(expect.error && !(error && contains(error, withoutNulls(expect.error)))
      ? [{ what: "error", expected: expect.error, got: error }]
      : []),
    ...(expect.calls ? callDifferences(expect.calls, expect, seen.calls) : []),
    ...(expect.emitted ? emittedDifferences(expect.emitted, expect.ordered, seen.emitted) : []),
    ...taskDifferences(expect.tasks, seen.recording),
    ...traceDifferences(expect, seen.recording),
    ...(timed && expect.elapsed !== undefined && !isSameTime(expect.elapsed, seen.elapsed)
      ? [{ what: "elapsed", expected: expect.elapsed, got: seen.elapsed }]
      : []),
  ];
}

const dataOf = (data: Json | undefined): JsonObject => (isObject(data) ? data : {});

/** Whether two values are equal as JSON, apart from stack traces of errors. */
const isSame = (a: Json, b: Json): boolean => equalValues(untraced(a), untraced(b));

/** Compares seconds, which are sums of fractions, to the microsecond. */
const isSameTime = (wanted: number, seen: number | undefined): boolean =>
  seen !== undefined && Math.abs(wanted - seen) < 1e-6;

/** A value without stack traces of errors. */
function untraced(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => untraced(item));
  if (!isObject(value)) return value;
  const isError = Object.hasOwn(value, "name") && Object.hasOwn(value, "message");
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (isError && key === "trace" ? [] : [[key, untraced(item)]])),
  );
}

/** Whether an object has the given properties. */
function contains(object: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => {
    const found = own(object, key);
    return key === "trace" || (found !== undefined && isSame(found, value));
  });
}

/** Whether two calls have the same function and argument. */
const isSameCall = (a: RecordedCall, b: RecordedCall): boolean =>
  a.function === b.function && isSame(a.argument, b.argument);
const shown = (call: RecordedCall | undefined): Json | undefined => call && { [call.function]: call.argument };

/** Compares calls; any of those under `maybe` may occur in between. */
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

/** The reason why a simulation was aborted. */
export interface BrokenOff {
  readonly brokenOff: string;
}

/** Whether a simulation was aborted. */
export const isBrokenOff = (seen: Observed | readonly Observed[] | BrokenOff): seen is BrokenOff => "brokenOff" in seen;

/**
 * Compares a target's run with the reference in the parts that a scenario leaves open. The order of calls and events
 * counts if `ordered`. Calls under `maybe`, ids of events, messages of expression errors and limits, virtual time that
 * the target lacks, and, without `namesErrors`, names of functions' errors are not compared. If branches still ran when
 * their join was decided, only the calls and events that the scenario lists count. `found` are the differences from the
 * scenario, which are not repeated.
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

/** The differences between two runs: status, output, error, calls in order, emitted events, and virtual time. */
export function runDifferences(meant: Observed, seen: Observed): readonly Difference[] {
  const isFailed = meant.outcome.status === "failed" && seen.outcome.status === "failed";
  const wanted: Expectation = {
    ...resultOf(meant, true),
    ...(isFailed ? { error: errorOf(meant) } : {}),
    calls: meant.calls,
    maybe: [],
    ordered: true,
    emitted: meant.emitted.map((event) => comparable(event, true)),
    elapsed: meant.elapsed,
  };
  return differences(wanted, seen, true);
}

/** The whole error of a failed run, except for its origin. */
function errorOf({ outcome }: Observed): JsonObject | undefined {
  if (outcome.status !== "failed") return undefined;
  const { name, message, data } = outcome.error;
  return { ...dataOf(data), name, message };
}

/** The compared aspect of a difference, without list index or path. */
const subject = ({ what }: Difference): string => {
  const aspect = what.replace(/[.[].*/s, "");
  return ["outputHas", "outputIs", "items"].includes(aspect) ? "output" : aspect;
};

function resultOf({ outcome }: Observed, namesErrors: boolean): Pick<Expectation, "status" | "output" | "error"> {
  const { status } = outcome;
  if (outcome.status === "succeeded") return { status, output: outcome.output, error: undefined };
  if (outcome.status !== "failed") return { status, output: undefined, error: undefined };
  const { name, message, data, origin } = outcome.error;
  const said = origin === "expression" || origin === "limit" ? {} : { message };
  const named = namesErrors || origin !== "function" ? { name } : {};
  return { status, output: undefined, error: { ...dataOf(data), ...named, ...said } };
}

/** Whether the calls of the reference add to the scenario: not if it lists exactly these. */
function comparesCalls({ calls, maybe, ordered }: Expectation, meant: Observed): boolean {
  if (calls === undefined) return meant.recording.cutOffs.size === 0;
  return differences({ ...nothing(meant), calls, maybe, ordered }, meant, false).length > 0;
}

/** Whether the emitted events of the reference add to the scenario. */
function comparesEvents({ emitted, ordered }: Expectation, meant: Observed): boolean {
  if (meant.recording.cutOffs.size === 0) return true;
  return emitted !== undefined && differences({ ...nothing(meant), emitted, ordered }, meant, false).length > 0;
}

/** An expectation of a run's actual status and nothing else. */
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

/** The required calls. */
export const certain = (calls: readonly RecordedCall[], { maybe }: Expectation): readonly RecordedCall[] =>
  calls.filter((call) => !maybe.some((other) => isSameCall(other, call)));

/** An event without the attributes that targets may choose. */
function comparable({ id: _, time, ...event }: JsonObject, tellsTimes: boolean): JsonObject {
  return { ...(event as JsonObject), ...(tellsTimes && time !== undefined ? { time } : {}) };
}
