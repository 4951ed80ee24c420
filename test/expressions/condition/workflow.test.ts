import { describe, expect, test } from "vitest";
import { check } from "../../../src/index.ts";

/** The diagnostics of a workflow with a transition condition. */
async function findings(expression: string, settings = ""): Promise<readonly string[]> {
  const text = `id: check
name: Check
version: '1.0'
${settings}states:
- name: First
  type: inject
  start: { kind: default }
  data: { on: true, id: 1 }
  transition: { nextState: Last, expression: ${expression} }
- { name: Last, type: inject, data: {}, end: { kind: default } }
`;
  const { diagnostics } = await check({ sources: [{ path: "workflow.yaml", text }] });
  return diagnostics.map(({ code, message, span, hint }) =>
    [code, `<${span.source.text.slice(span.start, span.end)}>`, message, ...(hint === undefined ? [] : [hint])].join(
      " ",
    ),
  );
}

describe("conditions in a workflow", () => {
  test("are parsed in the language that they or the workflow declare", async () => {
    expect(await findings("{ language: CEL, body: '$.id in [1, 2]' }")).toEqual([]);
    expect(await findings("'!$.on == false'", "expressionLanguage: jexl\n")).toEqual([]);
    expect(await findings("{ body: '$.id =~ [1]' }", "expressionLanguage: jexl\n")).toEqual([]);
    expect(await findings("'id in [1, 2]'")).toEqual([]);
    expect(await findings("{ language: cel, body: 'id instanceof Order' }")).toEqual([
      "WB4003 <instanceof> The operator `instanceof` is not supported in CEL conditions.",
    ]);
    expect(await findings("{ language: spel, body: 'id instanceof Order' }")).toEqual([
      "WB4003 <instanceof> `instanceof` is not supported in SpEL conditions.",
    ]);
    expect(await findings("'!$.on == false'")).toEqual([
      "WB4003 <!$.on> The precedence of `not` next to a comparison differs between languages. Write `not (… eq …)`.",
    ]);
  });

  test("report numbers that lose digits", async () => {
    expect(await findings("$.id == 9007199254740993")).toEqual([
      "WB4012 <9007199254740993> Numbers are stored with 53 bits: this becomes 9007199254740992.",
    ]);
  });
});
