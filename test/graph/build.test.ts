import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildGraph } from "../../src/graph/build.ts";
import { renderMermaid } from "../../src/graph/mermaid.ts";
import { compactGraph, edgesOf, type Graph, nodesOf } from "../../src/graph/model.ts";
import { goldenNames } from "../golden/folder.ts";
import { graphOf, workflowsOf } from "./build.ts";

const head = "id: flow\nname: Flow\nversion: '1.0'\n";

/** The nodes and edges of a graph, one per line. */
function linesOf({ scope }: Graph): readonly string[] {
  const nodes = nodesOf(scope).map(({ id, kind, noun, details, parts }) => {
    const does = details.map((each) => `${each.kind} ${each.text}`).join(", ");
    const inner = parts.map(({ kind: part, label }) => `${part} ${label}`.trim()).join(", ");
    return `${id}: ${kind}${noun === undefined ? "" : ` "${noun}"`}${does && ` [${does}]`}${inner && ` {${inner}}`}`;
  });
  const edges = edgesOf(scope).map(({ from, to, kind, label }) => {
    return `${from} → ${to} ${kind}${label === undefined ? "" : ` "${label.replaceAll("\n", " | ")}"`}`;
  });
  return [...nodes, ...edges];
}

describe("constructs of Serverless Workflow", () => {
  test("a decision has the conditions of the source", async () => {
    const { graph } = await graphOf(`${head}states:
- name: Decide
  type: switch
  start: { kind: default }
  conditions:
  - { path: $.total, value: '100', operator: GreaterThan, transition: { nextState: Large } }
  default: { nextState: Small }
- { name: Large, type: inject, data: { size: large }, end: { kind: default } }
- { name: Small, type: inject, data: { size: small }, end: { kind: default } }
`);
    expect(linesOf(graph)).toEqual([
      "(start): start",
      'Decide: choice "switch state"',
      'Large: data "inject state"',
      'Small: data "inject state"',
      "(end): end",
      "(start) → Decide next",
      'Decide → Large case "$.total GreaterThan "100""',
      "Decide → Small otherwise",
      "Large → (end) next",
      "Small → (end) next",
    ]);
  });

  test("errors that the source handles are edges; others end the run and are not", async () => {
    const { graph } = await graphOf(`${head}functions: [{ name: charge }, { name: apologize }]
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge } }]
  retry: [{ expression: { body: name eq 'Busy' }, interval: PT1M, maxAttempts: 3 }]
  onError: [{ expression: { language: spel, body: name eq 'Declined' }, transition: { nextState: Sorry } }]
  end: { kind: default }
- { name: Sorry, type: operation, actions: [{ functionRef: { refName: apologize } }], end: { kind: default } }
`);
    expect(linesOf(graph)).toEqual([
      "(start): start",
      'Charge: call "operation state" [call charge, retry 3 retries]',
      'Sorry: call "operation state" [call apologize]',
      "(end): end",
      "(start) → Charge next",
      "Charge → (end) next",
      `Charge → Sorry error "name eq 'Declined'"`,
      "Sorry → (end) next",
    ]);
  });

  test("a check of the input is no transition: the start leads to the first task", async () => {
    const { graph } = await graphOf(`document: { dsl: '1.0.0', namespace: shop, name: flow, version: '1.0.0' }
input: { schema: { document: { type: object, required: [id] } } }
do:
- reserve: { set: { a: 1 } }
- ship: { wait: { seconds: 1 } }
`);
    const edges = linesOf(graph).filter((line) => line.includes("→"));
    expect(edges).toEqual(["(start) → reserve next", "reserve → ship next", "ship → (end) next"]);
  });
});

/** Goldens with one construct each, and the lines that show it. */
const constructs: readonly (readonly [golden: string, ...lines: readonly string[]])[] = [
  [
    "serverless-workflow/order-process",
    'Reserve: parallel "parallel state" {branch Stock, branch Payment}',
    'Reserve#Stock/ReserveStock: call "operation state" [call reserveStock]',
    'Ship: foreach "foreach state" [note 1 at a time] {iteration for each}',
    'Ship#[]/ShipLine: call "operation state" [call shipLine]',
  ],
  [
    "serverless-workflow/parallel-n-of-m",
    'Vote: parallel "parallel state" [note continues after 2 of 3] {branch A, branch B, branch C}',
  ],
  [
    "serverless-workflow/event-switch",
    'Decide: event "switch state" [event Approved within 1 h, event Rejected within 1 h]',
    'Decide → Yes case "Approved"',
    'Decide → Late timeout "timeout 1 h"',
  ],
  [
    "serverless-workflow/event-starts-two",
    "(start): start [event Halted]",
    'Pick: subflow "subflow state" [subflow pick]',
  ],
  ["serverless-workflow/produced-events", 'Pack: call "operation state" [call pack, emit Packed]'],
  [
    "serverless-workflow/timeout-handled",
    'Slow: call "operation state" [call slow, retry 1 retry, timeout within 10 s]',
  ],
  [
    "sm4c/time-limit",
    'machine: attempt "state machine" [timeout within 2 h] {attempt}',
    'machine → machine/giveUp timeout "timeout 2 h"',
    "Poll → Poll otherwise",
  ],
  [
    "sm4c/handlers-within-parallel",
    'Side by side: parallel "state" {branch slow, branch quick}',
    "Side by side/parallel#slow/Side by side/pause → Side by side/parallel#slow/Side by side/a next",
  ],
  ["sm4c/event-groups", 'Collect: event "state" [event (paid or waived) and packed]'],
  [
    "yawl/while-polls",
    'poll: choice "while step"',
    'poll → ask case "(.status // "new") != "done" and $counter < 10"',
    "poll → (end) otherwise",
    "rest → poll next",
  ],
  ["yawl/catch-rules", 'fetch → order error "HTTP_CALL_404 or HTTP_CALL_410"', 'report → given-up error "ALL"'],
  ["yawl/child-workflow", 'nothing: fail "fail step"'],
  ["composer-fsm/errors-handled", 'ship → report error "error"', "ship → catch next"],
  ["function-workflow/delay", 'Wait: wait "delay state" [wait wait 1 min 30 s]', 'Done: end "end state"'],
  ["function-workflow/next-state-after-errors", 'Charge → Apologize error "SYS.MatchAny"'],
];

test.each(constructs)("%s", (golden, ...lines) => {
  expect(linesOf(buildGraph(workflowsOf(golden)[0]!).graph)).toEqual(expect.arrayContaining([...lines]));
});

const pictures = ["serverless-workflow", "function-workflow", "sm4c", "yawl", "composer-fsm"];

test.each(pictures)("the picture of the order process in %s", (language) => {
  const text = renderMermaid(buildGraph(workflowsOf(`${language}/order-process`)[0]!).graph);
  const path = join(import.meta.dirname, "pictures", `${language}.mmd`);
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, "utf8"));
});

const all = goldenNames().flatMap((name) => workflowsOf(name).map((workflow) => ({ name, workflow })));

test("ids are unique, edges stay in their scope, and graphs survive JSON", () => {
  for (const { name, workflow } of all) {
    const { graph } = buildGraph(workflow);
    const nodes = nodesOf(graph.scope);
    const ids = [...nodes, ...edgesOf(graph.scope)].map(({ id }) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    for (const { scope } of [graph, ...nodes.flatMap(({ parts }) => parts)]) {
      const own = new Set(scope.nodes.map(({ id }) => id));
      for (const { id, from, to } of scope.edges) expect([id, own.has(from), own.has(to)]).toEqual([id, true, true]);
    }
    expect(JSON.parse(JSON.stringify(compactGraph(graph))), name).toEqual(compactGraph(graph));
  }
});

test("every named construct that a run can enter is a node", () => {
  for (const { name, workflow } of all) {
    const { graph, steps } = buildGraph(workflow);
    const shown = new Set([...steps.values()].flat());
    const named = [...shown].filter(({ origin }) => origin.entry);
    expect(nodesOf(graph.scope).filter(({ noun }) => noun !== undefined).length, name).toBe(named.length);
  }
});

test("the start has the timers and the limit of runs", () => {
  const [workflow] = workflowsOf("serverless-workflow/schedule");
  const { span } = workflow!.start;
  const timers = [
    { kind: "every", seconds: 5400, span },
    { kind: "cron", expression: "0 6 * * *", timezone: "Europe/Berlin", span },
    { kind: "after", seconds: 60, span },
  ] as const;
  const { graph } = buildGraph({
    ...workflow!,
    start: { ...workflow!.start, timers },
    timeout: { seconds: 3600, span },
  });
  expect(linesOf(graph)[0]).toBe(
    "(start): start [wait every 1 h 30 min, wait cron 0 6 * * * Europe/Berlin, wait 1 min after the last run, timeout at most 1 h]",
  );
});
