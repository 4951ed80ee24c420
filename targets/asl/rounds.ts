import type { Workflow } from "../../src/ir/workflow.ts";
import { type Legal, throughFunction } from "./legalize/computed/workflow.ts";
import type { Problem } from "./lower/context.ts";
import { lowerWorkflow } from "./lower/machine.ts";
import type { Machine } from "./machine.ts";
import type { Substitutions } from "./substitutions.ts";

/** A workflow as a machine without names, and what of it turned out to have no exact form. */
export interface Lowered {
  readonly machine: Machine;
  readonly problems: readonly Problem[];
  /** The workflow that the machine performs, and the expressions that it has a function compute. */
  readonly legal: Legal;
}

/** A step that is computed elsewhere may show another whose errors nothing catches, but hardly this often. */
const mostRounds = 8;

/**
 * Lowers a workflow; where that leaves something without an exact form, again with such expressions computed elsewhere, until nothing is left or nothing
 * more can be done. Most workflows take one round; each further one is for steps whose errors only then prove to be caught by nothing.
 */
export function lowered(workflow: Workflow, substitutions: Substitutions): Lowered {
  let legal: Legal = { workflow, computed: [], impossible: [], steps: new Map() };
  let result = lowerWorkflow(workflow, substitutions);
  const uncaught = new Set<string>();
  for (let round = 0; round < mostRounds && result.problems.some(({ remedy }) => remedy); round++) {
    const known = uncaught.size;
    for (const { remedy } of result.problems)
      if (remedy?.kind === "catch") for (const id of madeFor(remedy.step, legal)) uncaught.add(id);
    if (round > 0 && uncaught.size === known) break;
    legal = throughFunction(workflow, uncaught);
    result = lowerWorkflow(legal.workflow, substitutions);
  }
  return { ...result, legal };
}

/** A step, and those that it was made for. */
function* madeFor(id: string, { steps }: Legal): Generator<string> {
  for (let each: string | undefined = id; each !== undefined; each = steps.get(each)) yield each;
}
