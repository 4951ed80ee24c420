import { expect, test } from "vitest";
import { check } from "../../src/index.ts";

// `events.<name>.data` is a schema of the data of received events, in every language.

const data =
  "{ type: object, properties: { person: { type: object, properties: { name: { type: string } }, required: [name] } }, required: [person] }";

async function checked(definition: string, configuration: string): Promise<readonly string[]> {
  const { diagnostics } = await check({
    sources: [{ path: "flow.yaml", text: definition }],
    config: { path: "waybill.config.yaml", text: configuration },
  });
  return diagnostics
    .filter(({ code }) => /^WB(?:05|43)/.test(code))
    .map(
      ({ code, message, span: { source, start, end } }) => `${code} at ${source.text.slice(start, end)}: ${message}`,
    );
}

const serverlessWorkflow = `
id: greeting
name: Greeting
version: '1.0'
functions: [{ name: greet, resource: greet }]
events: [{ name: Greeted, type: greeting, source: shop }, { name: Thanked, type: thanks, source: shop }]
states:
- name: Hear
  type: event
  start: { kind: default }
  eventsActions:
  - eventRefs: [Greeted]
    actions: [{ functionRef: { refName: greet, parameters: { name: $.person.nmae } } }]
  end: { kind: event, produceEvent: { eventRef: Thanked, data: $.person } }
`;

const functionWorkflow = `
trigger-defs:
  Greeted: { source: shop, type: greeting, InputPath: $.data.person.nmae }
states:
  Hear: { type: EVENT, start: true, events: [{ event-expression: Greeted, next-state: Done }] }
  Done: { type: END }
`;

const sm4c = `
name: greeting
version: "1.0"
events: [{ name: Greeted, type: greeting }]
states:
- name: Hear
  start: true
  transitions:
  - eventGroups: [{ events: [Greeted], resultHandler: "\${ .name = $value.data.person.nmae }" }]
    nextState: Done
- { name: Done, end: true }
`;

test.each([
  ["Serverless Workflow", serverlessWorkflow, "nmae"],
  ["Function Workflow", functionWorkflow, "nmae"],
  ["SM4C", sm4c, "$value.data.person.nmae"],
])("a member that the schema does not list is reported in %s", async (_, definition, at) => {
  expect(await checked(definition, `events: { Greeted: { data: ${data} } }`)).toEqual([
    `WB4302 at ${at}: The schema does not list the member \`nmae\`.`,
  ]);
});

test("names that are not received, or that no definition has, are reported", async () => {
  const configuration = `events: { Thanked: { data: ${data} }, Greetd: { data: ${data} }, Other: { data: true } }`;
  expect(await checked(serverlessWorkflow, configuration)).toEqual([
    "WB0509 at Thanked: No workflow receives the event `Thanked`, so this binding is unused.",
    "WB0508 at Greetd: No definition has an event `Greetd`, so this binding has no effect.",
    "WB0519 at Other: These definitions have no `Other`; its binding is unused here.",
  ]);
});

test("an emitted event can be bound and received", async () => {
  const bound = `events: { Greeted: { data: true, typescript: { sink: "https://a.example/" } } }`;
  expect(await checked(serverlessWorkflow, bound)).toEqual([]);
});

test("other values than schemas are reported", async () => {
  expect(await checked(serverlessWorkflow, "events: { Greeted: { data: text } }")).toContain(
    "WB0502 at text: `data` must be a JSON Schema.",
  );
});
