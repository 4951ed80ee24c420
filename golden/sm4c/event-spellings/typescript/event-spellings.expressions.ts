// event-spellings 1.0, from sm4c. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  asciiDowncase,
  checkPathResult,
  deletePaths,
  elementOf,
  memberOf,
  plus,
  withMember,
} from "./runtime.js";

const getN = (value: Json): Json => (value as JsonObject | null)?.n ?? absent(value, "n");
const getTime = (value: Json): Json => (value as JsonObject | null)?.time ?? absent(value, "time");
const getTimestamp = (value: Json): Json =>
  (value as JsonObject | null)?.Timestamp ?? absent(value, "Timestamp");

export function waitEvent(data: Json, received: Json): Json {
  const id = memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "id") ?? null;
  const eventSubject =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "subject") ?? null;
  const value =
    typeof eventSubject === "string" && asciiDowncase(eventSubject) === "paid"
      ? eventSubject
      : "paid";
  const source =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "source") ?? null;
  const type =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "type") ?? null;
  const time =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "time") ?? null;
  const n = getN(
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "data") ?? null,
  );
  const event = memberOf(elementOf(memberOf(received, "groups"), 0), "event");
  if (event !== undefined) {
    return withMember(data, "seen", {
      a: id,
      b: value,
      c: source,
      d: type,
      e: time,
      f: n,
      g: deletePaths(event, [
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
      h: getN(
        memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "data") ?? null,
      ),
      i: memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "type") ?? null,
      j: memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "order") ?? null,
    });
  }
  return null;
}

export function wholeEvent(data: Json, received: Json): Json {
  const id = memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "id") ?? null;
  const eventSubject =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "subject") ?? null;
  const value =
    typeof eventSubject === "string" && asciiDowncase(eventSubject) === "paid"
      ? eventSubject
      : "paid";
  const source =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "source") ?? null;
  const type =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "type") ?? null;
  const time =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "time") ?? null;
  const result =
    memberOf(memberOf(elementOf(memberOf(received, "groups"), 0), "event"), "data") ?? null;
  const event = memberOf(elementOf(memberOf(received, "groups"), 0), "event");
  if (event !== undefined) {
    const current = {
      EventId: id,
      EventName: value,
      EventSource: source,
      EventType: type,
      Timestamp: time,
      Data: result,
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
    const other = memberOf(elementOf(memberOf(received, "groups"), 0), "event");
    if (other !== undefined) {
      const value2 = plus(other, current);
      const values: Json[] = [];
      const use = (value3: Json, path: readonly Json[], at: Json, copied: boolean | undefined) => {
        checkPathResult(value3, at, copied);
        values.push(path);
      };
      {
        const value3 = getTime(value2);
        use(value3, ["time"], value3, true);
      }
      {
        const value3 = getTimestamp(value2);
        use(value3, ["Timestamp"], value3, true);
      }
      return withMember(data, "whole", deletePaths(value2, values));
    }
  }
  return null;
}
