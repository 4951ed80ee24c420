// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Json,
  equalValues,
  floor,
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
    const written = toText(given);
    value = testRegex(written, {
      source: "^-?(?:[0-9]+\\x2e?[0-9]*|\\x2e[0-9]+)s?$",
      flags: "u",
      groups: [],
      ligatures: false,
      negated: false,
      words: false,
    })
      ? toNumber(trimSuffix(written, "s"))
      : raise({
          name: "STEP_INVALID_ARGUMENT",
          message: "Wait step rest gives no whole number of seconds; `| floor` rounds one.",
        });
  }
  const seconds = equalValues(value, floor(value))
    ? floor(value)
    : raise({
        name: "STEP_INVALID_ARGUMENT",
        message: "Wait step rest gives no whole number of seconds; `| floor` rounds one.",
      });
  return isLess(seconds, 0)
    ? 0
    : isGreater(seconds, 172_800)
      ? raise({
          name: "STEP_INVALID_ARGUMENT",
          message: "Wait step rest waits for more than 48 hours.",
        })
      : toFinite(seconds);
}
