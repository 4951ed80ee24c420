import { defineConfig } from "vitest/config";

/**
 * Tests that start processes, measure time or memory, or change what modules of a process share. Each file runs in a
 * process of its own. The other files share processes and the modules that these have loaded, which takes a third less
 * processor time.
 */
const isolated = [
  "bench",
  "browser.test.ts",
  "cli",
  "crash",
  "equivalence",
  "expressions/deep-effects.test.ts",
  "expressions/js/budgets.test.ts",
  "graph/browser.test.ts",
  "hosts",
  "integrations.test.ts",
  "ir/scripts.test.ts",
  "limits",
  "lsp",
  "playground",
  "rules/mutants.test.ts",
  "targets/asl/deploy",
  "targets/asl/second-engine",
  "targets/openwhisk/deploy",
  "targets/openwhisk/kills",
  "targets/openwhisk/runtime",
  "targets/openwhisk/simulator",
  "targets/typescript/dashboard",
  "targets/typescript/durable",
  "targets/typescript/image",
  "targets/typescript/main",
  "targets/typescript/runtime",
  "targets/typescript/server",
].map((path) => (path.endsWith(".ts") ? `test/${path}` : `test/${path}/**/*.test.ts`));

export default defineConfig({
  test: {
    projects: [
      { test: { name: "isolated", include: isolated } },
      {
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...isolated],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
