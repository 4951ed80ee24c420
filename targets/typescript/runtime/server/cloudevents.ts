import { CloudEvent as Checked, ValidationError } from "cloudevents";
import type { CloudEvent } from "../events.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { decode, parse } from "./body.ts";
import { Refusal } from "./refusal.ts";

/** What has come by HTTP. */
export interface Received {
  /** In lower case; what came twice with commas. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** The content type without parameters. */
  readonly type: string;
  readonly body: Uint8Array;
}

/** The events of a request in one of the modes of the HTTP protocol binding of CloudEvents 1.0: structured, batched, or binary. Refuses what is none. */
export function eventsIn(received: Received): readonly CloudEvent[] {
  const { type, body } = received;
  if (type === "application/cloudevents-batch+json") return batch(parse(decode(body)));
  if (type === "application/cloudevents+json") return [checked(fromJson(parse(decode(body)), "The body"), "The event")];
  if (type.startsWith("application/cloudevents"))
    throw new Refusal(415, "Unknown format", `Events in the format ${type} are not read here: JSON is.`);
  return [checked(fromHeaders(received), "The event")];
}

function batch(body: Json): readonly CloudEvent[] {
  if (!Array.isArray(body)) throw new Refusal(400, "No batch", "The body is not a list of events.");
  return body.map((event: Json, i) =>
    checked(fromJson(event, `Event ${i + 1} of the batch`), `Event ${i + 1} of the batch`),
  );
}

/** Structured mode. What stands in `data_base64` becomes the data. */
function fromJson(body: Json, what: string): JsonObject {
  if (!isObject(body)) throw new Refusal(400, "No event", `${what} is not an object.`);
  if (!Object.hasOwn(body, "data_base64")) return body;
  const { data_base64: encoded, ...event } = body;
  if (typeof encoded !== "string" || Object.hasOwn(event, "data"))
    throw new Refusal(400, "No event", `${what} has data_base64 that is no text, or beside data.`);
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded))
    throw new Refusal(400, "No event", `The data_base64 of ${what.toLowerCase()} is not base64.`);
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
      "No event",
      "There is no event: the content type is not application/cloudevents+json, and there are no headers ce-….",
    );
  }
  const type = headers["content-type"];
  if (type !== undefined) attributes["datacontenttype"] = String(type);
  return body.length === 0 ? attributes : { ...attributes, data: dataOf(body, String(type ?? "")) };
}

/** Data of a JSON type as JSON, of another type as text; what is no text as base64. */
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

/** The attributes of the specification. */
const attributes: ReadonlySet<string> = new Set([...required, "datacontenttype", "dataschema", "subject", "time"]);

/**
 * An event that is one by the specification, as it came. The kit makes up an id and a version where they are missing, so that they are looked for before
 * it checks the form of what is there.
 */
function checked(event: JsonObject, what: string): CloudEvent {
  for (const name of required) {
    if (textIn(event, name) === undefined)
      throw new Refusal(400, "Malformed event", `${what} has no ${name}, or one that is no text.`);
  }
  if (event["specversion"] !== "1.0")
    throw new Refusal(400, "Malformed event", `${what} is of version ${event["specversion"]}; 1.0 is read here.`);
  const core: { [name: string]: Json | undefined } = {};
  for (const [name, value] of Object.entries(event)) {
    if (attributes.has(name)) core[name] = value;
    else if (name !== "data") requireExtension(name, value, what);
  }
  try {
    void new Checked(core as Partial<Checked<undefined>>, true);
  } catch (reason) {
    throw new Refusal(400, "Malformed event", `${what} is malformed: ${wordsOf(reason)}.`);
  }
  return event as CloudEvent;
}

function requireExtension(name: string, value: Json | undefined, what: string): void {
  if (!/^[a-z0-9]{1,100}$/.test(name))
    throw new Refusal(400, "Malformed event", `${what} has an attribute whose name has more than a to z and 0 to 9.`);
  if (typeof value === "object")
    throw new Refusal(400, "Malformed event", `The attribute ${name} is no text, number or boolean.`);
}

function textIn(event: JsonObject, name: string): string | undefined {
  const value = Object.hasOwn(event, name) ? event[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The first thing that is wrong, in one line. */
function wordsOf(reason: unknown): string {
  const [first] =
    reason instanceof ValidationError && Array.isArray(reason.errors) ? (reason.errors as readonly unknown[]) : [];
  if (first instanceof Object && "instancePath" in first && "message" in first)
    return `${String(first.instancePath).slice(1)} ${String(first.message)}`.trim();
  return reason instanceof Error ? reason.message.split("\n")[0]!.slice(0, 200) : "it is not as the specification says";
}
