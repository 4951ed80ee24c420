import type { CloudEvent } from "../events.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { decode, parse } from "./body.ts";
import { Refusal } from "./refusal.ts";

/** A received request. */
export interface Received {
  /** In lower case; what came twice with commas. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** The content type without parameters. */
  readonly type: string;
  readonly body: Uint8Array;
}

/** The events of a request in one of the modes of the HTTP protocol binding of CloudEvents 1.0: structured, batched, or binary. Refuses other requests. */
export function eventsIn(received: Received): readonly CloudEvent[] {
  const { type, body } = received;
  if (type === "application/cloudevents-batch+json") return batch(parse(decode(body)));
  if (type === "application/cloudevents+json") return [structuredEvent(parse(decode(body)), "The event", "The body")];
  if (type.startsWith("application/cloudevents"))
    throw new Refusal(415, "Unknown format", `Events in the format ${type} are not read here: JSON is.`);
  return [checked(fromHeaders(received), "The event")];
}

/** An event in structured mode: an object with the attributes and the data. */
export const structuredEvent = (body: Json, what: string, whole: string = what): CloudEvent =>
  checked(fromJson(body, whole), what);

function batch(body: Json): readonly CloudEvent[] {
  if (!Array.isArray(body)) throw new Refusal(400, "Not a batch", "The body is not an array of events.");
  return body.map((event: Json, i) => structuredEvent(event, `Event ${i + 1} of the batch`));
}

/** An event in structured mode. `data_base64` becomes the data. */
function fromJson(body: Json, what: string): JsonObject {
  if (!isObject(body)) throw new Refusal(400, "Not an event", `${what} is not an object.`);
  if (!Object.hasOwn(body, "data_base64")) return body;
  const { data_base64: encoded, ...event } = body;
  if (typeof encoded !== "string" || Object.hasOwn(event, "data"))
    throw new Refusal(400, "Not an event", `${what} has data_base64 that is not a string, or next to data.`);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw new Refusal(400, "Not an event", `The data_base64 of ${what.toLowerCase()} is not base64.`);
  return { ...event, data: dataOf(Buffer.from(encoded, "base64"), textIn(event, "datacontenttype") ?? "") };
}

/** Binary mode: the attributes are headers that begin with `ce-`, the body is the data. */
function fromHeaders({ headers, body }: Received): JsonObject {
  const attributes: { [name: string]: Json } = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("ce-")) attributes[name.slice(3)] = unescaped(String(value));
  }
  if (Object.keys(attributes).length === 0) {
    throw new Refusal(
      415,
      "Not an event",
      "There is no event: the content type is not application/cloudevents+json, and there are no headers ce-….",
    );
  }
  const type = headers["content-type"];
  if (type !== undefined) attributes["datacontenttype"] = String(type);
  return body.length === 0 ? attributes : { ...attributes, data: dataOf(body, String(type ?? "")) };
}

/** Decodes data: JSON of a JSON type, else a string; bytes that are not UTF-8 as base64. */
function dataOf(bytes: Uint8Array, type: string): Json {
  if (type === "" || /^[\w.+-]+\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) return parse(decode(bytes));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("base64");
  }
}

/** Header values are percent-encoded where they are not plain. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    return text;
  }
}

const required = ["specversion", "id", "source", "type"];

/** Whether a string has no lone surrogate, which some stores would replace. */
const isWhole = (text: string): boolean => text.isWellFormed();

/** The form of each attribute of the specification, and what has it. */
const forms: { readonly [name: string]: readonly [form: string, isOf: (text: string) => boolean] } = {
  specversion: ["a string", () => true],
  id: ["a string", isWhole],
  source: ["a URI reference", isReference],
  type: ["a string", isWhole],
  datacontenttype: ["a string", () => true],
  dataschema: ["a URI", (text) => /^[a-z][a-z\d+.-]*:[^?#]/i.test(text) && isReference(text)],
  subject: ["a string", () => true],
  time: ["a time like 2026-01-31T12:00:00Z", isTime],
};

/** Validates an event, and returns it unchanged. Attributes that are null count as absent. */
function checked(event: JsonObject, what: string): CloudEvent {
  for (const name of required) {
    if (textIn(event, name) === undefined)
      throw new Refusal(400, "Malformed event", `${what} has no ${name}, or one that is not a string.`);
  }
  if (event["specversion"] !== "1.0")
    throw new Refusal(400, "Malformed event", `${what} is of version ${event["specversion"]}; 1.0 is read here.`);
  for (const [name, value] of Object.entries(event)) {
    if (!Object.hasOwn(forms, name)) {
      if (name !== "data") requireExtension(name, value, what);
      continue;
    }
    const [form, isOf] = forms[name]!;
    if (value !== null && !(typeof value === "string" && value !== "" && isOf(value)))
      throw new Refusal(400, "Malformed event", `${what} is malformed: its ${name} is not ${form}.`);
  }
  return event as CloudEvent;
}

const letter = "[\\w.~!$&'()*+,;=-]|%[0-9a-f]{2}";
const reference = new RegExp(
  `^(?:[a-z][a-z\\d+.-]*:)?(?://(?:(?:${letter}|:)*@)?(?:\\[([^\\]]*)\\]|(?:${letter})*)(?::\\d*)?(?=[/?#]|$))?` +
    `(?:${letter}|[/:@])*(?:\\?(?:${letter}|[/:@?])*)?(?:#(?:${letter}|[/:@?])*)?$`,
  "i",
);

/** Whether a string is a URI reference (RFC 3986, with colons in all segments). */
function isReference(text: string): boolean {
  const found = reference.exec(text);
  if (!found) return false;
  const address = found[1];
  return (
    address === undefined ||
    process.getBuiltinModule("node:net").isIPv6(address) ||
    /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i.test(address)
  );
}

/** Whether a string is a time of RFC 3339 on an existing day. A leap second must end a day of UTC. */
function isTime(text: string): boolean {
  const found = /^(\d{4}-\d\d-\d\d)[t ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (!found) return false;
  const [, day = "", hours, minutes, seconds, sign, ...offset] = found;
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) return false;
  const [shiftedHours, shiftedMinutes] = offset.map((part) => Number(`${sign ?? "+"}${part ?? 0}`));
  if (Number(hours) > 23 || Number(minutes) > 59 || Math.abs(shiftedHours!) > 23 || Math.abs(shiftedMinutes!) > 59)
    return false;
  const minute = (Number(hours) - shiftedHours!) * 60 + Number(minutes) - shiftedMinutes!;
  return Number(seconds) < 60 || (Number(seconds) === 60 && (minute + 1440) % 1440 === 1439);
}

function requireExtension(name: string, value: Json | undefined, what: string): void {
  if (!/^[a-z0-9]{1,100}$/.test(name))
    throw new Refusal(400, "Malformed event", `${what} has an attribute whose name has more than a to z and 0 to 9.`);
  if (typeof value === "object")
    throw new Refusal(400, "Malformed event", `The attribute ${name} is not a string, number or boolean.`);
}

function textIn(event: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(event, name) ? event[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
