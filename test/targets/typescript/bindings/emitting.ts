import { configurationForTarget, readConfiguration } from "../../../../src/configuration/index.ts";
import { readerOf } from "../../../../src/text/resources.ts";
import { positionOf, type Source } from "../../../../src/text/source.ts";
import { emitFunctions, type FunctionUse } from "../../../../targets/typescript/bindings/index.ts";
import { runtimeModule } from "../../../../targets/typescript/emit/runtime-imports.ts";
import { typescript } from "../../../../targets/typescript/index.ts";

/** A function of a definition, as it is given here: its name, and where the definition says that it is. */
type Given = string | readonly [name: string, resource: string];

/** What comes of functions and a configuration, with what is said of it: `file:line:column code message`. */
export const emit = (
  functions: readonly Given[],
  configuration: string,
  files: { readonly [path: string]: string } = {},
) => emitForAll([functions], configuration, files);

/** The same for several workflows, `greet`, `greet2` and so on, with the functions of each. */
export async function emitForAll(
  workflows: readonly (readonly Given[])[],
  configuration: string,
  files: { readonly [path: string]: string } = {},
) {
  const found: string[] = [];
  const report = ({
    code,
    message,
    span,
  }: {
    code: string;
    message: string;
    span: { source: Source; start: number };
  }) => {
    const { line, column } = positionOf(span.source, span.start);
    found.push(`${span.source.path}:${line}:${column} ${code} ${message}`);
  };
  const source = { path: "shop/waybill.config.yaml", text: configuration };
  const definition = { path: "workflow.yaml", text: "…" };
  const useOf = (given: Given): FunctionUse => {
    const [name, resource] = typeof given === "string" ? [given, undefined] : given;
    return { name, methodName: name, resource, span: { source: definition, start: 0, end: 1 } };
  };
  const request = {
    workflows: workflows.map((functions, i) => {
      const number = i === 0 ? "" : `${i + 1}`;
      const [id, typeName] = [`greet${number}`, `Greet${number}Functions`];
      return { id, module: `./${id}.ts`, typeName, functions: functions.map(useOf) };
    }),
    events: new Map([["paid", "order.paid"]]),
    settings: {
      ...configurationForTarget("typescript", readConfiguration(source, [], [typescript], report)),
      read: readerOf(Object.entries(files).map(([path, text]) => ({ path, text }))),
    },
    runtime: runtimeModule,
  };
  return { ...(await emitFunctions(request, report)), found };
}

/** What stands in `functions.ts` between the braces of the object, whether they are in one line or not. */
export function members(text: string): string {
  const start = text.indexOf("= {", text.indexOf("export const functions")) + 3;
  const inside = text.slice(start, text.indexOf("};\n", start));
  return inside.startsWith("\n") ? inside.trim().replace(/^ {2}/gm, "") : `${inside.trim()},`;
}
