import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import {
  binary,
  collect,
  comma,
  literal,
  member,
  object,
  query,
  variable,
} from "../../../src/expressions/core/build.ts";
import { receivedPart } from "../../../targets/asl/received-parts.ts";
import { allOf, assign, data, end, event, receive, scope, workflow } from "../../reference/build.ts";

// The part of received events that a workflow reads decides what the result of a wait contains if it is large.

const received = variable("received");
const firstOf = (part: string): Expression =>
  query(received, [
    { descend: false, selectors: [{ kind: "name", name: part }] },
    { descend: false, selectors: [{ kind: "index", index: 0 }] },
    { descend: false, selectors: [{ kind: "name", name: "event" }] },
  ]);
const isFirst = binary("==", member(received, "alternative"), literal(0));

test.each([
  ["nothing but the alternative", isFirst, "events"],
  ["events in order of arrival", object([["a", firstOf("events")]]), "events"],
  ["events by group", collect(comma(isFirst, firstOf("groups"))), "groups"],
  ["events in both forms", collect(comma(firstOf("events"), firstOf("groups"))), "all"],
  ["another member", member(received, "other"), "all"],
  ["the result as a whole", object([["kept", received]]), "all"],
  ["none of it", data, "events"],
] as const)("a workflow that reads %s", (_, value, part) => {
  const body = scope(
    ["data", "received"],
    receive("Await", [allOf("a")], "received", "Keep"),
    assign("Keep", { data: value }, "End"),
    end("End", data),
  );
  expect(receivedPart(workflow(body, { events: [event("a")] }))).toBe(part);
});
