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
export const program = `import { check, compile, type Diagnostic, languages, renderDiagnostics, runScenarios, targets } from "waybill";
import { lowerDefinitions, type Plugin, printProgram, type Workflow } from "waybill/ir";

const sources = [{ path: "greet.yaml", text: ${JSON.stringify(greet)} }];
const { ok, files, diagnostics } = await compile({ sources, target: "asl" });
const reported: readonly Diagnostic[] = diagnostics;
if (!ok || (await renderDiagnostics(reported)) !== "" || files[0]?.path !== "greet.asl.json") throw new Error("compile");
const checked = await check({ sources: [{ path: "greet.yaml", text: ${JSON.stringify(dangling)} }] });
if (checked.ok || checked.diagnostics[0]?.severity !== "error") throw new Error("check");
if (JSON.parse(await renderDiagnostics(checked.diagnostics, { format: "sarif" })).version !== "2.1.0") throw new Error("SARIF");
const scenarios = [{ path: "scenarios.yaml", text: ${JSON.stringify(scenarios)} }];
const { results } = await runScenarios({ sources, scenarios, on: "asl" });
if (results[0]?.outcome !== "passed") throw new Error("runScenarios");
if (!languages.includes("serverless-workflow") || !targets.includes("asl")) throw new Error("lists");
const { program } = await lowerDefinitions({ sources });
const workflow: Workflow | undefined = program?.workflows[0];
if (!program || workflow?.id !== "greet" || !printProgram(program).includes("greet")) throw new Error("lowerDefinitions");
const plugin: Plugin = {
  name: "names",
  targets: [
    {
      name: "names",
      summary: "names",
      generate: ({ workflows }) => workflows.map(({ name }) => name),
      emit: (names) => [{ path: "names.json", text: JSON.stringify(names) }],
    },
  ],
};
if ((await compile({ sources, target: plugin.targets![0]!, plugins: [plugin] })).files.length !== 1) throw new Error("plugin");
`;
