import { describe, expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import { printProgram } from "../../../src/ir/print.ts";
import { assertWellFormed } from "../../../src/ir/verify.ts";
import { positionOf } from "../../../src/text/source.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

/** The diagnostics of a definition (line, code, source at the span, message) and its IR. */
async function compiled(text: string, path = "demo.yaml") {
  const source = { path, text };
  const { program, diagnostics } = await compileWith(
    { sources: [source], options: {}, verify: assertWellFormed },
    languages,
  );
  const findings = diagnostics.map(({ code, message, span: { start, end } }) => {
    return `${positionOf(source, start).line} ${code} <${text.slice(start, end).slice(0, 30)}> ${message}`;
  });
  return { findings, ir: program ? printProgram(program) : "" };
}

const done = "  Done: { type: END }\n";
const operation = (rest: string) =>
  `states:\n  A: { type: OPERATION, start: true, ${rest}, next-state: Done }\n${done}`;
const retry = (...entries: readonly string[]) =>
  operation(`actions: [{ function: f, retry: [${entries.join(", ")}] }]`);
const findings = async (text: string, path?: string) => (await compiled(text, path)).findings;

describe("no diagnostics for", () => {
  test.each([
    operation("actions: [{ function: f }]"),
    operation("actions: []"),
    operation("x-note: 1"),
    operation("InputPath: $, ResultPath: $, OutputPath: $"),
    retry(
      "{ match: Busy, max-retry: 2 }",
      "{ match: 5, next-state: Done }",
      "{ match: SYS.MatchAny, next-state: Done }",
    ),
    `states:\n  a: { type: OPERATION, start: true, next-state: A }\n  A: { type: END }\n`,
  ])("%s", async (text) => {
    expect(await findings(text)).toEqual([]);
  });
});

describe("reports retry entries that can never apply", () => {
  const dead = "This entry never applies: an earlier entry matches everything it matches.";
  test.each<[string, readonly string[]]>([
    [retry("{ match: SYS.MatchAny }", "{ match: SYS.Timeout }"), [`2 WB3306 <SYS.Timeout> ${dead}`]],
    [retry("{ match: SYS.MatchAny }", "{ match: Busy }"), []],
    [retry("{ match: Busy }", "{ match: Busy }"), [`2 WB3306 <Busy> ${dead}`]],
    [retry("{ match: '5' }", "{ match: 5 }"), [`2 WB3306 <5> ${dead}`]],
    [retry("{ match: 5 }", "{ match: '5' }"), []],
    [retry("{ match: { a: [1] } }", "{ match: { a: [1] } }"), [`2 WB3306 <{ a: [1] }> ${dead}`]],
    [retry("{ match: { a: [1] } }", "{ match: { a: [2] } }"), []],
  ])("%s", async (text, expected) => {
    expect(await findings(text)).toEqual(expected);
  });
});

test("an expression becomes alternatives, without contradictory ones", async () => {
  const { ir } = await compiled(
    `trigger-defs: { A: { source: /a, correlation-token: $.t }, B: { source: /b, correlation-token: $.t }, my-event: { source: /c, correlation-token: $.t } }
states:
  W:
    type: EVENT
    start: true
    events:
      - { event-expression: A and (B or my-event) and not (A and B), timeout: 5, next-state: Done }
      - { event-expression: A, next-state: Done }
${done}`,
  );
  expect(ir).toContain("    0: A and my-event without B within 5 s\n    1: A\n");
});

describe("rejects deep nesting quickly, at its position", () => {
  const rule = (count: number): string => {
    const inner = '{ "path": "$.a", "operator": "EQ", "value": 1 }';
    return (
      Array.from({ length: count }, (_, i) => ['{ "And": [', '{ "Not": ', '{ "Or": ['][i % 3]).join("") +
      inner +
      Array.from({ length: count }, (_, i) => ["] }", "}", "] }"][i % 3])
        .reverse()
        .join("")
    );
  };
  const chosen = (count: number) =>
    `{ "states": { "A": { "type": "SWITCH", "start": true, "choices": [{ "Or": [${rule(count)}], "next-state": "B" }], "default": "B" }, "B": { "type": "END" } } }`;
  const tooDeep = "Arrays and objects are nested more than 100 levels deep.";

  test("rules", async () => {
    expect(await findings(chosen(50), "a.json")).toEqual([]);
    const started = performance.now();
    for (const count of [60, 5000, 50_000]) {
      const [finding, ...others] = await findings(chosen(count), "a.json");
      expect([finding?.replace(/<.*>/, "<>"), others]).toEqual([`1 WB0003 <> ${tooDeep}`, []]);
      expect((await findings(`// nearly JSON\n${chosen(count)}`, "a.json"))[0]?.replace(/<.*>/, "<>")).toBe(
        `2 WB0003 <> ${tooDeep}`,
      );
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test("all targets support rules of the maximum depth", async () => {
    for (const target of targets) {
      const { files, diagnostics } = await compileWith(
        { sources: [{ path: "a.json", text: chosen(50) }], options: {} },
        languages,
        target,
      );
      expect([target.name, files.length > 0, diagnostics]).toEqual([target.name, true, []]);
    }
  });

  test.each(["(", "not "])("event expressions of many `%s`", async (opening) => {
    const expression = `${opening.repeat(5000)}A${opening === "(" ? ")".repeat(5000) : ""}`;
    const found = await findings(
      `trigger-defs: { A: { source: /a } }\nstates:\n  W: { type: EVENT, start: true, events: [{ event-expression: '${expression}', next-state: Done }] }\n${done}`,
    );
    expect(found.map((each) => each.replace(/<.*>/, "<>"))).toEqual([
      "3 WB4004 <> This expression is nested more than 100 levels deep.",
    ]);
  });

  test("event expressions with too many combinations", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `E${i}`);
    const triggers = names.map((name) => `${name}: { source: /${name}, correlation-token: $.t }`).join(", ");
    const pairs = Array.from({ length: 20 }, (_, i) => `(E${2 * i} or E${2 * i + 1})`).join(" and ");
    const [finding] = await findings(
      `trigger-defs: { ${triggers} }\nstates:\n  W: { type: EVENT, start: true, events: [{ event-expression: ${pairs}, next-state: Done }] }\n${done}`,
    );
    expect(finding).toContain("WB4004");
    expect(finding).toContain("more than 1000 combinations of events");
  });
});

test("reports durations out of range", async () => {
  const timed = (seconds: string) =>
    `states:\n  A: { type: DELAY, start: true, time-delay: ${seconds}, next-state: Done }\n${done}`;
  expect((await findings(timed("0")))[0]).toContain("`time-delay` must be at least 1, not 0");
  expect((await findings(timed("-5")))[0]).toContain("`time-delay` must be at least 1, not -5");
  expect((await findings(timed("99999999999999")))[0]).toContain("must be at most 31536000000");
  expect((await findings(timed("1.5")))[0]).toContain("must be an integer or a string");
  expect((await findings(timed("P99999999999999D")))[0]).toContain("is longer than any workflow runs");
});

test("distinguishes state names that differ only in case or are not identifiers", async () => {
  const names = ["a", "A", "__proto__", "constructor", "toString", "", " ", "\u2028", "a/b", "../x", "é", "e\u0301"];
  const states = names.map((name, i) => [
    name,
    {
      type: "OPERATION",
      ...(i === 0 ? { start: true } : {}),
      actions: [{ function: name === "" ? "empty" : name }],
      "next-state": names[i + 1] ?? "END",
    },
  ]);
  const text = JSON.stringify({ states: Object.fromEntries([...states, ["END", { type: "END" }]]) });
  for (const target of targets) {
    const { files, diagnostics } = await compileWith(
      { sources: [{ path: "a.json", text }], options: {} },
      languages,
      target,
    );
    expect([target.name, diagnostics.filter(({ severity }) => severity === "error"), files.length > 0]).toEqual([
      target.name,
      [],
      true,
    ]);
  }
});
