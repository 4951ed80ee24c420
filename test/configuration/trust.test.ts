import { expect, test } from "vitest";
import {
  type Configuration,
  noConfiguration,
  readConfiguration,
  withSignatures,
} from "../../src/configuration/index.ts";
import { compile } from "../../src/index.ts";
import { createSignatureReader } from "../../src/signatures/index.ts";
import { printType } from "../../src/types/index.ts";
import { targets } from "../../targets/index.ts";
import { hostOf, readerOfModules } from "../host.ts";

const modules = {
  "shop.ts": `
export const charge = (x: { amount: number }): { receipt: string } => ({ receipt: String(x.amount) });
export const mail = (x: string): Date => new Date(x);
`,
  "broken.ts": `
export const charge = (x: { amount: number }): { receipt: string } => x;
export const refund = (x: number): number => x;
`,
};

/** The types of each function as text, and the diagnostics. */
function read(text: string, base?: Configuration) {
  const found: string[] = [];
  const report = ({ code, message }: { readonly code: string; readonly message: string }) =>
    void found.push(`${code}: ${message}`);
  const configuration = readConfiguration({ path: "waybill.config.yaml", text }, [], targets, report, {
    base: base ?? noConfiguration,
    isBase: false,
  });
  const sources = Object.entries(modules).map(([path, text]) => ({ path, text }));
  const { functions } = withSignatures(
    configuration,
    createSignatureReader({ read: readerOfModules(sources) }),
    report,
  );
  const types = [...functions].map(([name, { parameter, result }]) => {
    const [taken, given] = [parameter?.type, result].map((type) => (type ? printType(type) : "-"));
    return `${name}: ${taken} => ${given}`;
  });
  return { types, found };
}

/** A configuration that others extend. */
const readOnly = (text: string): Configuration =>
  readConfiguration({ path: "base.yaml", text }, [], targets, () => undefined, { base: noConfiguration, isBase: true });

const boundTo = (name: string) => `typescript: { module: "./shop.ts#${name}" }`;

test("types are trusted only where the setting says so", () => {
  expect(read(`functions: { charge: { ${boundTo("charge")} } }`)).toEqual({ types: ["charge: - => -"], found: [] });
  expect(read(`functions: { charge: { trust: types, ${boundTo("charge")} } }`)).toEqual({
    types: ["charge: { amount: number, … } => { receipt: string, … }"],
    found: [],
  });
  expect(
    read(`
trust: types
functions:
  pay: { ${boundTo("charge")} }
  plain: { trust: none, ${boundTo("charge")} }
  http: { typescript: { http: POST https://a.example/ } }
`),
  ).toEqual({
    types: ["pay: { amount: number, … } => { receipt: string, … }", "plain: - => -", "http: - => -"],
    found: [],
  });
});

test("a configuration decides for the functions that it extends, and for the module that it binds", () => {
  const base = `functions: { pay: { trust: types, ${boundTo("charge")} }, plain: { ${boundTo("charge")} } }`;
  const charged = "{ amount: number, … } => { receipt: string, … }";
  const extending = (text: string, from = base) => read(text, readOnly(from));
  expect(extending("{}")).toEqual({ types: [`pay: ${charged}`, "plain: - => -"], found: [] });
  expect(extending("trust: types").types).toEqual([`pay: ${charged}`, `plain: ${charged}`]);
  expect(extending("functions: { pay: { trust: none } }").types).toEqual(["pay: - => -", "plain: - => -"]);
  expect(extending("functions: { plain: { trust: types } }")).toEqual({
    types: [`pay: ${charged}`, `plain: ${charged}`],
    found: [],
  });
  expect(
    extending(`functions: { pay: { typescript: { module: "./broken.ts#refund" } } }`).types,
    "the module that replaces that of the base",
  ).toEqual(["pay: number => -", "plain: - => -"]);
  expect(extending("functions: { pay: { typescript: { http: POST https://a.example/ } } }")).toEqual({
    types: ["pay: - => -", "plain: - => -"],
    found: ["WB0526: `trust: types` has no effect, because this function is not bound to a module."],
  });
  expect(extending("trust: none", `trust: types\n${base}`).types).toEqual([`pay: ${charged}`, "plain: - => -"]);
});

test("a schema of the result takes precedence, and must not contradict the type", () => {
  const withResult = (schema: string) =>
    `functions: { charge: { trust: types, result: ${schema}, ${boundTo("charge")} } }`;
  const closed =
    "{ type: object, properties: { receipt: { enum: [a, b] } }, required: [receipt], additionalProperties: false }";
  expect(read(withResult(closed))).toEqual({
    types: ['charge: { amount: number, … } => { receipt: "a" | "b" }'],
    found: [],
  });
  expect(read(withResult("{ type: string }")).found).toEqual([
    "WB0527: The type of `charge` contradicts the schema under `result`.",
  ]);
});

test("settings without effect and other values are reported", () => {
  expect(read("functions: { a: { trust: types, typescript: { http: POST https://a.example/ } } }").found).toEqual([
    "WB0526: `trust: types` has no effect, because this function is not bound to a module.",
  ]);
  expect(
    read("trust: all\nfunctions: { a: { trust: true, typescript: { http: POST https://a.example/ } } }").found,
  ).toEqual(["WB0502: `trust` must be `types` or `none`.", "WB0502: `trust` must be `types` or `none`."]);
});

test("results of modules with errors are not trusted, and dates are any value", () => {
  expect(
    read(`
trust: types
functions:
  charge: { typescript: { module: ./broken.ts#charge } }
  refund: { typescript: { module: ./broken.ts#refund } }
  mail: { ${boundTo("mail")} }
  gone: { ${boundTo("gone")} }
`),
  ).toEqual({
    types: ["charge: { amount: number, … } => -", "refund: number => -", "mail: string => any", "gone: - => -"],
    found: [
      "WB0524: The results of functions in `./broken.ts` are not trusted, because TypeScript reports an error in it. Property 'receipt' is missing in type '{ amount: number; }' but required in type '{ receipt: string; }' (TS2741).",
      "WB0525: The result of `mail` has a `Date`, which is not JSON.",
      "WB0523: Cannot read the types of `gone` in `./shop.ts`: it has no export `gone`.",
    ],
  });
});

test("types reach the output of every target, and no target misses a binding of its own", async () => {
  const definition = `
id: order
name: Order
version: '1.0'
functions: [{ name: charge, resource: "arn:aws:lambda:eu-west-1:123456789012:function:charge" }]
states:
- name: Order
  type: operation
  start: { kind: default }
  actions: [{ functionRef: { refName: charge, parameters: { amount: 1 } } }]
  end: { kind: default }
`;
  const request = {
    sources: [{ path: "order.yaml", text: definition }],
    config: {
      path: "waybill.config.yaml",
      text: `functions: { charge: { trust: types, ${boundTo("charge")} } }`,
    },
    host: hostOf({ path: "shop.ts", text: modules["shop.ts"] }),
    target: "asl",
  } as const;
  const { files, diagnostics } = await compile(request);
  expect(diagnostics.map(({ code }) => code)).toEqual([]);
  expect(JSON.parse(files[0]!.text).States.Order.Output).toBe("{% $merge([$states.input, $states.result]) %}");
});
