import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/json.ts";
import { StateError } from "../../../../targets/asl/simulator/environment.ts";
import { putEntries } from "../../../../targets/asl/simulator/event-bridge.ts";

const entry: JsonObject = { Source: "/shop", DetailType: "told", Detail: { id: "1" } };

/** The response, or the error and its cause. */
function put(entries: readonly JsonObject[]): JsonObject | readonly [string | undefined, string | undefined] {
  try {
    return putEntries(entries);
  } catch (error) {
    if (error instanceof StateError) return [error.error, error.cause];
    throw error;
  }
}

test("a request has one to ten entries", () => {
  expect(put([entry, entry])).toEqual({
    FailedEntryCount: 0,
    Entries: [{ EventId: "event-0" }, { EventId: "event-1" }],
  });
  expect(put(Array.from({ length: 10 }, () => entry))).toMatchObject({ FailedEntryCount: 0 });
  const invalid = ["EventBridge.ValidationException", expect.stringContaining("length from 1 to 10")];
  expect(put(Array.from({ length: 11 }, () => entry))).toEqual(invalid);
  expect(put([])).toEqual(invalid);
});

test("a request has less than 1 MB", () => {
  const sized = (bytes: number, more: JsonObject = {}) => {
    const empty = { Source: "/shop", DetailType: "told", Detail: { data: "" }, ...more };
    const around = "/shop".length + "told".length + JSON.stringify(empty.Detail).length + (more["Time"] ? 14 : 0);
    return put([{ ...empty, Detail: { data: "x".repeat(bytes - around) } }]);
  };
  const invalid = ["EventBridge.ValidationException", expect.stringContaining("is over the limit")];
  expect(sized(1024 * 1024 - 1)).toMatchObject({ FailedEntryCount: 0 });
  expect(sized(1024 * 1024)).toEqual(invalid);
  expect(sized(1024 * 1024 - 1, { Time: "2026-01-01T00:00:00Z" })).toMatchObject({ FailedEntryCount: 0 });
});

test.each([
  ["no source", { Source: "" }, "InvalidArgument", "Parameter Source is not valid"],
  ["no type", { DetailType: "" }, "InvalidArgument", "Parameter DetailType is not valid"],
  ["a type of 129 characters", { DetailType: "t".repeat(129) }, "InvalidArgument", "more than 128 characters"],
  ["a detail that is no object", { Detail: [1] }, "MalformedDetail", "Detail is malformed."],
  ["a source of AWS", { Source: "aws.s3" }, "NotAuthorizedForSourceException", "Not authorized for the source."],
])("an entry with %s fails the Task", (_, fault, code, message) => {
  const seen = put([entry, { ...entry, ...fault }]) as readonly [string, string];
  expect(seen[0]).toBe("EventBridge.FailedEntry");
  const failed = { ErrorCode: code, ErrorMessage: expect.stringContaining(message) };
  expect(JSON.parse(seen[1])).toEqual({ FailedEntryCount: 1, Entries: [{ EventId: "event-0" }, failed] });
  expect(put([{ ...entry, DetailType: "t".repeat(128) }])).toMatchObject({ FailedEntryCount: 0 });
});
