import { computeFirst } from "./compute.ts";
import type { Computer } from "./computer.ts";

/** Why a run ends at a function whose source is part of the definition. */
export const scriptsUnavailable =
  "Functions with code in the definition do not run in browsers; `waybill test` runs them.";

/**
 * Evaluates computed results in this thread, for browsers: the page ends its worker if they are endless. Functions whose
 * source is part of a definition do not run, since that would evaluate a stranger's code in the page.
 */
export const createComputer = (): Computer => ({
  compute: async (expression, input) => computeFirst(expression, input),
  run() {
    throw new Error(scriptsUnavailable);
  },
  async close() {},
});
