/** Hostile input in YAML. `functions` are the functions that it calls. */
export interface HostileInput {
  readonly text: string;
  readonly functions?: object;
}

const start = "start: { kind: default }";
const end = "end: { kind: default }";

const workflow = (states: readonly string[]): string =>
  [
    "id: bad",
    "name: Bad",
    "version: '1'",
    "functions: [{ name: f, resource: f }]",
    "events: [{ name: E, type: e, source: /s }]",
    "states:",
    ...states.map((state) => `  - ${state}`),
  ].join("\n");

const calling = (parameters: string, more = ""): string =>
  workflow([
    `{ name: S, type: operation, ${start}, actions: [{ functionRef: { refName: f, parameters: { a: "${parameters}" } } }], ${more} ${end} }`,
  ]);

const retries = Array.from({ length: 1000 }, (_, i) => `{ expression: { body: "$.code == ${i}" } }`).join(", ");

/** Starts itself twice concurrently without waiting. */
const itself = (more: string): string => {
  const branch = (name: string) =>
    `{ name: ${name}, states: [{ name: S, type: subflow, ${start}, workflowId: bad, waitForCompletion: false, ${more} }] }`;
  return workflow([`{ name: P, type: parallel, ${start}, branches: [${branch("a")}, ${branch("b")}], ${end} }`]);
};

/** Kinds of hostile input. Each must end soon with a result, an error or a diagnostic. */
export const hostileInputs: { readonly [kind: string]: HostileInput } = {
  "a string of 200 paths": { text: calling("x $.a ".repeat(200)) },
  "a string of 1,000 paths": { text: calling("x $.a ".repeat(1000)) },
  "a path of 600 names": {
    text: workflow([
      `{ name: S, type: inject, ${start}, data: {}, stateDataFilter: { dataOutputPath: "$${".a".repeat(600)}" }, ${end} }`,
    ]),
  },
  "1,000 retries": {
    text: calling("$.a", `retry: [${retries}],`),
    functions: { f: { returns: { code: 999 } } },
  },
  "a state that does nothing and leads to itself": {
    text: workflow([`{ name: S, type: inject, ${start}, transition: { nextState: S } }`]),
  },
  "a state with an error handler that leads to itself": {
    text: workflow([
      `{ name: S, type: inject, ${start}, onError: [{ expression: { body: $.error ne null }, transition: { nextState: T } }], transition: { nextState: S } }`,
      `{ name: T, type: delay, timeDelay: PT1S, ${end} }`,
    ]),
  },
  "a switch that loops without waiting": {
    text: workflow([
      `{ name: S, type: switch, ${start}, dataConditions: [{ path: $.go, operator: notexists, transition: { nextState: S } }], default: { nextState: T } }`,
      `{ name: T, type: delay, timeDelay: PT1S, ${end} }`,
    ]),
  },
  "a subflow that starts itself without waiting": { text: itself(end) },
  "a subflow that starts itself and emits an event": {
    text: itself("end: { kind: event, produceEvent: { eventRef: E } }"),
  },
  "endless outputs": { text: calling("$.a"), functions: { f: { computes: "[range(infinite)]" } } },
  "a string of a gigabyte": { text: calling("$.a"), functions: { f: { computes: '"a" * 1000000000' } } },
};
