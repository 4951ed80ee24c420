import type { Json, JsonObject } from "../../json.ts";
import { hasKey, isRecord } from "./types.ts";

/**
 * `problem(error, pointer, standard)`: the error with problem details (RFC 9457) as its data, or the error itself if it
 * has them. `standard` has a `prefix` of types, `errors` with `status` and `title` by name, and by `origins` the names of
 * those that other errors are.
 */
export function problemOf(error: Json, pointer: Json, standard: Json): Json {
  const data = memberIn(error, "data");
  if (isRecord(data) && hasKey(data, "instance")) return error;
  const [origin, name, message] = ["origin", "name", "message"].map((key) => memberIn(error, key) as string);
  const isOfFunction = origin === "function";
  const isStandard = isOfFunction && memberIn(memberIn(standard, "errors"), name!) !== null;
  const isUri = isOfFunction && /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(name!);
  const kind = isStandard ? name! : memberIn(memberIn(standard, "origins"), origin!);
  const known = memberIn(memberIn(standard, "errors"), kind as string);
  const standardType = `${memberIn(standard, "prefix")}${kind}`;
  const type = given(data, "type", "string", isUri ? name! : standardType);
  const status = given(data, "status", "number", memberIn(known, "status"));
  const isNamed = isStandard || isUri;
  const isOwn = isOfFunction || origin === "fail";
  const title =
    (isNamed && message !== "") || (!isNamed && isOwn) ? (isNamed ? message! : name!) : memberIn(known, "title");
  const isGeneric = origin === "expression" || origin === "timeout";
  const detail = given(data, "detail", "string", isNamed || isGeneric ? "" : message!);
  const details = { type, status, title, ...(detail === "" ? {} : { detail }), instance: pointer };
  return { origin: origin!, name: type === standardType ? kind : type, message: title, data: details };
}

/** `problemName(error, standard)`: the name of the error with problem details. */
export const problemName = (error: Json, standard: Json): Json => memberIn(problemOf(error, null, standard), "name");

/** `problemType(error, standard)`: the type in its problem details. */
export const problemType = (error: Json, standard: Json): Json => detailOf(error, standard, "type");

/** `problemStatus(error, standard)`: the status in its problem details. */
export const problemStatus = (error: Json, standard: Json): Json => detailOf(error, standard, "status");

/** `problemTitle(error, standard)`: the title in its problem details. */
export const problemTitle = (error: Json, standard: Json): Json => detailOf(error, standard, "title");

/** `problemDetail(error, standard)`: the detail in its problem details, or null. */
export const problemDetail = (error: Json, standard: Json): Json => detailOf(error, standard, "detail");

const detailOf = (error: Json, standard: Json, name: string): Json =>
  memberIn(memberIn(problemOf(error, null, standard), "data"), name);

/** A member of an object; null if there is no such member. */
const memberIn = (value: Json, name: string): Json =>
  isRecord(value) && hasKey(value, name) ? (value as JsonObject)[name]! : null;

/** A member of the data if it has the type. */
function given(data: Json, name: string, type: string, otherwise: Json): Json {
  const value = memberIn(data, name);
  return typeof value === type ? value : otherwise;
}
