import type { Starter } from "../../language.ts";

/** The first workflow of new projects. */
export const starter: Starter = {
  definition: `id: order
name: order
version: "1.0"
functions:
- { name: chargeCard, operation: "payments.openapi.yaml#chargeCard" }
states:
- name: Charge
  start: true
  enterAction:
    type: invokeFunction
    functionName: chargeCard
    arguments: { order: "\${ .order }" }
  enterResultHandler: "\${ .receipt = $value.receipt }"
`,
  files: [
    {
      path: "payments.openapi.yaml",
      text: `openapi: 3.1.0
info: { title: Payments, version: 1.0.0 }
servers: [{ url: "https://payments.example.com" }]
paths:
  /charges:
    post:
      operationId: chargeCard
      requestBody:
        content: { application/json: { schema: { type: object, properties: { order: { type: string } } } } }
      responses: { "200": { description: The card is charged. } }
`,
    },
  ],
  output: { order: "A1" },
};
