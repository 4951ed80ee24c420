import { expect, test } from "vitest";
import { canonicalForm } from "../../src/diff/canonical.ts";
import { graphOfDiff } from "../../src/diff/diff-graph.ts";
import { renderDiffMarkdown } from "../../src/diff/markdown.ts";
import { renderDiff } from "../../src/diff/text.ts";
import { nodesOf } from "../../src/graph/model.ts";
import { changesOf, diffOf, linesOf, programOf } from "./programs.ts";

const sm4c = `id: shop
version: "1.0"
name: shop
events:
- { name: paid, type: shop.paid, source: /shop }
- { name: packed, type: shop.packed }
functions:
- { name: charge, operation: "desk.yaml#charge" }
retries: [{ name: often, maxAttempts: 2, delay: "00:00:05" }]
states:
- name: Charge
  start: true
  enterAction:
    type: invokeFunction
    functionName: charge
    timeout: "00:00:30"
    errorHandlers: [{ condition: '\${ .ClassName == "Busy" }', retryPolicy: often }, { condition: '\${ .ClassName == "Broke" }', resultHandler: "\${ .failed = true }" }]
  transitions: [{ nextState: Wait }]
- name: Wait
  transitions:
  - eventGroups: [{ events: [paid], condition: "\${ $value.data.sum > 5 }" }]
    nextState: Done
- name: Done
`;

const swl = (text: string): string => `id: shop
name: Shop
version: '1.0'
functions: [{ name: a, resource: a }, { name: b, resource: b }]
states:
${text}`;
const operation = (name: string, rest: string, start = ""): string =>
  `- { name: ${name}, type: operation, ${start}actions: [{ functionRef: { refName: a, parameters: { of: $.${name} } } }], ${rest} }\n`;
const start = "start: { kind: default }, ";
const end = "end: { kind: default }";
const to = (state: string): string => `transition: { nextState: ${state} }`;
const branches = (first: string, second: string): string => `- name: Both
  type: parallel
  ${start.slice(0, -2)}
  branches:
  - { name: First, states: [${first}] }
  - { name: Second, states: [${second}] }
  ${end}
`;
const inner = (name: string): string => operation(name, end, start).slice(2).trimEnd();

/** The definitions, and the lines of the report in both directions. */
const kinds: readonly (readonly [string, string, string, readonly string[], readonly string[]])[] = [
  [
    "a timeout",
    sm4c,
    sm4c.replace("00:00:30", "00:01:00"),
    ["~ state Charge", "    timeout of charge: 30 s → 1 min"],
    ["~ state Charge", "    timeout of charge: 1 min → 30 s"],
  ],
  [
    "a removed timeout",
    sm4c,
    sm4c.replace('    timeout: "00:00:30"\n', ""),
    [
      "~ state Charge",
      "    - timeout of charge: 30 s",
      "    retries of charge:",
      '      - 2 times after 5 s if error.origin != "timeout" and error.name == "Busy"',
      '      + 2 times after 5 s if error.name == "Busy"',
      "    - on timeout 30 s: Wait",
    ],
    [
      "~ state Charge",
      "    retries of charge:",
      '      - 2 times after 5 s if error.name == "Busy"',
      '      + 2 times after 5 s if error.origin != "timeout" and error.name == "Busy"',
      "    + timeout of charge: 30 s",
      "    + on timeout 30 s: Wait",
    ],
  ],
  [
    "retries",
    sm4c,
    sm4c.replace("maxAttempts: 2", "maxAttempts: 4"),
    [
      "~ state Charge",
      "    retries of charge:",
      '      - 2 times after 5 s if error.origin != "timeout" and error.name == "Busy"',
      '      + 4 times after 5 s if error.origin != "timeout" and error.name == "Busy"',
    ],
    [
      "~ state Charge",
      "    retries of charge:",
      '      - 4 times after 5 s if error.origin != "timeout" and error.name == "Busy"',
      '      + 2 times after 5 s if error.origin != "timeout" and error.name == "Busy"',
    ],
  ],
  [
    "a handled error",
    sm4c,
    sm4c.replace('"Broke"', '"Poor"'),
    ["~ state Charge", "    errors that lead to Wait: Broke → Poor"],
    ["~ state Charge", "    errors that lead to Wait: Poor → Broke"],
  ],
  [
    "an awaited event",
    sm4c,
    sm4c.replace("events: [paid]", "events: [packed]"),
    [
      "- event paid",
      "    - type: shop.paid",
      "    - source: /shop",
      "    - case: ignored",
      "+ event packed",
      "    + type: shop.packed",
      "    + case: ignored",
      "~ state Wait",
      "    events: paid → packed",
      "    conditions: paid if event.data.sum > 5 → packed if event.data.sum > 5",
    ],
    [
      "- event packed",
      "    - type: shop.packed",
      "    - case: ignored",
      "+ event paid",
      "    + type: shop.paid",
      "    + source: /shop",
      "    + case: ignored",
      "~ state Wait",
      "    events: packed → paid",
      "    conditions: packed if event.data.sum > 5 → paid if event.data.sum > 5",
    ],
  ],
  [
    "the source of an event",
    sm4c,
    sm4c.replace("source: /shop", "source: /desk"),
    ["~ event paid", "    source: /shop → /desk"],
    ["~ event paid", "    source: /desk → /shop"],
  ],
  [
    "a moved state",
    swl(branches(`${inner("A")}`, `${inner("B")}`)),
    swl(branches(`${inner("B")}`, `${inner("A")}`)),
    [
      "~ operation state A in branch Second of parallel state Both",
      "    moved: branch First of parallel state Both → branch Second of parallel state Both",
      "~ operation state B in branch First of parallel state Both",
      "    moved: branch Second of parallel state Both → branch First of parallel state Both",
    ],
    [
      "~ operation state B in branch Second of parallel state Both",
      "    moved: branch First of parallel state Both → branch Second of parallel state Both",
      "~ operation state A in branch First of parallel state Both",
      "    moved: branch Second of parallel state Both → branch First of parallel state Both",
    ],
  ],
  [
    "the kind of a state",
    swl(operation("A", to("B"), start) + operation("B", end)),
    swl(`${operation("A", to("B"), start)}- { name: B, type: delay, timeDelay: PT1S, ${end} }\n`),
    [
      "~ delay state B",
      "    kind: operation state → delay state",
      "    - calls: a",
      "    - argument of a: { of: $.B }",
      '    - merging of the result: assignResult($, result, "a")',
      "    + waits: wait 1 s",
    ],
    [
      "~ operation state B",
      "    kind: delay state → operation state",
      "    - waits: wait 1 s",
      "    + calls: a",
      "    + argument of a: { of: $.B }",
      '    + merging of the result: assignResult($, result, "a")',
    ],
  ],
];

test.each(kinds)("%s", async (_, old, created, forward, backward) => {
  expect(await linesOf(old, created)).toEqual(forward);
  expect(await linesOf(created, old)).toEqual(backward);
});

test("expressions that simplify to the same are equal", async () => {
  const other = sm4c.replace("$value.data.sum > 5", "$value.data.sum > (2 + 3)");
  const [a, b] = [await programOf(sm4c), await programOf(other)];
  expect(canonicalForm(a.workflows[0]!)).toBe(canonicalForm(b.workflows[0]!));
});

test("several workflows correspond by id", async () => {
  const states = `states: [${inner("A")}]\nfunctions: [{ name: a, resource: a }]\n`;
  const flow = (id: string): string => `id: ${id}\nname: x\nversion: '1'\n${states}`;
  const diff = await diffOf(`${flow("one")}---\n${flow("two")}`, `${flow("two")}---\n${flow("three")}`);
  expect(diff.workflows.map(({ kind, old, new: created }) => [kind, old?.id, created?.id])).toEqual([
    ["removed", "one", undefined],
    ["equal", "two", "two"],
    ["added", undefined, "three"],
  ]);
});

test("the flowchart contains what was removed", async () => {
  const [a, b] = [
    await programOf(swl(operation("A", to("B"), start) + operation("B", end))),
    await programOf(swl(operation("A", end, start))),
  ];
  const diff = await diffOf(swl(operation("A", to("B"), start) + operation("B", end)), swl(operation("A", end, start)));
  const { graph, marks } = graphOfDiff(diff.workflows[0]!, a, b)!;
  expect(nodesOf(graph.scope).map(({ id }) => id)).toEqual(["(start)", "A", "(end)", "(old) B"]);
  expect([...marks.changed!]).toEqual(["A"]);
  expect([...marks.removed!]).toEqual(["(old) B", "(old) A→(old) B next", "(old) (old) B→(end) next"]);
  expect([...marks.added!]).toEqual(["A→(end)"]);
});

test("names and values cannot control the terminal or the Markdown", async () => {
  const hostile = (name: string): string =>
    swl(`- { name: "${name}", type: inject, data: { a: "\\e[31m|<script>\`\`\`" }, ${start}${end} }\n`);
  const [old, created] = [hostile("A"), hostile("\\e[2J\\n# <img src=x>`|*")];
  const diff = await diffOf(old, created);
  expect(changesOf(diff)).not.toEqual([]);
  expect(renderDiff(diff)).not.toContain("\u001b");
  const markdown = renderDiffMarkdown(
    { ...diff, scenarios: [], stats: [] },
    await programOf(old),
    await programOf(created),
  );
  expect(markdown).not.toContain("\u001b");
  expect(markdown).not.toMatch(/^# |[^\\]<img/m);
});
