// event-spellings 1.0, from sm4c. Change the definition, not this file.
import {
  type Json,
  checkPathResult,
  deletePaths,
  elementOf,
  get,
  memberOf,
  plus,
  withMember,
} from "./runtime.js";

export function wholeEvent(data: Json, received: Json): Json {
  const id = memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "id") ?? null;
  const source =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "source") ?? null;
  const type =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "type") ?? null;
  const time =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "time") ?? null;
  const value =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "data") ?? null;
  const event = memberOf(elementOf(memberOf(received, "groups"), 0), "event");
  if (event !== undefined) {
    const result = {
      EventId: id,
      EventName: "paid",
      EventSource: source,
      EventType: type,
      Timestamp: time,
      Data: value,
      ContextAttributes: deletePaths(event, [
        ["specversion"],
        ["id"],
        ["source"],
        ["type"],
        ["subject"],
        ["time"],
        ["datacontenttype"],
        ["dataschema"],
        ["data"],
      ]),
    };
    const current = memberOf(elementOf(memberOf(received, "groups"), 0), "event");
    if (current !== undefined) {
      const other = plus(current, result);
      const values: Json[] = [];
      const use = (value2: Json, path: readonly Json[], at: Json, copied: boolean | undefined) => {
        checkPathResult(value2, at, copied);
        values.push(path);
      };
      {
        const value2 = get(other, "time");
        use(value2, ["time"], value2, true);
      }
      {
        const value2 = get(other, "Timestamp");
        use(value2, ["Timestamp"], value2, true);
      }
      return withMember(data, "whole", deletePaths(other, values));
    }
  }
  return null;
}
