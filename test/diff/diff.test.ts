import { expect, test } from "vitest";
import { changesOf, diffOf, linesOf } from "./programs.ts";

const flow = `id: parcel
name: Parcel
version: '1.0'
functions:
- { name: pack, resource: pack-parcel }
- { name: send, resource: send-parcel }
events:
- { name: Paid, type: order.paid, source: shop }
- { name: Packed, type: parcel.packed, source: depot }
states:
- name: Decide
  type: switch
  start: { kind: default }
  dataConditions: [{ path: $.size, value: large, operator: Equals, transition: { nextState: Pack } }]
  default: { nextState: Send }
- name: Pack
  type: operation
  actions: [{ functionRef: { refName: pack, parameters: { id: $.id } } }]
  transition: { nextState: Send }
- name: Send
  type: operation
  actions: [{ functionRef: { refName: send } }]
  transition: { nextState: Rest }
- name: Rest
  type: delay
  timeDelay: PT5M
  end: { kind: default }
`;

const replaced = (...changes: readonly (readonly [string | RegExp, string])[]): string => {
  const changed = changes.reduce((text, [from, to]) => text.replace(from, to), flow);
  expect(changed).not.toBe(flow);
  return changed;
};

test("a definition does not differ from itself", async () => {
  expect(await diffOf(flow, flow)).toMatchObject({ isEqual: true, workflows: [{ kind: "equal", changes: [] }] });
});

test("formatting, comments and the order of declarations do not count", async () => {
  const [head, states] = flow.split("states:\n") as [string, string];
  const reordered = states
    .split(/^(?=- name)/m)
    .reverse()
    .join("");
  const lines = head.split("\n");
  const functions = [lines[5], lines[4]].join("\n");
  const swapped = head.replace([lines[4], lines[5]].join("\n"), functions);
  const other = `# A comment\n${swapped}states:\n${reordered.replace("PT5M", '"PT300S"   # five minutes')}`;
  expect(await diffOf(flow, other)).toMatchObject({ isEqual: true });
});

test("what no state uses or reaches does not count", async () => {
  expect(await diffOf(flow, replaced(["functions:", "functions:\n- { name: weigh, resource: weigh }"]))).toMatchObject({
    isEqual: true,
  });
});

/** A change of the definition, its lines in the report, and those of the opposite change. */
const kinds: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
  [
    "a called function",
    replaced(["refName: send", "refName: pack"]),
    [
      "- function send",
      "    - resource: send-parcel",
      "~ operation state Send",
      "    calls: send → pack",
      '    merging of the result: assignResult($, result, "send") → assignResult($, result, "pack")',
    ],
    [
      "+ function send",
      "    + resource: send-parcel",
      "~ operation state Send",
      "    calls: pack → send",
      '    merging of the result: assignResult($, result, "pack") → assignResult($, result, "send")',
    ],
  ],
  [
    "an argument",
    replaced(["id: $.id", "id: $.number"]),
    ["~ operation state Pack", "    argument of pack: { id: $.id } → { id: $.number }"],
    ["~ operation state Pack", "    argument of pack: { id: $.number } → { id: $.id }"],
  ],
  [
    "a resource",
    replaced(["pack-parcel", "pack-box"]),
    ["~ function pack", "    resource: pack-parcel → pack-box"],
    ["~ function pack", "    resource: pack-box → pack-parcel"],
  ],
  [
    "a condition",
    replaced(["value: large", "value: huge"]),
    ["~ switch state Decide", '    condition for Pack: $.size Equals "large" → $.size Equals "huge"'],
    ["~ switch state Decide", '    condition for Pack: $.size Equals "huge" → $.size Equals "large"'],
  ],
  [
    "a transition",
    replaced([/(parameters.*\n {2}transition: \{ nextState: )Send/, "$1Rest"]),
    ["~ operation state Pack", "    continues with: Send → Rest"],
    ["~ operation state Pack", "    continues with: Rest → Send"],
  ],
  [
    "a time",
    replaced(["PT5M", "PT1H"]),
    ["~ delay state Rest", "    waits: wait 5 min → wait 1 h"],
    ["~ delay state Rest", "    waits: wait 1 h → wait 5 min"],
  ],
  [
    "a name",
    replaced([/Pack \}/, "Wrap }"], ["name: Pack\n", "name: Wrap\n"]),
    ["~ operation state Wrap (renamed from Pack)"],
    ["~ operation state Pack (renamed from Wrap)"],
  ],
  [
    "a state",
    replaced(
      ["nextState: Rest", "nextState: Wait"],
      ["- name: Rest", "- { name: Wait, type: delay, timeDelay: PT1S, transition: { nextState: Rest } }\n- name: Rest"],
    ),
    ["~ operation state Send", "    continues with: Rest → Wait", "+ delay state Wait", "    + waits: wait 1 s"],
    ["~ operation state Send", "    continues with: Wait → Rest", "- delay state Wait", "    - waits: wait 1 s"],
  ],
  [
    "a default",
    replaced([/default: \{ nextState: Send \}/, "default: { nextState: Rest }"]),
    ["~ switch state Decide", "    otherwise: Send → Rest"],
    ["~ switch state Decide", "    otherwise: Rest → Send"],
  ],
  [
    "the version",
    replaced(["'1.0'", "'1.1'"]),
    ["~ workflow parcel", "    version: 1.0 → 1.1"],
    ["~ workflow parcel", "    version: 1.1 → 1.0"],
  ],
  [
    "an output filter",
    replaced([
      "parameters: { id: $.id } } }]",
      "parameters: { id: $.id } } }]\n  stateDataFilter: { dataOutputPath: $.box }",
    ]),
    ["~ operation state Pack", "    + output filter: first($.box, $)"],
    ["~ operation state Pack", "    - output filter: first($.box, $)"],
  ],
];

test.each(kinds)("%s", async (_, changed, forward, backward) => {
  expect(await linesOf(flow, changed)).toEqual(forward);
  expect(await linesOf(changed, flow)).toEqual(backward);
});

test("changes have the positions in both versions", async () => {
  const changed = replaced(["functions:", "\n\nfunctions:"], ["PT5M", "PT1H"]);
  expect(changesOf(await diffOf(flow, changed))).toMatchObject([
    { name: "Rest", old: { path: "old.yaml", line: 24 }, new: { path: "new.yaml", line: 26 } },
  ]);
});
