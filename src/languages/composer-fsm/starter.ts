import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `Entry: charge
Exit: done
States:
  charge: { Type: Task, Action: chargeCard, Next: done }
  done: { Type: Pass }
`,
  output: {},
};
