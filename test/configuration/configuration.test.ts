import { describe, expect, test } from "vitest";
import { configurationForTarget, readConfiguration } from "../../src/configuration/index.ts";
import { checkBoundNames, checkChosenTarget } from "../../src/configuration/names.ts";
import { lowerDefinitions } from "../../src/library/ir.ts";
import { positionOf } from "../../src/text/source.ts";
import { printType } from "../../src/types/index.ts";
import { targets } from "../../targets/index.ts";

const instant = { noun: "instant", wanted: "an instant", accepts: (text: string) => /^\d{4}-/.test(text) };
const timeout = { name: "timeout", values: ["proceed", "fail"], fallback: "proceed", summary: "" };
const languages = [
  { name: "knit", options: [timeout, { name: "deployed", text: instant, summary: "" }] },
  { name: "purl", options: [{ name: "width", summary: "" }] },
];

const arn = "arn:aws:lambda:eu-west-1:123456789012:function:f";

/** Reads a configuration; `<arn>` is replaced by the ARN of a Lambda function. */
function read(template: string) {
  const text = template.replaceAll("<arn>", arn);
  const found: string[] = [];
  const configuration = readConfiguration(
    { path: "waybill.config.yaml", text },
    languages,
    targets,
    ({ code, span }) => {
      const { line, column } = positionOf(span.source, span.start);
      found.push(`${line}:${column} ${code}`);
    },
  );
  return { ...configuration, found };
}

describe("valid settings", () => {
  test.each([
    [
      "options: { timeout: fail, deployed: 2026-01-01T00:00:00Z }",
      { knit: { timeout: "fail", deployed: "2026-01-01T00:00:00Z" } },
    ],
    ["options: {}", {}],
    ["", {}],
    ["# a comment only", {}],
    ["{}", {}],
  ])("%j", (text, wanted) => {
    const { options, found } = read(text);
    expect({ options, found }).toEqual({ options: wanted, found: [] });
  });
});

test("the keys of a target's settings have spans, unless they are absent or inherited", () => {
  const { spanOf } = configurationForTarget("asl", read("targets: { asl: { tags: { team: orders } } }"));
  const columnOf = (...path: readonly string[]): number | undefined => spanOf(...path)?.start;
  expect([columnOf("tags"), columnOf("tags", "team")]).toEqual([18, 26]);
  const absent = [["template"], ["tags", "stage"], ["tags", "team", "length"], ["constructor"], []];
  expect(absent.map((path) => columnOf(...path))).toEqual(absent.map(() => undefined));
});

describe("errors", () => {
  test.each([
    ["optoins: { timeout: fail }", ["1:1 WB0501"]],
    ["targets: { alse: {} }", ["1:12 WB0510"]],
    ["functions: { f: {} }", ["1:14 WB0522"]],
    ["events: { e: {} }", ["1:11 WB0522"]],
    ["targets: { typescript: { a: 1 } }", ["1:26 WB1002"]],
    ["targets: { typescript: { runtime: bundled } }", ["1:35 WB1005"]],
    ["targets: { asl: [] }", ["1:17 WB0502"]],
    ["targets: { asl: { partition: aws-mars } }", ["1:30 WB1005"]],
    ["targets: { asl: { partitoin: aws } }", ["1:19 WB1007"]],
    ["__proto__: { timeout: fail }", ["1:1 WB0501"]],
    ["- options", ["1:1 WB0502"]],
    ["options: [timeout]", ["1:10 WB0502"]],
    ["options: { timeout: [fail] }", ["1:21 WB0502"]],
    ["options: { timeout: fail }\n---\noptions: {}", ["3:1 WB0502"]],
    ["options: { timeuot: fail }", ["1:12 WB0503"]],
    ["options: { constructor: fail }", ["1:12 WB0503"]],
    ["options: { timeout: true }", ["1:21 WB0504"]],
    ["options: { deployed: soon }", ["1:22 WB0504"]],
    ["options: { timeout: fail, knit: { timeout: fail } }", ["1:35 WB0514"]],
    ["options: {", ["1:10 WB0005"]],
  ])("%j", (text, found) => expect(read(text).found).toEqual(found));

  test("drop the invalid part and keep the rest", () => {
    expect(read("options: { timeout: never, deployed: 2026-01-01 }").options).toEqual({
      knit: { deployed: "2026-01-01" },
    });
  });
});

test("a trusted result is not a binding", () => {
  const { found, functions } = read(
    "functions: { f: { result: { type: object, required: [a], properties: { a: { type: string } } } } }",
  );
  expect(found).toEqual([]);
  const { byTarget, result } = functions.get("f")!;
  expect([byTarget.size, result && printType(result)]).toEqual([0, "{ a: string, … }"]);
  expect(read("functions: { f: { result: text } }").found).toEqual(["1:27 WB0502"]);
});

test("settings apply to their target", () => {
  const configuration = read("targets: { asl: { partition: aws-cn } }");
  expect(configuration.found).toEqual([]);
  expect(configurationForTarget("asl", configuration).values).toEqual({ partition: "aws-cn" });
  expect(configurationForTarget("typescript", configuration).values).toEqual({});
});

describe("bindings", () => {
  test("apply to the target of their name", () => {
    const text =
      "functions:\n  f: { asl: { lambda: <arn> } }\n  g: { asl: { lambda: <arn> }, typescript: { module: a#g } }\nevents:\n  e: { asl: { bus: default }, typescript: { sink: { env: SINK } } }";
    const { found, ...configuration } = read(text);
    expect(found).toEqual([]);
    const valuesOf = (target: string) => {
      const { functions, events } = configurationForTarget(target, configuration);
      return [...functions, ...events].map(([name, { value }]) => [name, value]);
    };
    expect(valuesOf("asl")).toEqual([
      ["f", { lambda: arn }],
      ["g", { lambda: arn }],
      ["e", { bus: "default" }],
    ]);
    expect(valuesOf("typescript")).toEqual([
      ["g", { module: "a#g" }],
      ["e", { sink: { env: "SINK" } }],
    ]);
  });

  test("may be named like members of Object.prototype", () => {
    const { functions } = read(
      "functions:\n  __proto__: { asl: { lambda: <arn> } }\n  constructor: { asl: { lambda: <arn> } }",
    );
    expect([...functions].map(([name, { byTarget }]) => [name, byTarget.get("asl")?.value])).toEqual([
      ["__proto__", { lambda: arn }],
      ["constructor", { lambda: arn }],
    ]);
  });

  test.each<[string, readonly string[]]>([
    ["{ asl: { lambda: <arn> } }", []],
    ["{ airflow: { action: /_/pay/f } }", ["2:8 WB0510"]],
    ["{ als: { lambda: <arn> } }", ["2:8 WB0510"]],
    ["{ lambda: <arn> }", ["2:8 WB0510"]],
    ["{ constructor: {} }", ["2:8 WB0510"]],
    ["{ asl: { module: a#f } }", ["2:15 WB0511"]],
    ["{ typescript: { http: POST https://x.example, connection: <arn> } }", ["2:52 WB0511"]],
    ["{ asl: { lamdba: <arn> } }", ["2:15 WB1007"]],
    ["{ asl: { lambda: FArn } }", ["2:23 WB1006"]],
    ["{ asl: <arn> }", ["2:13 WB0502"]],
    ["<arn>", ["2:6 WB0502"]],
  ])("invalid: %s", (binding, found) => expect(read(`functions:\n  f: ${binding}`).found).toEqual(found));

  test("for one target do not affect others, or the options, if invalid", () => {
    const { functions, options, found } = read(
      "functions: { f: { asl: 1 }, g: { asl: { lambda: g }, typescript: { module: a#g } } }\noptions: { timeout: fail }",
    );
    expect([[...functions.get("g")!.byTarget.keys()], options, found]).toEqual([
      ["typescript"],
      { knit: { timeout: "fail" } },
      ["1:24 WB0502", "1:49 WB1006"],
    ]);
  });
});

test("unknown and unused names are reported", async () => {
  const text = `
id: greet
name: Greet
version: '1.0'
functions: [{ name: greet, resource: greet }, { name: spare, resource: spare }]
events: [{ name: Asked, type: t, source: s }]
states:
- { name: Greet, type: operation, start: { kind: default }, actions: [{ functionRef: { refName: greet } }], end: { kind: default } }
`;
  const { program } = await lowerDefinitions({ sources: [{ path: "greet.yaml", text }] });
  const bindings = "functions: { greeet: {}, other: {}, more: {}, spare: {}, spares: {} }\nevents: { asked: {} }";
  const configuration = readConfiguration(
    { path: "waybill.config.yaml", text: bindings },
    [],
    targets,
    () => undefined,
  );
  const found: (string | undefined)[] = [];
  checkBoundNames(configuration, program!, [], ({ message, hint }) => found.push(message, hint));
  expect(found).toEqual([
    "No definition has a function `greeet`, so this binding has no effect.",
    "Did you mean `greet`?",
    "No workflow calls the function `spare`, so this binding is unused.",
    undefined,
    "These definitions have no `other`, `more`, `spares`; their bindings are unused here.",
    undefined,
    "No definition has an event `asked`, so this binding has no effect.",
    "Did you mean `Asked`?",
  ]);
});

describe("bindings for other targets", async () => {
  const definition = (actions: string): string => `
id: pay
name: Pay
version: '1.0'
functions: [{ name: f, resource: f }, { name: g, resource: g }, { name: h, resource: h }, { name: spare, resource: s }]
events: [{ name: paid, type: paid, source: shop }, { name: billed, type: billed, source: shop }]
states:
- name: Pay
  type: operation
  start: { kind: default }
  actions: [${actions}]
  end: { kind: event, produceEvent: { eventRef: paid } }
`;
  const calls = (...names: readonly string[]): string =>
    definition(names.map((refName) => `{ functionRef: { refName: ${refName} } }`).join(", "));
  const request = 'yawl: "0.1"\nstart: send\nsteps:\n  send: { httpCall: { url: https://a.example } }\n';
  const reported = async (configuration: string, text: string, target: string): Promise<readonly string[]> => {
    const { program } = await lowerDefinitions({ sources: [{ path: "pay.yaml", text }] });
    const found: string[] = [];
    const chosen = targets.find(({ name }) => name === target)!;
    checkChosenTarget(read(configuration), program!.workflows, chosen, ({ severity, message, span }) =>
      found.push(`${severity} ${positionOf(span.source, span.start).line} ${message}`),
    );
    return found;
  };
  const bindings =
    "functions:\n  f: { asl: { lambda: <arn> }, typescript: { module: a#f } }\n  g: { asl: { lambda: <arn> } }\n  h: { asl: { lambda: <arn> } }";

  test("are reported once", async () => {
    expect(await reported(bindings, calls("f", "g", "h"), "asl")).toEqual([]);
    expect(await reported(bindings, calls("f", "g", "h"), "typescript")).toEqual([
      "info 3 Target typescript uses none of these bindings: `g`, `h` are bound only for asl.",
    ]);
  });

  test("are not reported where the target needs none", async () => {
    expect(await reported(bindings, calls("f", "spare"), "typescript")).toEqual([]);
    expect(await reported("functions: { send: { asl: { lambda: <arn> } } }", request, "typescript")).toEqual([]);
    const events = (name: string): string => `events: { ${name}: { asl: { eventBus: orders } } }`;
    expect(await reported(events("billed"), calls("f"), "typescript")).toEqual([]);
    expect(await reported(events("paid"), calls("f"), "typescript")).toHaveLength(1);
  });
});

test("values are read like those of definitions", () => {
  const { found } = read(
    "options: { timeout: fail, timeout: fail }\ntargets: { openwhisk: { memory: 1e400, timeout: 12345678901234567890 } }\n",
  );
  expect(found).toEqual(expect.arrayContaining(["1:27 WB0006", "2:33 WB0012", "2:49 WB0013"]));
});
