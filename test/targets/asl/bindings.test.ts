import { expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import { readConfiguration } from "../../../src/configuration/index.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import { positionOf } from "../../../src/text/source.ts";
import { asl } from "../../../targets/asl/index.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { calling, ends, starts, substitution, workflow } from "./compiled.ts";

const aws = "arn:aws:states:::";
const connection = "arn:aws:events:eu-west-1:123456789012:connection/pay/1f-2";

/** The state that calls `f` once, and the diagnostics of its binding. */
async function compiled(
  binding: string,
  actions = calling("f"),
  more = "",
): Promise<{ readonly state: JsonObject; readonly said: readonly string[] }> {
  const said: Diagnostic[] = [];
  const text = `functions:\n  f:\n    asl: ${binding}\n${more}`;
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], targets, (found) =>
    said.push(found),
  );
  const states = `- { name: A, type: operation, ${starts}, ${actions}, ${ends} }`;
  const sources = [{ path: "main.yaml", text: workflow(states) }];
  const { files, diagnostics } = await compileWith(
    { sources, options: {}, configurationOf: () => configuration },
    languages,
    asl,
  );
  const machine = files[0] ? (JSON.parse(files[0].text) as JsonObject) : {};
  const { A: state = {} } = (machine["States"] ?? {}) as { readonly [name: string]: JsonObject };
  const all = [...said, ...diagnostics].map(({ code, message, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    return `${line}:${column} ${code} ${message}`;
  });
  return { state, said: all };
}

test.each<[string, JsonObject]>([
  [`{ lambda: "${substitution("Pay")}" }`, { Resource: substitution("Pay"), Arguments: { n: 1 } }],
  [
    "{ lambda: 'arn:aws:lambda:eu-west-1:123456789012:function:pay:live' }",
    { Resource: "arn:aws:lambda:eu-west-1:123456789012:function:pay:live", Arguments: { n: 1 } },
  ],
  [`{ activity: "${substitution("Pack")}" }`, { Resource: substitution("Pack"), Arguments: { n: 1 } }],
  [
    `{ http: PUT https://pay.example.com/a?b=c, connection: '${connection}' }`,
    {
      Resource: `${aws}http:invoke`,
      Arguments: {
        ApiEndpoint: "https://pay.example.com/a?b=c",
        Method: "PUT",
        Authentication: { ConnectionArn: connection },
        RequestBody: { n: 1 },
      },
    },
  ],
  [`{ integration: '${aws}sqs:sendMessage' }`, { Resource: `${aws}sqs:sendMessage`, Arguments: { n: 1 } }],
  [
    `{ integration: '${aws}aws-sdk:s3:putObject', arguments: { Body: '{argument}', Tags: [a, { b: '{argument}' }], Key: ' {argument}' } }`,
    {
      Resource: `${aws}aws-sdk:s3:putObject`,
      Arguments: { Body: { n: 1 }, Tags: ["a", { b: { n: 1 } }], Key: " {argument}" },
    },
  ],
])("%s", async (binding, wanted) => {
  const { state, said } = await compiled(binding);
  expect(said).toEqual([]);
  expect(state).toMatchObject(wanted);
});

test("strings of the configuration never become expressions", async () => {
  const { state, said } = await compiled(
    `{ integration: '${aws}sqs:sendMessage', arguments: { a: '{% $states.input %}', '{% b %}': '{argument}', c: ['{%%}'] } }`,
  );
  expect(said).toEqual([]);
  const { a, c } = state["Arguments"] as JsonObject;
  expect(a).not.toBe("{% $states.input %}");
  expect(c).not.toEqual(["{%%}"]);
  expect(String(a)).toMatch(/^\{% ".*states\.input .*" %\}$/);
});

test.each<[string, string]>([
  [
    `{ http: GET https://x.example, connection: '${connection}' }`,
    "3:18 WB5112 Target asl cannot call `f` exactly with this binding: a GET request has no body, and an HTTP Task cannot express every argument as a query.",
  ],
  [
    `{ http: 'POST https://x.example/{n}', connection: '${connection}' }`,
    "3:18 WB5112 Target asl cannot call `f` exactly with this binding: an HTTP Task cannot insert parts of the argument into the address.",
  ],
  [
    `{ integration: '${aws}sqs:sendMessage.waitForTaskToken' }`,
    "3:25 WB5112 Target asl cannot call `f` exactly with this binding: nothing would pass the task token to the responder.",
  ],
  [
    `{ integration: '${aws}sqs:sendMessage', arguments: { a: argument } }`,
    "3:25 WB5112 Target asl cannot call `f` exactly with this binding: its `arguments` do not contain `{argument}`, so the argument would be lost.",
  ],
  [
    `{ activity: '${substitution("A")}', lambda: '${substitution("L")}' }`,
    "3:12 WB0505 This function is already bound by `lambda`; it cannot also be bound by `activity`.",
  ],
])("%s is rejected", async (binding, wanted) => {
  expect((await compiled(binding)).said).toEqual([wanted]);
});

test("a service that requires objects is rejected if the argument may be another value", async () => {
  const passing = "actions: [{ functionRef: { refName: f } }]";
  const refused = [
    "3:25 WB5112 Target asl cannot call `f` exactly with this binding: it requires an object, but the argument may be another value.",
  ];
  expect((await compiled(`{ integration: '${aws}sqs:sendMessage' }`, passing)).said).toEqual(refused);
  const around = `{ integration: '${aws}sqs:sendMessage', arguments: { MessageBody: '{argument}' } }`;
  expect((await compiled(around, passing)).said).toEqual([]);
});

test.each<[string, RegExp]>([
  ["{ lambda: pay }", /^3:(?:18|20) WB1006 /],
  [`{ lambda: "${substitution("A-B")}" }`, /^3:(?:18|20) WB1006 /],
  ["{ lambda: 'arn:aws:lambda:eu-west-1:123456789012:function:pay%}' }", /^3:(?:18|20) WB1006 /],
  ["{ http: POST https://x.example }", /^3:12 WB1006 /],
  [`{ http: POST http://x.example, connection: '${connection}' }`, /^3:(?:18|20) WB1006 /],
  ["{ integration: 'arn:aws:states:eu-west-1:1:activity:a' }", /^3:25 WB1006 /],
  ["{}", /^3:10 WB1006 /],
])("%s is not of its kind", async (binding, wanted) => {
  expect((await compiled(binding)).said[0]).toMatch(wanted);
});

test("an ARN in the definition takes precedence", async () => {
  const { state, said } = await compiled(`{ lambda: "${substitution("Pay")}" }`, calling("f"), "");
  expect([state["Resource"], said]).toEqual([substitution("Pay"), []]);
  const text = `functions: { f: { asl: { lambda: "${substitution("Pay")}" } } }`;
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], targets, () => undefined);
  const arn = "arn:aws:lambda:eu-west-1:123456789012:function:own";
  const states = `- { name: A, type: operation, ${starts}, ${calling("f")}, ${ends} }`;
  const sources = [{ path: "main.yaml", text: workflow(states).replace("resource: f ", `resource: '${arn}' `) }];
  const { files, diagnostics } = await compileWith(
    { sources, options: {}, configurationOf: () => configuration },
    languages,
    asl,
  );
  expect(diagnostics.map(({ code }) => code)).toEqual(["WB5113"]);
  expect(files[0]!.text).toContain(`"Resource": "${arn}"`);
});

test("an ARN in one definition does not affect other workflows", async () => {
  const text = `functions: { f: { asl: { lambda: "${substitution("Pay")}" } } }`;
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], targets, () => undefined);
  const arn = "arn:aws:lambda:eu-west-1:123456789012:function:own";
  const main = workflow(`- { name: A, type: operation, ${starts}, ${calling("f")}, ${ends} }`);
  const own = main.replace(/^id: .*$/m, "id: own").replace("resource: f ", `resource: '${arn}' `);
  const sources = [
    { path: "main.yaml", text: main },
    { path: "own.yaml", text: own },
  ];
  const { files, diagnostics } = await compileWith(
    { sources, options: {}, configurationOf: () => configuration },
    languages,
    asl,
  );
  expect(diagnostics.map(({ code, message }) => [code, message.slice(0, 49)])).toEqual([
    ["WB5113", "This binding is not used in workflow `own`, which"],
  ]);
  const machines = files.filter(({ path }) => path.endsWith(".asl.json")).map((file) => JSON.parse(file.text));
  expect(machines.map(({ States }) => States.A.Resource)).toEqual([substitution("Pay"), arn]);
});

test("a configured substitution is not reused", async () => {
  const both = "actions: [{ functionRef: { refName: f } }, { functionRef: { refName: g } }]";
  const { state, said } = await compiled(`{ lambda: "${substitution("GFunctionArn")}" }`, both);
  expect([state["Resource"], said]).toEqual([substitution("GFunctionArn"), []]);
  const configuration = `{ lambda: "${substitution("GFunctionArn")}" }`;
  const swapped = await compiled(
    configuration,
    "actions: [{ functionRef: { refName: g } }, { functionRef: { refName: f } }]",
  );
  expect(swapped.state["Resource"]).toBe(substitution("G2FunctionArn"));
});

test("ARNs of actions contain the partition", async () => {
  const { state, said } = await compiled(
    `{ http: POST https://x.example, connection: '${connection}' }`,
    calling("f"),
    "targets: { asl: { partition: aws-cn } }\n",
  );
  expect([state["Resource"], said]).toEqual(["arn:aws-cn:states:::http:invoke", []]);
});
