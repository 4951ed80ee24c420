import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { formatDuration } from "../text/iso8601.ts";
import { certain, type Difference, differences } from "./compare.ts";
import type { Expectation } from "./model.ts";
import type { Observed } from "./simulation.ts";

/** The expectation of a run as written in a scenario file, and the differences that it cannot record. */
export interface RecordedExpectation {
  readonly expect: JsonObject;
  readonly unrecorded: readonly Difference[];
}

/**
 * Changes what differs in the written expectation of a run to what the run did. What holds stays as it is written, and
 * what is not expected is not added. If `written` is undefined, records the status, the output or the error, the calls
 * and the emitted events.
 */
export function recordExpectation(
  written: JsonObject | undefined,
  expected: Expectation,
  seen: Observed,
): RecordedExpectation {
  if (!written) return { expect: wholeExpectation(expected, seen), unrecorded: [] };
  const { status } = seen.outcome;
  const differing = differences({ ...expected, status }, seen, true);
  const aspects = new Set(differing.map(({ what }) => what.replace(/[.[].*/s, "")));
  const isChanged = status !== expected.status;
  const unrecorded: Difference[] = [];
  const entries = Object.entries(written as { readonly [name: string]: Json }).flatMap(
    ([name, before]): readonly (readonly [string, Json])[] => {
      if (name === "status") return [[name, status]];
      if (aboutOutput.has(name) && status !== "succeeded") return [];
      if (name === "error" && status !== "failed") return [];
      if (!aspects.has(name)) return [[name, before]];
      const after = recordAspect(name, before, expected, seen, differing);
      if (after !== undefined) return [[name, after]];
      unrecorded.push(...differing.filter(({ what }) => what === name || what.startsWith(`${name}.`)));
      return [[name, before]];
    },
  );
  const expect = Object.fromEntries(entries);
  if (!isChanged) return { expect, unrecorded };
  const result = resultOf(seen);
  const isCovered = Object.keys(expect).some((name) => aboutOutput.has(name)) && status === "succeeded";
  return { expect: isCovered ? expect : { ...expect, ...result }, unrecorded };
}

const aboutOutput: ReadonlySet<string> = new Set(["output", "outputHas", "outputIs", "items"]);

/** What the run did in one aspect of its expectation; undefined if that cannot be recorded. */
function recordAspect(
  name: string,
  before: Json,
  expected: Expectation,
  seen: Observed,
  differing: readonly Difference[],
): Json | undefined {
  const { outcome } = seen;
  const gotAt = (path: string) => differing.find(({ what }) => what === `${name}.${path}`);
  switch (name) {
    case "output":
      return outcome.status === "succeeded" ? outcome.output : undefined;
    case "error": {
      const error = resultOf(seen)["error"];
      return isObject(before) && isObject(error) ? membersLike(before, error) : undefined;
    }
    case "calls":
      return certain(seen.calls, expected).map((call): Json => ({ [call.function]: call.argument }));
    case "emitted": {
      const isAligned = Array.isArray(before) && before.length === seen.emitted.length;
      return seen.emitted.map((event, i): Json => {
        const old = isAligned ? (before as readonly Json[])[i] : undefined;
        return isObject(old) ? membersLike(old, event) : withoutIdentity(event);
      });
    }
    case "outputHas":
      return Array.isArray(before) ? before.filter((path: Json) => gotAt(String(path)) === undefined) : undefined;
    case "outputIs":
    case "items":
      return isObject(before)
        ? Object.fromEntries(
            Object.entries(before as { readonly [path: string]: Json }).flatMap(([path, value]) => {
              const found = gotAt(path.replace(/^\.(?=.)/, ""));
              if (!found) return [[path, value]];
              return found.got === undefined || (name === "items" && typeof found.got !== "number")
                ? []
                : [[path, found.got]];
            }),
          )
        : undefined;
    case "elapsed":
      return seen.elapsed === undefined ? undefined : formatDuration(seen.elapsed);
    default:
      return undefined;
  }
}

function wholeExpectation(expected: Expectation, seen: Observed): JsonObject {
  const calls = certain(seen.calls, expected).map((call): Json => ({ [call.function]: call.argument }));
  return {
    status: seen.outcome.status,
    ...resultOf(seen),
    calls,
    ...(seen.emitted.length > 0 ? { emitted: seen.emitted.map(withoutIdentity) } : {}),
  };
}

/** The output or the error. Messages of failed expressions and of limits are those of a target. */
function resultOf({ outcome }: Observed): JsonObject {
  if (outcome.status === "succeeded") return { output: outcome.output };
  if (outcome.status !== "failed") return {};
  const { name, message, data, origin } = outcome.error;
  const own = origin === "expression" || origin === "limit" ? {} : { message };
  return { error: { ...(isObject(data) ? data : {}), name, ...own } };
}

/** The members of an object that another one lists. */
function membersLike(listed: JsonObject, found: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(listed).flatMap((name) => {
      const value = own(found, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function withoutIdentity({ id: _, time: __, specversion: ___, ...event }: JsonObject): JsonObject {
  return event as JsonObject;
}
