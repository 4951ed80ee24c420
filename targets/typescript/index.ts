import type { Target } from "../target.ts";

/** A standalone TypeScript program: a readable module for each workflow, and the runtime that makes runs durable. */
export const typescript: Target = {
  name: "typescript",
  summary: "a standalone TypeScript program, durable on its own store",
  check: () => undefined,
  emit: async (program) => (await import("./files.ts")).programFiles(program),
  run: async (request) => (await import("./run.ts")).run(request),
  load: () => import("./run.ts"),
};
