import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `id: order
name: Order
version: '1.0'
specVersion: '0.8'
start: Charge
functions:
- { name: chargeCard, type: custom, operation: chargeCard }
states:
- name: Charge
  type: operation
  actions:
  - functionRef: { refName: chargeCard, arguments: { order: '\${ .order }' } }
  end: true
`,
  output: { order: "A1" },
};
