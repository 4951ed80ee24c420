import { expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import { typescript } from "../../../targets/typescript/index.ts";
import { languages } from "../../languages.ts";

test("a selected list under the name of an object of the input is converted through JSON", async () => {
  const text = `StartAt: Read
States:
  Read:
    Type: Task
    Resource: "\${Read}"
    Parameters: { n.$: $.a.b }
    ResultPath: null
    Next: Load
  Load:
    Type: Task
    Resource: "\${Load}"
    ResultSelector: { a.$: "$.list[?(@.n == 1)]" }
    End: true
`;
  const input = { sources: [{ path: "machine.yaml", text }], options: {} };
  const { files } = await compileWith(input, languages, typescript);
  expect(files.find(({ path }) => path === "machine.ts")!.text).toContain("} as Json as Input;");
});
