import { isDeepStrictEqual } from "node:util";
import { isObject, type Json } from "../../src/json.ts";
import { type Happened, isBrokenOff, type Run, type Seen } from "./observe.ts";

/** One difference between two runs. */
export interface Difference {
  /** `status`, `output`, `error`, `calls`, `emitted`, `elapsed` or `run`, prefixed with the id of a further run. */
  readonly what: string;
  readonly meant: Json;
  readonly got: Json;
}

/**
 * Compares the runs of a scenario with the expected ones. Messages of expression errors and limits are never compared;
 * other messages only with `comparesMessages`, because they may contain state names.
 */
export function differences(meant: Seen, got: Seen, tellsMessages = true): readonly Difference[] {
  if (isBrokenOff(meant) || isBrokenOff(got)) {
    if (isBrokenOff(meant) && isBrokenOff(got)) return [];
    const shown = (seen: Seen) =>
      isBrokenOff(seen) ? seen.brokenOff : seen.map((run) => outcomeOf(run, tellsMessages));
    return [{ what: "run", meant: shown(meant), got: shown(got) }];
  }
  return meant.flatMap((run, i) => {
    const found = runDifferences(run, got[i]!, tellsMessages);
    return i === 0 ? found : found.map((difference) => ({ ...difference, what: `${run.id}: ${difference.what}` }));
  });
}

function runDifferences(meant: Run, got: Run, tellsMessages: boolean): readonly Difference[] {
  const isWording =
    meant.outcome.status === "failed" &&
    (meant.outcome.error.origin === "expression" || meant.outcome.error.name === "LimitError");
  const shownOutcome = (run: Run) => outcomeOf(run, tellsMessages && !isWording);
  if (meant.outcome.status !== got.outcome.status)
    return [{ what: "status", meant: shownOutcome(meant), got: shownOutcome(got) }];
  return [
    ...different("calls", listed(meant.calls), listed(got.calls)),
    ...different("emitted", listed(meant.emitted), listed(got.emitted)),
    ...different(meant.outcome.status === "failed" ? "error" : "output", shownOutcome(meant), shownOutcome(got)),
    ...different("elapsed", rounded(meant.elapsed), rounded(got.elapsed)),
  ];
}

const different = (what: string, meant: Json, got: Json): readonly Difference[] =>
  isDeepStrictEqual(plain(meant), plain(got)) ? [] : [{ what, meant, got }];

/** Drops prototypes, and the stack traces of errors. */
function plain(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => plain(item));
  if (!isObject(value)) return value === 0 ? 0 : value;
  const isError = Object.hasOwn(value, "name") && Object.hasOwn(value, "message");
  const members = Object.entries(value).filter(([key, item]) => item !== undefined && !(isError && key === "trace"));
  return Object.fromEntries(members.map(([key, item]) => [key, plain(item as Json)]));
}

const listed = (happened: readonly Happened[]): Json =>
  happened.map(({ at, what, value }) => [rounded(at), what, value]);

const rounded = (seconds: number | undefined): Json => (seconds === undefined ? null : Math.round(seconds * 1e6) / 1e6);

function outcomeOf({ outcome }: Run, tellsMessages: boolean): Json {
  if (outcome.status === "succeeded") return { succeeded: outcome.output };
  if (outcome.status !== "failed") return outcome.status;
  const { name, message, data } = outcome.error;
  return { name, ...(tellsMessages ? { message } : {}), ...(isObject(data) ? { data } : {}) };
}
