import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `QueryLanguage: JSONata
StartAt: chargeCard
States:
  chargeCard:
    Type: Task
    Resource: \${ChargeCardArn}
    Arguments: { order: "{% $states.input.order %}" }
    End: true
`,
  output: {},
};
