import { expect, test } from "vitest";
import { migrate } from "../../src/migration/index.ts";

test("comments keep their empty lines", () => {
  const header = "# Copyright\n#\n# All rights reserved\n";
  const text = `${header}id: wait
version: 1.0.0
specVersion: "0.8"
states:
# An hour
#
# and no longer
- { name: Wait, type: sleep, duration: PT1H, end: true }
`;
  const migrated = migrate({ path: "wait.yaml", text }, { language: "serverless-workflow-0.8", settings: {} }).text!;
  expect(migrated.startsWith(header)).toBe(true);
  expect(migrated).toContain("  # An hour\n  #\n  # and no longer\n  - Wait:\n");
});
