import { expect, test } from "vitest";
import { migrate } from "../../src/migration/index.ts";

// A migration of the draft of 2020 carries or reports each property.

function migrated(state: string, rest = "") {
  const text = `id: orders\nname: orders\nversion: 1.0.0\n${rest}states:\n- ${state}`;
  const { text: created, diagnostics } = migrate({ path: "orders.yaml", text }, { language: "serverless-workflow" });
  const found = diagnostics.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);
  return { text: created!, found };
}

const wait = (more = ""): string =>
  `{ name: A, type: delay, start: { kind: default }, timeDelay: PT1S, end: { kind: default }${more} }\n`;
const decide = (more: string): string =>
  `{ name: A, type: switch, start: { kind: default }, dataConditions: [{ path: $.a, operator: equals, value: 1, transition: { nextState: A }${more} }], default: { nextState: A } }\n`;

test.each([
  ["the version of the language", wait(), "schemaVersion: x\n", ["WB0706 schemaVersion"]],
  ["the schema of the output", wait(), "dataOutputSchema: a.json\n", ["WB0706 dataOutputSchema"]],
  ["metadata that are not an object", wait(", metadata: a"), "metadata: b\n", ["WB0706 metadata", "WB0706 metadata"]],
  [
    "functions",
    wait(),
    "functions: [{ name: f, type: rest, resource: https://a.example, metadata: {} }]\n",
    ["WB0706 type", "WB0706 metadata", "WB0703 resource"],
  ],
  ["metadata of events", wait(), "events: [{ name: P, type: p, metadata: {} }]\n", ["WB0706 metadata"]],
  ["the schema of a state", wait(", dataInputSchema: a.json"), "", ["WB0706 dataInputSchema"]],
  ["metadata of conditions", decide(", metadata: {}"), "", ["WB0706 metadata"]],
  [
    "the schema of a state in a branch",
    `{ name: P, type: parallel, start: { kind: default }, branches: [{ name: b, states: [${wait(", dataOutputSchema: a.json").trim()}] }], end: { kind: default } }\n`,
    "",
    ["WB0706 dataOutputSchema"],
  ],
])("reports %s", (_, state, rest, expected) => {
  expect(migrated(state, rest).found).toEqual(expected);
});

test("metadata of states become metadata of tasks", () => {
  const { text, found } = migrated(wait(", metadata: { team: a }"));
  expect(found).toEqual([]);
  expect(text).toContain("metadata:\n        team: a");
});

test("reports the correlation of events that create a run", () => {
  const events = "events: [{ name: P, type: p, correlationToken: id }, { name: Q, type: q, correlationToken: id }]\n";
  const state =
    "{ name: A, type: event, start: { kind: default }, exclusive: false, eventsActions: [{ eventRefs: [P, Q], actions: [] }], end: { kind: default } }\n";
  const { text, found } = migrated(state, events);
  expect(found.filter((finding) => finding.startsWith("WB0702"))).toHaveLength(1);
  expect(text).not.toContain("correlate");
});
