import { expect, test } from "vitest";
import { runScenarios } from "../../../../src/index.ts";

// Two functions are bound to one action: the calls of a scenario name the function that the definition calls.

const definition = `id: desk
name: Desk
version: '1.0'
functions: [{ name: greet }, { name: warn }]
states:
- name: Both
  type: parallel
  start: { kind: default }
  branches:
  - name: Left
    states:
    - name: Greet
      type: operation
      start: { kind: default }
      actions: [{ functionRef: { refName: greet, parameters: { to: $.name } } }]
      end: { kind: default }
  - name: Right
    states:
    - name: Warn
      type: operation
      start: { kind: default }
      actions: [{ functionRef: { refName: warn, parameters: { to: $.name } }, timeout: PT5S }]
      end: { kind: default }
  end: { kind: default }
`;

const configuration = `functions:
  greet: { openwhisk: { action: /_/mails/send } }
  warn: { openwhisk: { action: /_/mails/send } }
`;

const scenarios = `workflow: ./desk.yaml
scenarios:
- name: each function is called
  input: { name: Ada }
  functions: { greet: { returns: { greeted: 1 } }, warn: { returns: { warned: 2 } } }
  expect:
    status: succeeded
    output: { name: Ada, greeted: 1, warned: 2 }
    calls: [{ greet: { to: Ada } }, { warn: { to: Ada } }]
`;

test.each(["reference", "openwhisk"] as const)("functions that share an action are told apart on %s", async (on) => {
  const { results, diagnostics } = await runScenarios({
    sources: [{ path: "desk.yaml", text: definition }],
    config: { path: "waybill.config.yaml", text: configuration },
    scenarios: [{ path: "scenarios.yaml", text: scenarios }],
    on,
  });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(results.map(({ outcome, differences }) => ({ outcome, differences }))).toMatchObject([{ outcome: "passed" }]);
});
