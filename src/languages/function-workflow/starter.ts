import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `states:
  Charge:
    start: true
    type: OPERATION
    actions:
    - { function: chargeCard, timeout: 30 }
    next-state: Done
  Done: { type: END }
`,
  output: {},
};
