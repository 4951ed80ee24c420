import { unsupportedExpression } from "../../src/diagnostics/data.ts";
import type { Program } from "../../src/program.ts";
import type { Target } from "../../src/target.ts";
import type { Report } from "../../src/text/diagnostics.ts";

/** A standalone TypeScript program: a readable module for each workflow, and the runtime that makes runs durable. */
export const typescript: Target = {
  name: "typescript",
  summary: "a standalone TypeScript program, durable on its own store",
  async check(program: Program, report: Report) {
    const [{ bindingsOf }, { refusedExpressions }] = await Promise.all([import("./bindings.ts"), import("./files.ts")]);
    for (const finding of bindingsOf(program).findings) report(finding);
    for (const { span, reason } of refusedExpressions(program))
      report(unsupportedExpression(span, { message: reason }));
  },
  emit: async (program) => (await import("./files.ts")).programFiles(program),
  run: async (request) => (await import("./run.ts")).run(request),
  load: () => import("./run.ts"),
};
