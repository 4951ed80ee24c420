import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  isDefault: true,
  definition: `document:
  dsl: 1.0.3
  namespace: shop
  name: charge-card
  version: 1.0.0
do:
  - chargeCard:
      call: http
      with:
        method: POST
        endpoint: https://payments.example/charges
        body:
          order: \${ .order }
`,
  output: {},
};
