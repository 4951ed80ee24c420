import { expect, test } from "vitest";
import { binary, firstOr, literal, member, variable } from "../../src/expressions/core/build.ts";
import { problemDetails } from "../../src/ir/problems.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Step, Workflow } from "../../src/ir/workflow.ts";
import type { JsonObject } from "../../src/json.ts";
import { raiseErrors } from "../../src/passes/index.ts";
import { targets } from "../../targets/index.ts";
import { assign, attempt, call, data, end, error, handler, scope, workflow } from "../reference/build.ts";
import { returns, throws } from "../reference/interpreting.ts";
import { compareOn } from "../targets/comparing.ts";

const raisedError = problemDetails({
  prefix: "https://a.example/errors/",
  errors: {
    communication: { status: 500, title: "Communication" },
    timeout: { status: 408, title: "Timeout" },
    expression: { status: 400, title: "Expression" },
  },
  origins: {
    function: "communication",
    timeout: "timeout",
    heartbeat: "timeout",
    expression: "expression",
    denied: "expression",
    noMatch: "expression",
    limit: "expression",
    fail: "communication",
  },
});

const at = (pointer: string, step: Step): Step => ({ ...step, origin: { ...step.origin, pointer } });

/** A call, and a handler of its errors, which keeps a part of them. */
const handling = (when: Parameters<typeof handler>[0], kept: string): Workflow => ({
  ...workflow(
    scope(
      ["data", "x"],
      at(
        "/do/0/try",
        attempt(
          "Try",
          scope(
            [],
            at("/do/0/try/0/ask", call("Ask", "ask", data, "Tried", { bind: "data", timeout: 60 })),
            end("Tried", literal(null)),
          ),
          "End",
          { handlers: [handler(when, "Caught", "x")] },
        ),
      ),
      assign("Caught", { x: firstOr(member(variable("x"), "data"), literal(null)) }, "Read"),
      end("Read", firstOr(member(variable("x"), kept), literal(null))),
      end("End", data),
    ),
  ),
  raisedError,
});

const ownStatus = firstOr(member(error, "data", "status"), literal(null));
const status = (value: number) => binary("==", ownStatus, literal(value));
const named = (value: string) => binary("==", member(error, "name"), literal(value));

const filters = [
  ["its own status", "title", status(503)],
  ["a standard status", "detail", status(500)],
  ["a standard name", "type", named("communication")],
  ["a URI", "status", named("https://b.example/taken")],
  ["the timeout", "title", named("timeout")],
  ["another status", "detail", binary("!=", ownStatus, literal(404))],
  ["a title", "type", binary("==", firstOr(member(error, "data", "title"), literal(null)), literal("Boom"))],
] as const;

const names = ["communication", "timeout", "https://b.example/taken", "Boom"];
const details: readonly (JsonObject | undefined)[] = [
  undefined,
  { status: 503 },
  { status: "503" },
  { type: "https://b.example/taken" },
  { type: "https://a.example/errors/communication", status: 404, detail: "gone" },
  { instance: "/elsewhere", status: 503 },
];
const replies = [
  ...names.flatMap((name) =>
    details.flatMap((data) => ["it broke", ""].map((message) => throws(name, message, 0, data))),
  ),
  returns(1, 90),
];

test.each(filters)("a handler by %s, which keeps the %s, agrees with the reference", async (_, kept, when) => {
  const asl = targets.find((target) => target.name === "asl")!;
  const handled = handling(when, kept);
  for (const reply of replies) await compareOn(asl, handled, { input: {}, functions: { ask: [reply] } });
});

test("steps of an attempt that reads parts of errors raise them as they are", () => {
  const handled = handling(status(503), "title");
  const raised = (defers: boolean) => stepsOf(raiseErrors(handled, { raised: "observed", defers }));
  expect(raised(false).some(({ id }) => id === "Ask/raise")).toBe(true);
  expect(raised(true).some(({ id }) => id === "Ask/raise")).toBe(false);
});
