import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile } from "../../../src/index.ts";

const orders = `
id: orders
name: Orders
version: '1.0'
functions: [{ name: call, resource: call }, { name: bill, resource: bill }]
events:
- { name: Paid, type: order.paid, source: /shop, correlationToken: order }
- { name: Done, type: order.done, source: /orders }
states:
- name: Weigh
  type: foreach
  start: { kind: default }
  inputCollection: $.lines
  inputParameter: $.line
  outputCollection: $.weights
  max: 2
  states:
  - name: Weigh one
    type: operation
    start: { kind: default }
    actions: [{ functionRef: { refName: call, parameters: { n: $.line } }, actionDataFilter: { dataResultsPath: $.weight } }]
    stateDataFilter: { dataOutputPath: $.weight }
    end: { kind: default }
  transition: { nextState: Both }
- name: Both
  type: parallel
  completionType: and
  branches:
  - name: Money
    states:
    - name: Bill
      type: operation
      start: { kind: default }
      actions: [{ functionRef: { refName: bill, parameters: { n: 1 } }, actionDataFilter: { dataResultsPath: $.bill } }]
      retry: [{ expression: { language: spel, body: name eq 'Busy' }, interval: PT0.01S, maxAttempts: 3 }]
      end: { kind: default }
  - name: Goods
    states:
    - { name: Dry, type: delay, start: { kind: default }, timeDelay: PT0.05S, transition: { nextState: Pack } }
    - name: Pack
      type: operation
      actions: [{ functionRef: { refName: call, parameters: { n: 2 } }, actionDataFilter: { dataResultsPath: $.pack } }]
      end: { kind: default }
  transition: { nextState: First }
- { name: First, type: callback, action: { functionRef: { refName: call, parameters: { n: 3 } } }, eventRef: Paid, timeout: PT10M, transition: { nextState: Second } }
- { name: Second, type: callback, action: { functionRef: { refName: call, parameters: { n: 4 } } }, eventRef: Paid, timeout: PT10M, transition: { nextState: Ship } }
- { name: Ship, type: subflow, workflowId: parcel, waitForCompletion: true, transition: { nextState: Told } }
- name: Told
  type: operation
  actions: [{ functionRef: { refName: call, parameters: { n: 5 } }, actionDataFilter: { dataResultsPath: $.told } }]
  end: { kind: event, produceEvent: { eventRef: Done, data: $.bill } }
`;

const parcel = `
id: parcel
name: Parcel
version: '1.0'
functions: [{ name: call, resource: call }]
states:
- name: Send
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: call, parameters: { n: 6 } }, actionDataFilter: { dataResultsPath: $.sent } }]
  end: { kind: default }
`;

const rude = `
id: rude
name: Whatever a function throws
version: '1.0'
functions: [{ name: rude, resource: rude }]
states:
- name: Be rude
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: rude, parameters: { how: $.how } } }]
  end: { kind: default }
`;

const configuration = `
functions:
  call: { typescript: { module: './calls.ts#call' } }
  bill: { typescript: { module: './calls.ts#bill' } }
  rude: { typescript: { module: './calls.ts#rude' } }
`;

/** Functions that report each call with its attempt to the test. The first attempt at a bill fails. */
const calls = `import { type JsonObject, type Step, WorkflowError } from "./runtime.js";

export async function call({ n }: JsonObject, { key, attempt, signal }: Step): Promise<number> {
  const body = JSON.stringify({ call: \`\${key}!\${attempt}\`, n });
  const response = await fetch(process.env["CALLS"]!, { method: "POST", body, signal });
  return Number(await response.text());
}

export async function bill(argument: JsonObject, step: Step): Promise<number> {
  const answer = await call(argument, step);
  if (step.attempt === 1) throw new WorkflowError("Busy", "Retry this call.");
  return answer;
}

export function rude({ how }: JsonObject): never {
  const circle: { [name: string]: unknown } = { n: 1n };
  circle["circle"] = circle;
  void Promise.reject(new Error("Nobody awaits this."));
  const thrown: readonly unknown[] = [new WorkflowError("Circular", "It has no JSON.", { data: circle as never }), Symbol("thrown"), undefined, null, Object.create(null), 1n, circle];
  throw thrown[Number(how) % thrown.length];
}
`;

/** Emits the program to a folder. */
export async function emitProgram(folder: string): Promise<void> {
  const sources = Object.entries({ orders, parcel, rude }).map(([name, text]) => ({ path: `${name}.yaml`, text }));
  const compiled = await compile({
    sources,
    config: { path: "waybill.config.yaml", text: configuration },
    target: "typescript",
  });
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  for (const { path, text } of [...compiled.files, { path: "calls.ts", text: calls }]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The input of an order. */
export const inputOf = (id: string, i: number) => ({ order: id, lines: [i, i + 1, i + 2] });

/** The output of an order: each call returns its argument plus one, and each event occurs once. */
export const outputOf = (id: string, i: number) => ({
  ...inputOf(id, i),
  ...{ weights: [i + 1, i + 2, i + 3], bill: 2, pack: 3, call: 5, a: 1, b: 1, sent: 7, told: 6 },
});
