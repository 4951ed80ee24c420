import { expect, test } from "vitest";
import { generate } from "../../../src/compile.ts";
import { type Document, readDocuments } from "../../../src/documents/index.ts";
import { type Expression, literal, object, variable } from "../../../src/expressions/index.ts";
import type { Protocol } from "../../../src/ir/protocols.ts";
import type { FunctionDefinition, Workflow } from "../../../src/ir/workflow.ts";
import { programOf } from "../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../src/json.ts";
import { emptyConfiguration } from "../../../src/target/contract.ts";
import { asl } from "../../../targets/asl/index.ts";
import { branch, call, data, delay, end, fork, raise, scope, span, workflow } from "../../reference/build.ts";
import { substitution } from "./compiled.ts";

const argument = object([["n", literal(1)]]);
const lambda = "arn:aws:lambda:eu-west-1:123456789012:function:f";
const defined = { ...span, start: 7, end: 9 };

/** A workflow that calls `f`, which has this definition. */
function calling(definition: Partial<FunctionDefinition>, steps = 2, given: Expression = argument): Workflow {
  const names = Array.from({ length: steps }, (_, i) => `Call ${i}`);
  const calls = names.map((name, i) => call(name, "f", given, names[i + 1] ?? "End", { bind: "data" }));
  const made = workflow(scope(["data"], ...calls, end("End", data)));
  return { ...made, functions: [{ name: "f", span: defined, ...definition }] };
}

/** The diagnostics and machine of a workflow, with `f` bound to a Lambda function if given. */
async function compiled(made: Workflow, binding?: JsonObject) {
  const [document] = readDocuments({ path: "waybill.config.yaml", text: "{}" }, () => undefined) as [Document];
  const functions = new Map(
    binding ? [["f", { name: { name: "f", span }, value: binding, key: span, document }] as const] : [],
  );
  const { files, diagnostics } = await generate(programOf([made]), asl, {
    configurationOf: () => ({ ...emptyConfiguration, functions }),
  });
  const said = diagnostics.map(({ code, span: { start }, message }) => `${start} ${code} ${message}`);
  return { said, machine: files[0]?.text ?? "" };
}

const exact = "Amazon States Language has no exact form for calling `f`";

const protocols: readonly (readonly [Protocol, string])[] = [
  [{ kind: "http" }, "by HTTP"],
  [{ kind: "http", operation: { method: "GET", server: "https://a", path: "/", parameters: [] } }, "by HTTP"],
  [{ kind: "grpc" }, "by gRPC"],
  [{ kind: "cloudFunction", provider: "yandex", type: "container", id: "d4e" }, "as a container of yandex"],
  [{ kind: "workflow", id: "audit" }, "as the workflow `audit`"],
];

const standIn = (way: string): string =>
  `7 WB5114 \`f\` is reached ${way}, so the state machine calls a Lambda function instead; the deployment supplies its ARN.`;

test.each(protocols)(
  "%j is called through a Lambda function, which is reported once, at the definition",
  async (protocol, way) => {
    const { said, machine } = await compiled(calling({ protocol }));
    expect(said).toEqual([standIn(way)]);
    expect(machine).toContain(`"Resource": "${substitution("FFunctionArn")}"`);
  },
);

test.each(protocols)("%j without calls is accepted", async (protocol) => {
  expect((await compiled(calling({ protocol }, 0))).said).toEqual([]);
});

test.each(protocols)("%j is called through its binding", async (protocol) => {
  const { said, machine } = await compiled(calling({ protocol }), { lambda });
  expect(said).toEqual([]);
  expect(machine).toContain(`"Resource": "${lambda}"`);
});

test("a protocol takes precedence over an ARN", async () => {
  const { said } = await compiled(calling({ protocol: { kind: "grpc" }, resource: lambda }));
  expect(said).toEqual([standIn("by gRPC")]);
});

test.each<[string, Expression, string]>([
  ["arn:aws:states:::sqs:sendMessage.waitForTaskToken", argument, "nothing would pass the task token to the responder"],
  ["arn:aws:states:::sqs:sendMessage", data, "it requires an object, but the argument may be another value"],
])("an ARN in a definition is checked like a binding: %s", async (resource, given, reason) => {
  const { said, machine } = await compiled(calling({ resource }, 1, given));
  expect(said).toEqual([`7 WB5108 ${exact} through the ARN in its definition: ${reason}.`]);
  expect(machine).toBe("");
});

test.each(["arn:aws:states:::sqs:sendMessage", "arn:aws:states:eu-west-1:123456789012:activity:pack", lambda])(
  "a Task calls %s",
  async (resource) => {
    const { said, machine } = await compiled(calling({ resource }, 1));
    expect(said).toEqual([]);
    expect(machine).toContain(`"Resource": "${resource}"`);
  },
);

test.each([
  "arn:aws:states:eu-west-1:123456789012:stateMachine:m",
  "arn:aws:lambda:eu-west-1:123456789012function:mail",
  "arn:aws:lambda:eu-west-1:123456789012:layer:mail:1",
  "arn:aws:states:eu-west-1::activity:pack",
])("a function that no Task can call is a substitution, whatever its ARN: %s", async (resource) => {
  const { machine } = await compiled(calling({ resource }, 1));
  expect(machine).toContain(`"Resource": "${substitution("FFunctionArn")}"`);
});

test("an uncatchable error is rejected", async () => {
  const failing = (fatal: boolean): Workflow => {
    const value = object([
      ["origin", literal("fail")],
      ["name", literal("Gone")],
      ["message", literal("")],
      ["fatal", literal(fatal)],
    ]);
    return workflow(scope(["data"], raise("End", value)));
  };
  expect((await compiled(failing(true))).said).toEqual([
    "0 WB5108 Amazon States Language has no exact form for an error that no handler may take.",
  ]);
  expect((await compiled(failing(false))).said).toEqual([]);
});

test("branches with limited concurrency are rejected if their initial values differ", async () => {
  const resting = (name: string, first: number) =>
    branch(name, scope([["x", literal(first)]], delay("rest", variable("x"), "done"), end("done", data)));
  const forking = (first: number): Workflow =>
    workflow(
      scope(["data"], fork("Both", [resting("a", 1), resting("b", first)], "End", { width: 1 }), end("End", data)),
    );
  expect((await compiled(forking(2))).said).toEqual([
    "0 WB5108 Amazon States Language has no exact form for branches of which only some run at once.",
  ]);
  expect((await compiled(forking(1))).said).toEqual([]);
});

const oauth2 = {
  kind: "oauth2",
  grant: "client_credentials",
  endpoint: "https://login.example.com/token",
  client: { id: { kind: "text", text: "shop" }, place: "header" },
  scopes: [],
  audiences: [],
} as const;

test.each<[Protocol, string]>([
  [{ kind: "process", program: "shell" }, "a process, which a state machine cannot run"],
  [{ kind: "http", authentication: oauth2 }, "a request with a token of OAuth 2.0"],
])("%j needs a binding", async (protocol, construct) => {
  const { said, machine } = await compiled(calling({ protocol }, 1));
  expect(said).toEqual([expect.stringContaining(`WB5108 Amazon States Language has no exact form for ${construct}.`)]);
  expect(machine).toBe("");
  const bound = await compiled(calling({ protocol }, 1), { lambda });
  expect(bound.said).toEqual([]);
  expect(bound.machine).toContain(lambda);
});
