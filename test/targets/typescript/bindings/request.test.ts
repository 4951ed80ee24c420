import { expect, test } from "vitest";
import { configurationForTarget, readConfiguration } from "../../../../src/configuration/index.ts";
import { lowerDefinitions } from "../../../../src/library/ir.ts";
import { createBindingRequest, emitFunctions } from "../../../../targets/typescript/bindings/index.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { members } from "./emitting.ts";

const workflow = (id: string, actions: string) => ({
  path: `${id}.yaml`,
  text: `
id: ${id}
name: ${id}
version: '1.0'
functions: [{ name: charge, resource: 'https://pay.example.com/' }, { name: tell, resource: tell }, { name: spare }]
events: [{ name: Paid, type: shop.paid, source: /shop }]
states:
- { name: Do, type: operation, start: { kind: default }, actions: [${actions}], end: { kind: default } }
`,
});

test("a program has the functions that it calls, and the event types of its definitions", async () => {
  const tell = "{ functionRef: { refName: tell } }";
  const { program } = await lowerDefinitions({
    sources: [workflow("a", `${tell}, { functionRef: { refName: charge } }`), workflow("b-1", tell)],
  });
  const text =
    "functions: { tell: { typescript: { module: './tell.ts#tell' } } }\nevents: { Paid: { typescript: { sink: https://x.example } } }";
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], [typescript], () => undefined);
  const request = createBindingRequest(
    program!,
    new Map([
      ["a", { name: "a", calls: new Set(["tell", "charge"]) }],
      ["b-1", { name: "b-1", calls: new Set(["tell"]) }],
    ]),
    { configurationOf: () => configurationForTarget("typescript", configuration) },
    () => undefined,
  );
  const found: string[] = [];
  const { text: module } = await emitFunctions({ ...request, runtime: "waybill-runtime" }, ({ code }) =>
    found.push(code),
  );
  expect(found).toEqual([]);
  expect(members(module)).toBe('tell, charge: http("POST https://pay.example.com/"),');
  expect(module).toContain("export const functions: AFunctions & B1Functions = {");
  expect(module).toContain('import type { Functions as B1Functions } from "./b-1.ts";');
  expect(module).toContain('{ "shop.paid": { url: "https://x.example" } }');
});
