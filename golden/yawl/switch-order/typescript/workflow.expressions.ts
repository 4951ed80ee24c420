// workflow 0.1, from yawl. Change the definition, not this file.
import { type Json, equalValues, memberOf, testRegex, toText } from "./runtime.js";

export function route(state: Json): Json {
  const condition = toText(
    testRegex(toText(memberOf(state, "total") ?? null), {
      source: "^[0-9]+(?=\\n?$)",
      flags: "u",
      groups: [],
      ligatures: false,
      negated: false,
      words: false,
    }),
  );
  return equalValues(condition, true) || condition === "true";
}
