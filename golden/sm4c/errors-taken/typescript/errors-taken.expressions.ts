// errors-taken 1.0, from sm4c. Change the definition, not this file.
import { type Json, type JsonObject, absent, memberOf, withMember } from "./runtime.js";

const getMessage = (value: Json): Json =>
  (value as JsonObject | null)?.Message ?? absent(value, "Message");
const getClassName = (value: Json): Json =>
  (value as JsonObject | null)?.ClassName ?? absent(value, "ClassName");

export function chargeError3(data: Json, error: Json): Json {
  const value = {
    Message: memberOf(error, "message") === undefined ? "" : memberOf(error, "message")!,
    ClassName: memberOf(error, "name") === undefined ? "" : memberOf(error, "name")!,
    Data: memberOf(memberOf(error, "data"), "Data") ?? null,
  };
  return withMember(data, "whole", { Message: getMessage(value), ClassName: getClassName(value) });
}
