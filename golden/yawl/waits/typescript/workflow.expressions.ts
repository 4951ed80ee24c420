// workflow 0.1, from yawl. Change the definition, not this file.
import { type Json, memberOf, raise, testRegex, toText } from "./runtime.js";

export function opening(state: Json): Json {
  const until = toText(memberOf(state, "opens") ?? null);
  return testRegex(until, {
    flags: "u",
    groups: [],
    ligatures: false,
    negated: false,
    words: false,
    source:
      "^[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\x2e[0-9]+)?(?:Z|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
  })
    ? until
    : raise({
        name: "STEP_INVALID_ARGUMENT",
        message: "Wait step opening gives no ISO 8601 timestamp.",
      });
}
