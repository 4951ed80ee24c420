import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { type BrokenOff, type Difference, isBrokenOff, runDifferences } from "../scenario/compare.ts";
import type { Observed } from "../scenario/simulation.ts";

/** The behavior of a scenario in two programs. */
export interface ScenarioDiff {
  readonly file: string;
  readonly scenario: string;
  /** `not run`: it does not apply to one of the programs. */
  readonly kind: "equal" | "changed" | "not run";
  readonly differences: readonly OutcomeDifference[];
  readonly reason?: string | undefined;
}

/** A difference between two runs, such as in `output` or `calls[2]`. */
export interface OutcomeDifference {
  readonly what: string;
  readonly old?: Json | undefined;
  readonly new?: Json | undefined;
}

/** The observed runs of a scenario; undefined if it could not run. */
export type ObservedScenario = readonly Observed[] | BrokenOff | undefined;

/** Compares the observed runs of a scenario: outcomes, calls, emitted events and virtual times. */
export function diffScenario(
  file: string,
  scenario: string,
  old: ObservedScenario,
  created: ObservedScenario,
): ScenarioDiff {
  const common = { file, scenario };
  if (!old || !created)
    return { ...common, kind: "not run", differences: [], reason: `The ${old ? "new" : "old"} program cannot run it.` };
  const differences = observedDifferences(old, created);
  return { ...common, kind: differences.length === 0 ? "equal" : "changed", differences };
}

/**
 * Errors of two languages are equal if they have the same name and, if both have one, message: the title and detail of
 * problem details.
 */
function isDifferent({ what, expected, got }: Difference): boolean {
  if (what !== "error" || !isObject(expected) || !isObject(got) || isProblem(expected) === isProblem(got)) return true;
  const [a, b] = [describeError(expected), describeError(got)];
  return a.name !== b.name || (a.message !== b.message && a.message !== "" && b.message !== "");
}

const isProblem = (error: JsonObject): boolean =>
  typeof own(error, "type") === "string" && typeof own(error, "title") === "string";

function describeError(error: JsonObject): { readonly name: Json; readonly message: Json } {
  const [name, message] = isProblem(error) ? (["title", "detail"] as const) : (["name", "message"] as const);
  return { name: own(error, name) ?? "", message: own(error, message) ?? "" };
}

function observedDifferences(
  old: readonly Observed[] | BrokenOff,
  created: readonly Observed[] | BrokenOff,
): readonly OutcomeDifference[] {
  if (isBrokenOff(old) || isBrokenOff(created)) {
    const [before, after] = [old, created].map((seen) => (isBrokenOff(seen) ? seen.brokenOff : "completes"));
    return before === after ? [] : [{ what: "run", old: before, new: after }];
  }
  return old.flatMap((before, i) => {
    const after = created[i];
    if (!after) return [];
    return runDifferences(before, after)
      .filter(isDifferent)
      .map(({ what, expected, got }) => ({
        what: i === 0 ? what : `run ${i + 1}: ${what}`,
        ...(expected === undefined ? {} : { old: expected }),
        ...(got === undefined ? {} : { new: got }),
      }));
  });
}
