import { expect, test } from "vitest";
import { typescript } from "../../../../src/diagnostics/explanations/typescript.ts";
import { check } from "../../../../src/index.ts";
import { emit } from "./emitting.ts";

// The examples of what is said of bindings: what is bad gives the code, and what is good does not.

test.each(Object.entries(typescript))("%s", async (code, { example: { file, bad, good, beside = {} } }) => {
  expect(await codes(file, bad, beside)).toContain(code);
  expect(await codes(file, good, beside)).not.toContain(code);
});

async function codes(
  file: string,
  text: string,
  beside: { readonly [path: string]: string },
): Promise<readonly (string | undefined)[]> {
  const files = Object.fromEntries(Object.entries(beside).map(([path, other]) => [`shop/${path}`, other]));
  const isConfiguration = file === "waybill.config.yaml";
  const configuration = isConfiguration ? text : (beside["waybill.config.yaml"] ?? "");
  const functions = isConfiguration ? ["greet"] : await functionsOf(text);
  return emit(functions, configuration, files).found.map((line) => line.split(" ")[1]);
}

async function functionsOf(text: string): Promise<Parameters<typeof emit>[0]> {
  const { program } = await check({ sources: [{ path: "workflow.yaml", text }] });
  const functions = program!.workflows.flatMap((workflow) => workflow.functions);
  return functions.map(({ name, resource }) => (resource === undefined ? name : [name, resource]));
}
