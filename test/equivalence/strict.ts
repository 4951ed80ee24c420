import { stepsOf } from "../../src/ir/walk.ts";
import type { Program } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject } from "../../src/json.ts";
import type { CaseGenerator, EquivalenceCase } from "./case.ts";
import { isAborted, type Observation } from "./observe.ts";

/**
 * Rewrites a case so that hardly anything happens at one instant: all durations and arrivals differ, every function
 * takes time and has one response, and the generator moves concurrent parts of a definition apart.
 */
export function withoutTies(
  original: EquivalenceCase,
  { separate, alike = (response) => response }: Pick<CaseGenerator, "separate" | "alike">,
): EquivalenceCase {
  const times = createTimes();
  return {
    ...original,
    definitions: original.definitions.map((definition) =>
      isObject(definition) ? (withDistinctTimes(separate(definition), times) as JsonObject) : definition,
    ),
    scenarios: original.scenarios.map((scenario) => withSingleResponses(scenario, times, alike)),
  };
}

/** Whether actions of a program happen at one instant in an order that a platform may choose, or may not happen. */
export function hasTies({ workflows }: Program, expected: Observation): boolean {
  if (isAborted(expected)) return false;
  if (expected.some(({ cutOffs, failures }) => cutOffs.length + failures.length > 0)) return true;
  const isConcurrent =
    expected.length > 1 ||
    workflows.flatMap(stepsOf).some((step) => {
      if (step.kind === "invoke" || step.kind === "call") return !step.wait;
      return step.kind === "fork" || step.kind === "foreach";
    });
  const repeats = (instants: readonly number[]) => new Set(instants.map(inMicroseconds)).size < instants.length;
  return (
    repeats(expected.flatMap(({ calls }) => calls.map(({ at }) => at))) ||
    (isConcurrent && repeats(expected.flatMap(({ emitted }) => emitted.map(({ at }) => at))))
  );
}

const inMicroseconds = (seconds: number): number => Math.round(seconds * 1e6);

/** Makes durations distinct. */
interface DistinctTimes {
  /** Adds milliseconds to a duration in seconds. OpenWhisk waits for whole milliseconds. */
  fraction(seconds: number): string;
  /** Adds a few seconds, for durations that a platform may require to be whole. */
  whole(seconds: number): number;
}

function createTimes(): DistinctTimes {
  let count = 0;
  return {
    // 997 is prime, so the first 997 remainders differ.
    fraction: (seconds) => `PT${(seconds + ((++count * 389) % 997) / 1000).toFixed(3)}S`,
    whole: (seconds) => seconds + 1 + 2 * (++count % 11),
  };
}

/** Members of definitions whose values are durations. */
const durationKeys: ReadonlySet<string> = new Set([
  ...["timeout", "timeDelay", "eventTimeout", "interval", "duration", "delay", "increment"],
  ...["initialDelay", "time-delay", "retry-interval"],
]);

function withDistinctTimes(value: Json, times: DistinctTimes): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withDistinctTimes(item, times));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      durationKeys.has(key) && !isObject(item) ? distinct(item as Json, times) : withDistinctTimes(item as Json, times),
    ]),
  );
}

function distinct(duration: Json, times: DistinctTimes): Json {
  if (typeof duration === "number") return times.whole(duration);
  if (typeof duration !== "string") return duration;
  const wholeDuration = (length: number): string => `PT${times.whole(length)}S`;
  const seconds = secondsOf(duration);
  if (seconds !== undefined) return Number.isInteger(seconds) ? wholeDuration(seconds) : times.fraction(seconds);
  const clock = /^(\d\d):(\d\d):(\d\d)$/.exec(duration);
  if (clock) return wholeDuration(Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3]));
  const [, number, unit = ""] = /^(\d+)(s?)$/.exec(duration) ?? [];
  return number === undefined ? duration : `${times.whole(Number(number))}${unit}`;
}

/** The seconds of an ISO 8601 duration without years and months. */
function secondsOf(text: string): number | undefined {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  if (!parts || text === "P") return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

/** Gives each function one response that takes time, and each arrival and run an instant of its own. */
function withSingleResponses(
  scenario: JsonObject,
  times: DistinctTimes,
  alike: (response: JsonObject) => JsonObject,
): JsonObject {
  const single = (responses: Json, index: number): Json => {
    const all = Array.isArray(responses) ? (responses as readonly JsonObject[]) : [responses as JsonObject];
    const response = alike(all[index % 2 === 0 ? all.length - 1 : 0]!);
    return { ...response, takes: times.fraction(secondsOf(String(response["takes"])) ?? 0) };
  };
  const apart = (entries: Json): Json =>
    (entries as readonly JsonObject[]).map((each) => ({
      ...each,
      at: times.fraction(secondsOf(String(each["at"])) ?? 0),
    }));
  const { functions, events, runs } = scenario;
  return {
    ...scenario,
    ...(isObject(functions)
      ? {
          functions: Object.fromEntries(
            Object.entries(functions).map(([name, responses], i) => [name, single(responses as Json, i)]),
          ),
        }
      : {}),
    ...(events === undefined ? {} : { events: apart(events) }),
    ...(runs === undefined ? {} : { runs: apart(runs) }),
  };
}
