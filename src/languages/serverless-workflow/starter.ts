import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `id: order
name: Order
version: '1.0'
functions:
- { name: chargeCard }
states:
- name: Charge
  type: operation
  start: { kind: default }
  actions:
  - functionRef: { refName: chargeCard, parameters: { order: $.order } }
  end: { kind: default }
`,
  output: { order: "A1" },
};
