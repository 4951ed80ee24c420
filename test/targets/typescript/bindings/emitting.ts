import { configurationForTarget, readConfiguration } from "../../../../src/configuration/index.ts";
import { positionOf, type Source } from "../../../../src/text/source.ts";
import { readerOf } from "../../../../src/text/uris.ts";
import { emitFunctions, type FunctionUse } from "../../../../targets/typescript/bindings/index.ts";
import { runtimeModule } from "../../../../targets/typescript/emit/runtime-imports.ts";
import { typescript } from "../../../../targets/typescript/index.ts";

/** A function of a definition: its name, and optionally its resource. */
type FunctionEntry = string | readonly [name: string, resource: string];

/** Emits `functions.ts` and collects diagnostics: `file:line:column code message`. */
export const emit = (
  functions: readonly FunctionEntry[],
  configuration: string,
  files: { readonly [path: string]: string } = {},
) => emitForAll([functions], configuration, files);

/** Emits the functions of several workflows `greet`, `greet2` and so on. */
export async function emitForAll(
  workflows: readonly (readonly FunctionEntry[])[],
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
  const useOf = (entry: FunctionEntry): FunctionUse => {
    const [name, resource] = typeof entry === "string" ? [entry, undefined] : entry;
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

/** The members of the object `functions` in `functions.ts`. */
export function members(text: string): string {
  const start = text.indexOf("= {", text.indexOf("export const functions")) + 3;
  const inside = text.slice(start, text.indexOf("};\n", start));
  return inside.startsWith("\n") ? inside.trim().replace(/^ {2}/gm, "") : `${inside.trim()},`;
}
