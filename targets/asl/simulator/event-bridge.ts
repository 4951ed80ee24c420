import { isObject, type Json, type JsonObject } from "../../../src/json.ts";
import { eventBridgeLimits, reservedSource } from "../event-entries.ts";
import { StateError } from "./environment.ts";

/**
 * The response of EventBridge to a Task that puts entries. Fails like the Task if EventBridge rejects the request or an
 * entry.
 */
export function putEntries(entries: readonly JsonObject[]): JsonObject {
  const { entries: most, bytes } = eventBridgeLimits;
  if (entries.length < 1 || entries.length > most)
    throw invalid(`Value at 'entries' failed to satisfy constraint: Member must have length from 1 to ${most}`);
  if (entries.reduce((sum, entry) => sum + entrySize(entry), 0) >= bytes)
    throw invalid("Total size of the entries in the request is over the limit.");
  const results = entries.map((entry, i) => faultOf(entry) ?? { EventId: `event-${i}` });
  const response = { FailedEntryCount: results.filter((each) => "ErrorCode" in each).length, Entries: results };
  if (response.FailedEntryCount > 0) throw new StateError("EventBridge.FailedEntry", JSON.stringify(response));
  return response;
}

const invalid = (message: string): StateError =>
  new StateError("EventBridge.ValidationException", `1 validation error detected: ${message}`);

/** The size of an entry as EventBridge counts it. */
function entrySize({ Source, DetailType, Detail = "", Resources = [], Time }: JsonObject): number {
  const detail = typeof Detail === "string" ? Detail : JSON.stringify(Detail);
  const texts = [Source, DetailType, detail, ...(Array.isArray(Resources) ? (Resources as readonly Json[]) : [])];
  return texts.reduce<number>((sum, text) => sum + Buffer.byteLength(String(text ?? "")), Time === undefined ? 0 : 14);
}

function faultOf({ Source, DetailType, Detail }: JsonObject): JsonObject | undefined {
  const fault = (name: string, reason: string): JsonObject => ({
    ErrorCode: "InvalidArgument",
    ErrorMessage: `Parameter ${name} is not valid. Reason: ${reason}.`,
  });
  if (typeof Source !== "string" || Source === "") return fault("Source", "Source is a required argument");
  if (typeof DetailType !== "string" || DetailType === "")
    return fault("DetailType", "DetailType is a required argument");
  const { detailType } = eventBridgeLimits;
  if (DetailType.length > detailType) return fault("DetailType", `DetailType has more than ${detailType} characters`);
  if (!isObject(Detail)) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
  if (Source.startsWith(reservedSource))
    return { ErrorCode: "NotAuthorizedForSourceException", ErrorMessage: "Not authorized for the source." };
  return undefined;
}
