import { expect, test } from "vitest";
import { compile } from "../../../src/index.ts";
import { programFolder, typeErrors } from "../../targets/typescript/program.ts";

function chain(count: number): string {
  const functions = Array.from(
    { length: count },
    (_, i) => [`s${i}`, { Type: "Task", Function: `p => { p.n = ${i}; return p }`, Next: `s${i + 1}` }] as const,
  );
  return JSON.stringify({
    Entry: "s0",
    Exit: `s${count}`,
    States: { ...Object.fromEntries(functions), [`s${count}`]: { Type: "Pass" } },
  });
}

test.each([
  [300, false],
  [1000, true],
])(
  "%i functions in a row pass the type checker",
  async (count, isUnchecked) => {
    const sources = [{ path: "row.json", text: chain(count) }];
    const { files } = await compile({ sources, target: "typescript" });
    const texts = files.filter(({ path }) => path !== "tsconfig.json").map(({ path, text }) => [path, text] as const);
    expect(new Map(texts).get("row.ts")!.includes("// @ts-nocheck")).toBe(isUnchecked);
    expect(await typeErrors(programFolder(Object.fromEntries(texts)), ["main.ts"])).toBe("");
  },
  60_000,
);
