import { expect, test } from "vitest";
import { literal, member, object, variable } from "../../src/expressions/core/build.ts";
import { printWorkflow } from "../../src/ir/print.ts";
import { type Protocol, printProtocol } from "../../src/ir/protocols.ts";
import { verify } from "../../src/ir/verify.ts";
import { versionOf } from "../../src/ir/version.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { call, data, end, scope, workflow } from "../reference/build.ts";

const oauth2 = {
  kind: "oauth2",
  grant: "password",
  endpoint: "https://login.example.com/token",
  client: { id: { kind: "text", text: "shop" }, secret: { kind: "secret", id: "shop", key: "pw" }, place: "body" },
  user: { name: { kind: "text", text: "ann" }, password: { kind: "secret", id: "ann", key: "pw" } },
  scopes: ["a", "b"],
  audiences: ["x"],
} as const;

test.each<[Protocol, string]>([
  [
    { kind: "http", failure: "communication", accept: { from: 200, to: 299 }, answer: "response", redirects: "follow" },
    "http failing as communication accepting 200 to 299 giving its response following redirects",
  ],
  [
    { kind: "http", authentication: oauth2 },
    'http with a token by password from "https://login.example.com/token" for "shop" and secret "shop" "pw" in the body and "ann", secret "ann" "pw" with scopes "a", "b" for audiences "x"',
  ],
  [{ kind: "process", program: "container" }, "process container"],
  [{ kind: "run" }, "built-in run"],
])("%j is printed", (protocol, wanted) => {
  expect(printProtocol(protocol)).toBe(wanted);
});

const calling = (rest: Partial<Workflow> = {}, protocol?: Protocol): Workflow => {
  const made = workflow(scope(["data"], call("Ask", "ask", data, "End", { bind: "data" }), end("End", data)));
  return { ...made, functions: made.functions.map((each) => ({ ...each, protocol })), ...rest };
};

const raisedError = object([
  ["name", literal("a")],
  ["message", literal("b")],
]);

test.each<[string, Workflow, readonly string[]]>([
  ["a raised error over the error and the pointer", calling({ raisedError }), []],
  [
    "a raised error over another variable",
    calling({ raisedError: variable("data") }),
    ["The raised error uses the variable `data`, which is not in scope."],
  ],
  [
    "a raised error that may be missing",
    calling({ raisedError: member(variable("error"), "data") }),
    ["The raised error may fail or yields no single value."],
  ],
  [
    "accepted statuses without the name of an error",
    calling({}, { kind: "http", accept: { from: 200, to: 299 } }),
    ["Function `ask` accepts some statuses, but the error of the others has no name."],
  ],
  [
    "a form of the result without accepted statuses",
    calling({}, { kind: "http", answer: "raw" }),
    ["Function `ask` does not say which statuses it accepts."],
  ],
])("%s", (_, made, wanted) => {
  expect(verify(made)).toEqual(wanted);
});

test("pointers are printed, and count in versions only where errors show them", () => {
  const at = (made: Workflow, pointer: string): Workflow => ({
    ...made,
    body: {
      ...made.body,
      steps: made.body.steps.map((step) => ({ ...step, origin: { ...step.origin, pointer } })),
    },
  });
  const version = (made: Workflow) => versionOf(made, new Map());
  expect(printWorkflow(at(calling({ raisedError }), "/do/0/a"))).toContain('errors become { name: "a", message: "b" }');
  expect(printWorkflow(at(calling(), "/do/0/a"))).toContain('# state "Ask" at "/do/0/a"');
  expect(version(at(calling(), "/do/0/a"))).toBe(version(at(calling(), "/do/1/a")));
  expect(version(at(calling({ raisedError }), "/a"))).not.toBe(version(at(calling({ raisedError }), "/b")));
});
