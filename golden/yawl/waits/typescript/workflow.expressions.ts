// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, raise, testRegex, toText } from "./runtime.js";

const opening__1_ = {
  source: "^[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\x2e[0-9]+)?(?:Z|[-+](?:[01][0-9]|2[0-3]):[0-5][0-9])$",
  flags: "u",
  groups: [],
  ligatures: false,
  negated: false,
  words: false,
};
const opening__2_ = { name: "STEP_INVALID_ARGUMENT", message: "Wait step opening gives no ISO 8601 timestamp." };

function opening_(input, state: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(state, "opens");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  const until = toText(found);
  return testRegex(until, opening__1_) ? until : raise(opening__2_);
}

export const opening = (v1: Json): Json => opening_(null, v1);
