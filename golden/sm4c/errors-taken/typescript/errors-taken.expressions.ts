// errors-taken 1.0, from sm4c. Change the definition, not this file.
import { type Json, get, memberOf, withMember } from "./runtime.js";

export function chargeError3(data: Json, error: Json): Json {
  const value = {
    Message: memberOf(error, "message") === undefined ? "" : memberOf(error, "message")!,
    ClassName: memberOf(error, "name") === undefined ? "" : memberOf(error, "name")!,
    Data: memberOf(memberOf(error, "data"), "Data") ?? null,
  };
  return withMember(data, "whole", {
    Message: get(value, "Message"),
    ClassName: get(value, "ClassName"),
  });
}
