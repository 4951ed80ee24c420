import * as bindings from "../../src/generated/typescript-bindings.js";
import * as settings from "../../src/generated/typescript-settings.js";
import { own } from "../../src/json.ts";
import type { OutputFile, Target } from "../../src/target/contract.ts";
import type { Host } from "./host.ts";
import { withHosts } from "./host-setting.ts";

/** A standalone TypeScript program: a readable module for each workflow, and the runtime that makes runs durable. */
export const typescript: Target<readonly OutputFile[]> = typescriptWith([]);

/** The target with further hosts. */
export function typescriptWith(more: readonly Host[]): Target<readonly OutputFile[]> {
  return {
    name: "typescript",
    summary: "a standalone TypeScript program, durable on its own store",
    bindings,
    boundExport({ value, document }) {
      const module = own(value, "module");
      if (typeof module !== "string") return undefined;
      const at = module.indexOf("#");
      return { module: module.slice(0, at), name: module.slice(at + 1), span: document.spanOf(value, "module") };
    },
    settings: withHosts(settings, more),
    raisesProblems: true,
    async generate(program, settings, report) {
      const { hosts } = await import("../../src/generated/typescript-hosts.ts");
      return (await import("./files.ts")).programFiles(program, [...hosts, ...more], settings, report);
    },
    emit: (made) => made,
    loadPasses: async () => (await import("./files.ts")).passNames,
    metrics: (made) =>
      made.flatMap(({ workflow, path, text }) =>
        workflow === undefined || path.endsWith(".json")
          ? []
          : [{ workflow, name: `lines in ${path}`, value: text.split("\n").length - 1 }],
      ),
    loadSimulator: async () => (await import("./simulate.ts")).createSimulator(),
    printExpression: {
      as: "ts",
      print: async (expression, variables, span) =>
        (await import("./expressions/print.ts")).printExpressionFunction(expression, variables, span),
    },
    openEngine: async (files, options) => (await import("./open.ts")).openProgram(files, options),
  };
}
