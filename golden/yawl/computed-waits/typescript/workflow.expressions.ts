// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Json,
  isGreater,
  isLess,
  memberOf,
  raise,
  testRegex,
  toFinite,
  toNumber,
  toText,
  trimSuffix,
} from "./runtime.js";

export function rest(state: Json): Json {
  const given = memberOf(state, "pause") ?? null;
  let value: Json;
  if (typeof given === "number") {
    value = given;
  } else {
    const duration = toText(given);
    value = testRegex(duration, {
      flags: "u",
      groups: [],
      ligatures: false,
      negated: false,
      words: false,
      source: "^-?(?:[0-9]+\\x2e?[0-9]*|\\x2e[0-9]+)s?$",
    })
      ? toNumber(trimSuffix(duration, "s"))
      : raise({
          name: "STEP_INVALID_ARGUMENT",
          message: "Wait step rest gives no number of seconds.",
        });
  }
  return isLess(value, 0)
    ? 0
    : isGreater(value, 172_800)
      ? raise({
          name: "STEP_INVALID_ARGUMENT",
          message: "Wait step rest waits for more than 48 hours.",
        })
      : toFinite(value);
}
