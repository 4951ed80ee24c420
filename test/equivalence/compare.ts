import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../src/json.ts";
import { isAborted, type Observation, type ObservedRun, type Occurrence } from "./observe.ts";

/** One difference between two runs. */
export interface RunDifference {
  /** `status`, `output`, `error`, `calls`, `emitted`, `elapsed` or `run`, prefixed with the id of a further run. */
  readonly aspect: string;
  readonly expected: Json;
  readonly actual: Json;
}

/**
 * Compares the runs of a scenario with the expected ones. Messages of expression errors and limits are never compared;
 * other messages only with `comparesMessages`, because they may contain state names.
 */
export function differences(
  expected: Observation,
  actual: Observation,
  comparesMessages = true,
): readonly RunDifference[] {
  if (isAborted(expected) || isAborted(actual)) {
    if (isAborted(expected) && isAborted(actual)) return [];
    const shown = (seen: Observation) =>
      isAborted(seen) ? seen.reason : seen.map((run) => outcomeOf(run, comparesMessages));
    return [{ aspect: "run", expected: shown(expected), actual: shown(actual) }];
  }
  return expected.flatMap((run, i) => {
    const found = runDifferences(run, actual[i]!, comparesMessages);
    return i === 0 ? found : found.map((difference) => ({ ...difference, aspect: `${run.id}: ${difference.aspect}` }));
  });
}

function runDifferences(
  expected: ObservedRun,
  actual: ObservedRun,
  comparesMessages: boolean,
): readonly RunDifference[] {
  const isWording =
    expected.outcome.status === "failed" &&
    (expected.outcome.error.origin === "expression" || expected.outcome.error.name === "LimitError");
  const shownOutcome = (run: ObservedRun) => outcomeOf(run, comparesMessages && !isWording);
  if (expected.outcome.status !== actual.outcome.status)
    return [{ aspect: "status", expected: shownOutcome(expected), actual: shownOutcome(actual) }];
  return [
    ...different("calls", listed(expected.calls), listed(actual.calls)),
    ...different("emitted", listed(expected.emitted), listed(actual.emitted)),
    ...different(
      expected.outcome.status === "failed" ? "error" : "output",
      shownOutcome(expected),
      shownOutcome(actual),
    ),
    ...different("elapsed", rounded(expected.elapsed), rounded(actual.elapsed)),
  ];
}

const different = (aspect: string, expected: Json, actual: Json): readonly RunDifference[] =>
  isDeepStrictEqual(plain(expected), plain(actual)) ? [] : [{ aspect, expected, actual }];

/** Drops prototypes, the stack traces of errors, and the ids of produced events, which each executor chooses. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => plain(item));
  if (!isObject(value)) return value === 0 ? 0 : value;
  const isError = Object.hasOwn(value, "name") && Object.hasOwn(value, "message");
  const isProduced = Object.hasOwn(value, "specversion") && Object.hasOwn(value, "datacontenttype");
  const isDropped = (key: string) => (isError && key === "trace") || (isProduced && key === "id");
  const members = Object.entries(value).filter(([key, item]) => item !== undefined && !isDropped(key));
  return Object.fromEntries(members.map(([key, item]) => [key, plain(item as Json)]));
}

const listed = (happened: readonly Occurrence[]): Json =>
  happened.map(({ at, name, value }) => [rounded(at), name, value]);

const rounded = (seconds: number | undefined): Json => (seconds === undefined ? null : Math.round(seconds * 1e6) / 1e6);

function outcomeOf({ outcome }: ObservedRun, comparesMessages: boolean): Json {
  if (outcome.status === "succeeded") return { succeeded: outcome.output };
  if (outcome.status !== "failed") return outcome.status;
  const { name, message, data } = outcome.error;
  return { name, ...(comparesMessages ? { message } : {}), ...(isObject(data) ? { data } : {}) };
}
