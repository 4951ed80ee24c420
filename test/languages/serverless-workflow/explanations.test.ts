import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { serverlessWorkflow as explanations } from "../../../src/diagnostics/explanations/serverless-workflow.ts";
import { languages } from "../../../src/languages/index.ts";
import * as kinds from "../../../src/languages/serverless-workflow/diagnostics/kinds.ts";

describe("every finding is explained", () => {
  const codes = Object.values(kinds).map(({ code }) => code);

  test("and no other", () => {
    expect(Object.keys(explanations).sort()).toEqual([...codes].sort());
    expect(new Set(codes).size).toBe(codes.length);
  });

  test.each(Object.entries(explanations))(
    "%s by an example that shows it and one that is mended",
    (code, { example }) => {
      const found = (text: string) =>
        check({ sources: [{ path: example.file, text }], options: example.options ?? {} }, languages).diagnostics;
      expect(found(example.bad).map((diagnostic) => diagnostic.code)).toContain(code);
      const mended = found(example.good);
      expect(mended.map((diagnostic) => diagnostic.code)).not.toContain(code);
      expect(mended.filter(({ severity }) => severity === "error")).toEqual([]);
    },
  );
});
