import { expect, test } from "vitest";
import { compile } from "../../src/index.ts";

// Functions may be bound by the kind of the step that calls them; a binding by name wins. Workflows without ids of
// their own get them from the configuration.

const step = (id: string, kind: string, next?: string): string => {
  const fields = { output: "\\({})", ...(next === undefined ? {} : { next }) };
  return kind === "httpCall"
    ? `  ${id}: { httpCall: ${JSON.stringify({ url: `https://a.example/${id}`, ...fields })} }\n`
    : `  ${id}: { objectStorage: ${JSON.stringify({ bucket: "b", object: id, get: {}, ...fields })} }\n`;
};

const lambda = (name: string): string => `arn:aws:lambda:eu-west-1:123456789012:function:${name}`;

const binding = (name: string): string => `{ asl: { lambda: '${lambda(name)}' } }`;

async function compiled(definitions: { readonly [path: string]: string }, configuration: string) {
  const { files, diagnostics } = await compile({
    sources: Object.entries(definitions).map(([path, text]) => ({ path, text })),
    target: "asl",
    config: { path: "waybill.config.yaml", text: configuration },
  });
  const machines = files
    .filter(({ path }) => path.endsWith(".asl.json"))
    .map(({ path, text }) => {
      const states: { readonly [name: string]: { readonly Resource?: string } } = JSON.parse(text).States;
      const resources = Object.entries(states).flatMap(([name, { Resource: at }]) => (at ? [[name, at]] : []));
      return [path.replace(".asl.json", ""), Object.fromEntries(resources)] as const;
    });
  const configured = diagnostics.filter(({ span }) => span.source.path === "waybill.config.yaml");
  return { machines: Object.fromEntries(machines), codes: configured.map(({ code }) => code) };
}

const workflow = (steps: string): string => `yawl: "0.1"\nstart: a\nsteps:\n${steps}`;

test("a binding by name wins over one by kind", async () => {
  const steps = step("a", "httpCall", "b") + step("b", "httpCall", "c") + step("c", "objectStorage");
  const functions = `functions:\n  httpCall: ${binding("kind")}\n  b: ${binding("name")}\n`;
  expect(await compiled({ "shop.yaml": workflow(steps) }, functions)).toEqual({
    machines: { shop: { a: lambda("kind"), b: lambda("name"), c: `${"$"}{CFunctionArn}` } },
    codes: [],
  });
});

test("a name is not a kind in a workflow that has a function of the name", async () => {
  const steps = step("a", "httpCall", "httpCall") + step("httpCall", "objectStorage");
  const { machines } = await compiled({ "shop.yaml": workflow(steps) }, `functions: { httpCall: ${binding("f")} }`);
  expect(machines).toEqual({ shop: { a: `${"$"}{AFunctionArn}`, httpCall: lambda("f") } });
});

test("workflows with equal names of functions have separate bindings", async () => {
  const definitions = {
    "one.yaml": workflow(step("a", "httpCall")),
    "two.yaml": workflow(step("a", "objectStorage")),
    "three.yaml": workflow(step("a", "httpCall")),
  };
  const { machines } = await compiled(definitions, `functions: { httpCall: ${binding("f")} }`);
  expect(machines).toEqual({
    one: { a: lambda("f") },
    two: { a: expect.stringContaining("FunctionArn}") },
    three: { a: lambda("f") },
  });
});

test("kinds without a step are reported, and similar ones suggested", async () => {
  const { codes } = await compiled(
    { "shop.yaml": workflow(step("a", "httpCall")) },
    `functions: { httpCal: ${binding("f")}, postbox: ${binding("g")} }`,
  );
  expect(codes).toEqual(["WB0508", "WB0519"]);
});

test("workflows start each other by their configured ids", async () => {
  const start = `yawl: "0.1"\nstart: a\nsteps:\n  a: { workflow: { workflowId: dfq7, output: '\\({})' } }\n`;
  const { machines, codes } = await compiled(
    { "shop.yaml": start, "flows/price.yaml": workflow(step("a", "httpCall")) },
    "workflows: { dfq7: ./flows/price.yaml }",
  );
  expect([Object.keys(machines).sort(), codes]).toEqual([["dfq7", "shop"], []]);
});

test("a path that is not a string is an error", async () => {
  const { codes } = await compiled({ "shop.yaml": workflow(step("a", "httpCall")) }, "workflows: { dfq7: 7 }");
  expect(codes).toEqual(["WB0502"]);
});
