import { computeFirst } from "./compute.ts";
import type { Computer } from "./computer.ts";

/**
 * Evaluates computed results in this thread, for browsers: the page ends its worker if they are endless. Functions whose
 * source is part of a definition do not run, since that would evaluate a stranger's code in the page.
 */
export const createComputer = (): Computer => ({
  compute: async (expression, input) => computeFirst(expression, input),
  run() {
    throw new Error("Functions with code in the definition do not run in browsers; `waybill test` runs them.");
  },
  async close() {},
});
