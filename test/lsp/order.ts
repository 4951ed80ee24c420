/** A definition in SM4C: two states name a third, and it has a function and an event. */
export const order = `name: order
version: '1'
events:
- { name: paid, type: shop.paid }
functions:
- { name: charge, operation: "shop.yaml#charge" }
states:
- name: Begin
  start: true
  enterAction: { type: invokeFunction, functionName: charge }
  transitions:
  - { condition: "\${ .retry }", nextState: Begin }
  - { condition: "\${ true }", nextState: Wait here }
- name: Wait here
  transitions:
  - eventGroups:
    - events: [paid]
    nextState: Finish
- name: Finish
`;

/** A definition in Serverless Workflow with misspelled names. */
export const misspelled = `id: orders
name: Orders
version: '1.0'
functions:
- name: charge
  resourse: charge-card
states:
- name: Charge
  type: operation
  start: { kind: default }
  actionMode: sequential
  actions:
  - functionRef: { refName: charg }
  transition: { nextState: Shp }
- name: Ship
  type: operation
  actionMode: sequential
  actions:
  - functionRef: { refName: charge }
  end: { kind: default }
`;

/** Bindings of the functions, so that no definition refers to an absent OpenAPI document. */
export const configuration = `functions:
  charge: { typescript: { module: ./charge.ts#charge } }
`;
