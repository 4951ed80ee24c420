import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { scenario as explanations } from "../../src/diagnostics/explanations/scenario.ts";
import * as kinds from "../../src/diagnostics/scenario.ts";

const folder = mkdtempSync(join(tmpdir(), "scenario-"));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = `id: greet
name: Greet
version: '1.0'
functions:
- { name: greet, resource: greet }
states:
- name: Greet
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: greet, parameters: { name: $.name } } }]
  end: { kind: default }
`;

/** The exit status of `waybill test` on a scenario file, and all that it prints. */
async function tested(file: string, text: string): Promise<{ readonly status: number; readonly printed: string }> {
  writeFileSync(join(folder, "workflow.yaml"), definition);
  writeFileSync(join(folder, file), text);
  let printed = "";
  const print = (more: string) => {
    printed += more;
  };
  const none = (async function* () {})();
  const status = await main(["test", file], {
    stdin: none,
    out: print,
    err: print,
    color: false,
    cwd: folder,
    debug: true,
  });
  return { status, printed };
}

test("every finding about scenario files is explained, and no other", () => {
  expect(Object.keys(explanations).sort()).toEqual(
    Object.values(kinds)
      .map(({ code }) => code)
      .sort(),
  );
});

test.each(Object.entries(explanations))(
  "%s by an example that shows it and one that is mended",
  async (code, { example }) => {
    const bad = await tested(example.file, example.bad);
    expect(bad.printed).toContain(` ${code}: `);
    expect(bad.status).toBe(code === kinds.unusedAnswer.code ? 0 : 1);
    const good = await tested(example.file, example.good);
    expect(good.printed).not.toContain(" WB60");
    expect(good).toMatchObject({ status: 0, printed: expect.stringContaining("1 passed, 0 failed") });
  },
);
