import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `yawl: "0.1"
start: chargeCard
steps:
  chargeCard:
    functionCall:
      functionId: charge-card
      timeout: 30s
      input: '\\({ order: .order })'
      output: '\\({ receipt: .receipt })'
`,
  output: {},
};
