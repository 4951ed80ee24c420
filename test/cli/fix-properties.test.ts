import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { fixSources } from "../../src/cli/check.ts";
import { readWithDiagnostics } from "../../src/documents/index.ts";
import { goldenNames, readGolden } from "../golden/folder.ts";
import { mutant, randomFrom } from "../languages/mutants.ts";
import { languages } from "../languages.ts";

// What holds of every fix: the file still reads, nothing that is not replaced changes, and no fix is offered again.

const fix = (path: string, text: string) =>
  fixSources({ sources: [{ path, text }], options: {} }, languages, undefined);

async function fixed(text: string, path = "a.yaml"): Promise<string> {
  const { sources } = await fix(path, text);
  return sources[0]!.text;
}

const sm4c = (action: string) => `name: Claim
version: "1"
states:
- name: Open
  start: true
  enterAction: ${action}
  transitions:
  - nextState: Closed
- name: Closed
`;

const workflow = (state: string) => `id: pay
name: Pay
version: '1.0'
functions:
- { name: pay, resource: 'arn:aws:lambda:eu-west-1:123456789012:function:pay' }
states:
- name: Pay
  type: operation
  start: { kind: default }
${state}`;

describe("a replacement is quoted where YAML would read it as anything else", () => {
  test("braces in flow style", async () => {
    const text = await fixed(sm4c("{ type: injectData, expression: .a }"));
    expect(parse(text).states[0].enterAction).toEqual({ type: "injectData", expression: `$${"{ .a }"}` });
    expect(await fixed(text)).toBe(text);
  });

  test("braces in block style", async () => {
    const text = await fixed(sm4c("\n    type: injectData\n    expression: .a"));
    expect(parse(text).states[0].enterAction).toEqual({ type: "injectData", expression: `$${"{ .a }"}` });
  });
});

describe("a short form becomes an object", () => {
  test("with the properties beside it", async () => {
    const text = await fixed(
      workflow("  actions:\n  - functionRef: pay\n    parameters: { amount: $.amount }\n  end: { kind: default }\n"),
    );
    expect(parse(text).states[0].actions).toEqual([
      { functionRef: { refName: "pay", parameters: { amount: "$.amount" } } },
    ]);
  });

  test("not if they cannot move into it", async () => {
    const before = workflow(
      "  actions: [{ functionRef: pay, parameters: { amount: $.amount } }]\n  end: { kind: default }\n",
    );
    expect(await fixed(before)).toBe(before);
  });
});

const definitions = goldenNames()
  .flatMap((name) => readGolden(name, (text) => parse(text)).sources)
  .filter(({ text }) => text.length < 3_000);

/** Slips that have fixes: other case, a missing letter, braces of an expression, quotes. */
const slips: readonly ((text: string, at: number) => string)[] = [
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + (text[at] ?? "").toUpperCase() + text.slice(at + 1),
  (text, at) => text.slice(0, at) + (text[at] ?? "").toLowerCase() + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/\$\{ (.*?) \}/, "$1"),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/'([^'\n]*)'/, "$1"),
  (text, at) => text.slice(0, at) + text.slice(at).replace(/\{ \w+: (\w+) \}/, "$1"),
];

function slipped(text: string, random: () => number): string {
  let changed = text;
  for (let i = 0; i < 3; i += 1) {
    const slip = slips[Math.floor(random() * slips.length)]!;
    changed = slip(changed, Math.floor(random() * changed.length));
  }
  return changed;
}

describe.each([1, 2, 3, 4])("mutated definitions, seed %i", (seed) => {
  test("read as well after all fixes, and offer none of them again", async () => {
    const random = randomFrom(seed);
    const countErrors = (path: string, text: string): number =>
      readWithDiagnostics({ path, text }, { recovers: true }).diagnostics.filter(({ severity }) => severity === "error")
        .length;
    let applications = 0;
    for (let i = 0; i < 100; i += 1) {
      const { path, text } = definitions[Math.floor(random() * definitions.length)]!;
      const before = random() < 0.7 ? slipped(text, random) : mutant(text, undefined, random);
      const { sources, applied } = await fix(path, before);
      const after = sources[0]!.text;
      applications += applied.length;
      const [old, now] = [countErrors(path, before), countErrors(path, after)];
      expect(now, `${before}\n=>\n${after}`).toBeLessThanOrEqual(old);
      const again = await fix(path, after);
      expect(
        again.applied.map(({ code, message }) => `${code} ${message}`),
        `${before}\n=>\n${after}`,
      ).toEqual([]);
    }
    expect(applications).toBeGreaterThan(20);
  });
});
