import { expect, test } from "vitest";
import { check } from "../../src/compile.ts";
import { type Configuration, readConfiguration } from "../../src/configuration/index.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";

const orders = `yawl: "0.1"
start: bill
steps:
  bill: { workflow: { workflowId: billing, next: done } }
  done: { noOp: {} }
`;
const bill = `yawl: "0.1"\nstart: send\nsteps:\n  send: { noOp: {} }\n`;

/** The findings of a program in the folder `shop` with its configuration. */
function found(configured: string, paths: { readonly [path: string]: string }): readonly string[] {
  const source = { path: "shop/waybill.config.yaml", text: configured };
  const configuration: Configuration = readConfiguration(source, languages, targets, () => undefined);
  const sources = Object.entries(paths).map(([path, text]) => ({ path, text }));
  const { diagnostics } = check({ sources, options: {}, configurationOf: () => configuration }, languages);
  return diagnostics.map(({ code, span }) => `${code} ${span.source.text.slice(span.start, span.end)}`);
}

test("a path that is not among the sources is reported at the path if its workflow is started", () => {
  const both = { "shop/orders.yaml": orders, "shop/bill.yaml": bill };
  expect(found("workflows: { billing: ./bil.yaml }", both)).toEqual(["WB0528 ./bil.yaml"]);
  expect(found("workflows: { billing: ./bill.yaml }", both)).toEqual([]);
  expect(found("workflows: { billing: ./bill.yaml }", { "/home/a/shop/orders.yaml": orders })).toEqual([
    "WB0528 ./bill.yaml",
  ]);
  expect(found("workflows: { refunds: ./refunds.yaml, billing: ./bill.yaml }", both)).toEqual([]);
});

test("a workflow without a path is external", () => {
  expect(found("workflows: { refunds: ./bil.yaml }", { "shop/orders.yaml": orders })).toEqual(["WB2004 billing"]);
});
