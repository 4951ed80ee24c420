/** A valid definition. */
export const greet = `id: greet
name: Greet
version: '1.0'
functions:
- { name: greetPerson, resource: greetPerson }
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: greetPerson, parameters: { name: $.name } }
    actionDataFilter: { dataResultsPath: $.greeting }
  end: { kind: default }
`;

/** The definition with a transition to an unknown state. */
export const dangling = greet.replace("end: { kind: default }", "transition: { nextState: Gret }");

/** Scenarios with fixed results, and with one that jq computes. */
export const scenarios = `workflow: ./greet.yaml
scenarios:
- name: a person is greeted
  input: { name: Ada }
  functions: { greetPerson: { computes: '{ greeting: ("Hello, " + .name) }' } }
  expect:
    status: succeeded
    output: { name: Ada, greeting: Hello, Ada }
    calls: [{ greetPerson: { name: Ada } }]
`.replace("Hello, Ada }", '"Hello, Ada" }');

/** A program that uses the library. */
export const program = `import { check, compile, type Diagnostic, languages, renderSarif, renderText, targets, test } from "waybill";

const sources = [{ path: "greet.yaml", text: ${JSON.stringify(greet)} }];
const { files, diagnostics } = await compile({ sources, target: "asl" });
const reported: readonly Diagnostic[] = diagnostics;
if (renderText(reported) !== "" || files[0]?.path !== "greet.asl.json") throw new Error("compile");
const checked = await check({ sources: [{ path: "greet.yaml", text: ${JSON.stringify(dangling)} }] });
if (checked.diagnostics[0]?.severity !== "error" || checked.program) throw new Error("check");
if (JSON.parse(await renderSarif(checked.diagnostics)).version !== "2.1.0") throw new Error("SARIF");
const scenarios = [{ path: "scenarios.yaml", text: ${JSON.stringify(scenarios)} }];
const { results } = await test({ sources, scenarios, on: "asl" });
if (results[0]?.outcome !== "passed") throw new Error("test");
if (!languages.includes("serverless-workflow") || !targets.includes("asl")) throw new Error("lists");
`;
