import { expect, test } from "vitest";
import { check } from "../../src/index.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { hostOf } from "../host.ts";

// `trust: types` checks the arguments of every language where they are in the definition.

const shop = `
export interface Receipt { email: string; total: number }
export const charge = async (payment: { order: string; amount: number }): Promise<{ receipt: Receipt }> => ({ receipt: { email: payment.order, total: payment.amount } });
export const mail = (to: { to: string; copy?: { to: string } }): void => void to;
`;

const configuration = `
trust: types
options: { timeout: fail }
functions:
  charge: { typescript: { module: ./shop.ts#charge } }
  mail: { typescript: { module: ./shop.ts#mail } }
`;

const schema = '{ "type": "object", "properties": { "id": { "type": "string" } }, "required": ["id"] }';

async function checked(definitions: { readonly [path: string]: string }): Promise<readonly string[]> {
  const { diagnostics } = await check({
    sources: Object.entries(definitions).map(([path, text]) => ({ path, text: text.replace("ID", path.slice(0, -5)) })),
    config: { path: "waybill.config.yaml", text: configuration },
    host: hostOf({ path: "shop.ts", text: shop }, { path: "order.json", text: schema }),
  });
  return diagnostics.filter(({ code, severity }) => /^WB43/.test(code) || severity === "error").map(describe);
}

const describe = ({ code, message, span: { source, start, end } }: Diagnostic): string =>
  `${source.path} ${code} at ${source.text.slice(start, end)}: ${message}`;

const serverlessWorkflow = (actions: string): string => `
id: ID
name: Order
version: '1.0'
dataInputSchema: order.json
functions: [{ name: charge }, { name: mail }]
states:
- name: Order
  type: operation
  start: { kind: default }
  actions:
${actions}  end: { kind: default }
`;

test("arguments of every language are checked at their values", async () => {
  const found = await checked({
    "a.yaml": serverlessWorkflow("  - functionRef: { refName: charge, parameters: { order: $.id, amount: '12' } }\n"),
    "b.yaml": `
states:
  Order:
    type: OPERATION
    start: true
    actions: [{ function: { name: charge, parameters: { order: 1, amount: 12 } } }]
    next-state: Done
  Done: { type: END }
`,
    "c.yaml": `
name: ID
version: "1.0"
functions: [{ name: charge, operation: "./desk.yaml#charge" }]
states:
- name: Order
  start: true
  enterAction: { type: invokeFunction, functionName: charge, arguments: { order: o1, amount: false } }
`,
    "d.yaml": `
yawl: "0.1"
start: charge
steps:
  charge: { functionCall: { functionId: d4e-charge, input: '\\({"order": "o1", "amount": null})' } }
`,
  });
  expect(found).toEqual([
    "a.yaml WB4309 at '12': `charge` does not accept this argument: `amount` is `\"12\"`, not a number.",
    "b.yaml WB4309 at 1: `charge` does not accept this argument: `order` is `1`, not a string.",
    "c.yaml WB4309 at false: `charge` does not accept this argument: `amount` is `false`, not a number.",
    'd.yaml WB4309 at \'\\({"order": "o1", "amount": null})\': `charge` does not accept this argument: `amount` is null, not a number.',
  ]);
});

test("results flow into arguments and paths", async () => {
  const charge = "  - functionRef: { refName: charge, parameters: { order: $.id, amount: 12 } }\n";
  const mail = (to: string) => `  - functionRef: { refName: mail, parameters: { to: ${to} } }\n`;
  expect(
    await checked({
      "fits.yaml": serverlessWorkflow(charge + mail("$.receipt.email")),
      "type.yaml": serverlessWorkflow(charge + mail("$.receipt.total")),
      "member.yaml": serverlessWorkflow(charge + mail("$.receipt.emial")),
      "path.yaml": serverlessWorkflow(charge + mail("$.receipt.email.domain")),
    }),
  ).toEqual([
    "type.yaml WB4309 at $.receipt.total: `mail` does not accept this argument: `to` is a number, not a string.",
    "member.yaml WB4302 at emial: The type does not list the member `emial`.",
    "path.yaml WB4309 at $.receipt.email.domain: `mail` does not accept this argument: `to` is null, not a string.",
    "path.yaml WB4301 at domain: The type allows no member `domain` in a string.",
  ]);
});

test("missing, nested and uncertain members are named", async () => {
  const call = (parameters: string) => `  - functionRef: { refName: mail, parameters: ${parameters} }\n`;
  const copy = '{ to: $.id, copy: { to: "$.tags[0]" } }';
  expect(
    await checked({
      "missing.yaml": serverlessWorkflow(call("{ too: $.id }")),
      "nested.yaml": serverlessWorkflow(call("{ to: $.id, copy: { to: [1] } }")),
      "unknown.yaml": serverlessWorkflow(call(copy)),
      "none.yaml": serverlessWorkflow("  - functionRef: { refName: charge }\n"),
    }),
  ).toEqual([
    "missing.yaml WB4309 at { too: $.id }: `mail` does not accept this argument: `to` is missing.",
    "nested.yaml WB4309 at [1]: `mail` does not accept this argument: `copy.to` is an array, not a string.",
  ]);
});
