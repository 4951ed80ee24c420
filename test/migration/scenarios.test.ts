import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderWith, waybill } from "../cli/command.ts";
import { root } from "../readme.ts";

// A migrated definition has the calls, events and outcomes of the original in the same scenarios. Where a golden depends on what 1.0 lacks, the table
// says how many scenarios agree and which codes tell why the others cannot.

const goldens: readonly {
  readonly name: string;
  readonly agree: readonly [count: number, of: number];
  readonly codes: readonly string[];
}[] = [
  { name: "order-process", agree: [3, 3], codes: [] },
  { name: "payment-wait", agree: [4, 4], codes: [] },
  { name: "events", agree: [2, 2], codes: [] },
  // Iterations run one after another
  { name: "loops-and-branches", agree: [1, 2], codes: ["WB0702"] },
  { name: "compensation", agree: [1, 2], codes: ["WB0701"] },
  // A result that is not an object
  { name: "actions", agree: [1, 2], codes: ["WB0703"] },
  // A backoff
  { name: "errors", agree: [2, 4], codes: ["WB0702"] },
];

test.each(goldens)("$name", async ({ name, agree: [count, of], codes }) => {
  const folder = join(root, "golden/serverless-workflow-0.8", name);
  const files = ["workflow.yaml", "scenarios.yaml"];
  const cwd = folderWith(Object.fromEntries(files.map((file) => [file, readFileSync(join(folder, file), "utf8")])));
  const { err } = await waybill(cwd, ["migrate", "workflow.yaml", "--out", "new.yaml"]);
  for (const code of codes) expect(err).toContain(code);
  const { out, err: problems } = await waybill(cwd, [
    ...["diff", "workflow.yaml", "new.yaml"],
    ...["--scenarios", "scenarios.yaml"],
  ]);
  expect(problems).toBe("");
  expect(out).toContain(`scenarios: ${count} of ${of} have the same calls, events and outcome`);
});
