import type { JsonObject } from "../../../../src/json.ts";
import { later, type Place } from "./definitions.ts";

const occasions = [
  "name eq 'Busy'",
  "name eq 'Timeout'",
  "name ne 'Fatal'",
  "$.error ne null",
  "name eq 'Busy' or name eq 'Fatal'",
  "name eq 'DataMergeError'",
  "name eq 'Busy' and $.a == 1",
  "$.a == 1",
  "message eq 'no'",
] as const;

/** Retries and handlers of a state, perhaps. */
export const protection = (place: Place): JsonObject => ({ ...retries(place), ...handlers(place) });

function retries({ die }: Place): JsonObject {
  if (!die.chance(35)) return {};
  const retry = (): JsonObject => ({
    expression: { body: die.pick(occasions) },
    ...(die.chance(70) ? { interval: die.pick(["PT1S", "PT2S", "PT4S", "R2/PT3S", "PT0S"]) } : {}),
    ...(die.chance(30) ? { multiplier: die.pick(["PT3S", "2"]) } : {}),
    ...(die.chance(80) ? { maxAttempts: die.roll(3) } : {}),
  });
  return { retry: [retry(), ...(die.chance(40) ? [retry()] : [])] };
}

/** Handlers of a state, perhaps; the last state of a scope has none. */
export function handlers(place: Place): JsonObject {
  const { die, index, names } = place;
  if (index === names.length - 1 || !die.chance(35)) return {};
  const handler = (): JsonObject => ({
    expression: { body: die.pick(occasions) },
    ...(die.chance(30) ? { errorDataFilter: { dataOutputPath: die.pick(["$.problem", "$.name", "$.a.b"]) } } : {}),
    transition: { nextState: later(place) },
  });
  return { onError: [handler(), ...(die.chance(40) ? [handler()] : [])] };
}
