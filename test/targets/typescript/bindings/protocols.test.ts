import { expect, test } from "vitest";
import { generate } from "../../../../src/compile.ts";
import { type Document, readDocuments } from "../../../../src/document/index.ts";
import { literal, object } from "../../../../src/expressions/index.ts";
import type { Protocol } from "../../../../src/ir/protocols.ts";
import type { Workflow } from "../../../../src/ir/workflow.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { programOf } from "../../../../src/program.ts";
import { nothingConfigured } from "../../../../src/target.ts";
import { typescript } from "../../../../targets/typescript/index.ts";
import { call, data, end, scope, span, workflow } from "../../../reference/build.ts";

// No language says yet how a function is reached by a protocol, so these workflows are made by hand.

const defined = { ...span, start: 7, end: 9 };

/** A workflow whose two steps call `f`, which is reached so. */
function calling(protocol: Protocol, id = "w"): Workflow {
  const given = object([["n", literal(1)]]);
  const steps = ["First", "Second"].map((name, i) => call(name, "f", given, ["Second", "End"][i]!, { bind: "data" }));
  const made = workflow(scope(["data"], ...steps, end("End", data)));
  return { ...made, id, functions: [{ name: "f", span: defined, protocol }] };
}

/** What is said of workflows, and how the program implements `f`, where it is bound if at all. */
async function compiled(workflows: readonly Workflow[], binding?: JsonObject) {
  const [document] = readDocuments({ path: "waybill.config.yaml", text: "{}" }, () => undefined) as [Document];
  const functions = new Map(
    binding ? [["f", { name: { name: "f", span }, value: binding, key: span, document }] as const] : [],
  );
  const { files, diagnostics } = await generate(programOf(workflows), typescript, {
    configured: () => ({ ...nothingConfigured, functions }),
  });
  const said = diagnostics.map(({ code, span: { start }, message }) => `${start} ${code} ${message}`);
  return { said, text: files.find(({ path }) => path === "functions.ts")?.text ?? "" };
}

const reached: readonly (readonly [Protocol, string])[] = [
  [{ kind: "http" }, "by HTTP"],
  [{ kind: "http", operation: { method: "GET", url: "https://a", parameters: [] } }, "by HTTP"],
  [{ kind: "grpc" }, "by gRPC"],
  [{ kind: "cloudFunction", provider: "yandex", type: "container", id: "d4e" }, "as a container of yandex"],
  [{ kind: "workflow", id: "audit" }, "as the workflow `audit`"],
];

test.each(reached)("%j is refused once, where the function is defined", async (protocol, way) => {
  const { said, text } = await compiled([calling(protocol)]);
  expect(said).toEqual([`7 WB5307 \`f\` cannot be called: its definition says that it is reached ${way}.`]);
  expect(text).toBe("");
});

test.each(reached)("%j is called as the configuration says", async (protocol) => {
  const { said, text } = await compiled([calling(protocol)], { http: "PUT https://a.example.com/f" });
  expect(said).toEqual([]);
  expect(text).toContain(`f: http("PUT https://a.example.com/f")`);
});

test.each<[Protocol, string]>([
  [{ kind: "secret" }, "it reads a secret, and what a call gives is kept in the journal of the run"],
  [{ kind: "script", language: "javascript", text: "(x) => x" }, "its definition is a script"],
])("%j is refused, also where the configuration binds it", async (protocol, reason) => {
  const said = [`7 WB5307 \`f\` cannot be called: ${reason}.`];
  expect((await compiled([calling(protocol)])).said).toEqual(said);
  expect((await compiled([calling(protocol)], { module: "./f.ts" })).said).toEqual(said);
});

test.each(["clock", "random", "id"] as const)("%s is the runtime's own", async (kind) => {
  const { said, text } = await compiled([calling({ kind })]);
  expect(said).toEqual([]);
  expect(text).toContain(`import { ${kind} } from "./runtime/functions/built-in.ts";`);
});

test("a binding of what the runtime has itself is not used, and that is said", async () => {
  const { said } = await compiled([calling({ kind: "clock" })], { http: "PUT https://a.example.com/f" });
  expect(said).toEqual([
    "0 WB5302 The definition says itself that the function `f` is at `built-in clock`, so this binding is not used.",
  ]);
});

test("two definitions of one function that are reached differently cannot both hold", async () => {
  const [one, other] = ["https://a", "https://b"].map((url, i) =>
    calling({ kind: "http", operation: { method: "GET", url, parameters: [] } }, `w${i}`),
  );
  const { said } = await compiled([one!, other!], { http: "PUT https://a.example.com/f" });
  expect(said).toEqual(["7 WB5303 Another definition of the program says that the function `f` is elsewhere."]);
});
