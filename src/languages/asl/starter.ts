import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `StartAt: chargeCard
States:
  chargeCard:
    Type: Task
    Resource: \${ChargeCardArn}
    Parameters: { order.$: $.order }
    End: true
`,
  output: {},
};
