import { compile } from "../../../src/index.ts";
import type { JsonObject } from "../../../src/json.ts";
import type { Options } from "../../../src/options.ts";
import { positionOf } from "../../../src/text/source.ts";

/** A workflow `main` with functions `f`, `g` and `h`, an event `Told`, and states in YAML. */
export const workflow = (states: string, id = "main"): string =>
  [
    `id: ${id}`,
    "name: Main",
    "version: '1.0'",
    "functions: [{ name: f, resource: f }, { name: g, resource: g }, { name: h, resource: h }]",
    "events: [{ name: Told, type: told, source: /here }]",
    "states:",
    states,
  ].join("\n");

/** A start state's and an end state's declaration. */
export const starts = "start: { kind: default }";
export const ends = "end: { kind: default }";

export const substitution = (name: string): string => `\${${name}}`;

/** A call with a constant argument, and the fields of its state up to the result. */
export const calling = (name: string): string =>
  `actions: [{ functionRef: { refName: ${name}, parameters: { n: 1 } } }]`;
export const called = (name: string) => ({
  Resource: substitution(`${name.toUpperCase()}FunctionArn`),
  Arguments: { n: 1 },
  Retry: [throttling],
});

/** The retrier of throttled calls. */
export const throttling = {
  ErrorEquals: ["Lambda.TooManyRequestsException"],
  MaxAttempts: 64,
  MaxDelaySeconds: 60,
  JitterStrategy: "FULL",
};

/** The states of the only workflow's machine. */
export async function statesOf(
  states: string,
  options: Options = {},
): Promise<{ readonly [name: string]: JsonObject }> {
  return (await machinesOf([workflow(states)], options)).get("main.asl.json")!["States"] as {
    readonly [name: string]: JsonObject;
  };
}

/** All generated files by path, parsed as JSON. Throws if the definitions do not compile. */
export async function machinesOf(
  definitions: readonly string[],
  options: Options = {},
): Promise<ReadonlyMap<string, JsonObject>> {
  const sources = definitions.map((text, i) => ({ path: `${i}.yaml`, text }));
  const { files, diagnostics } = await compile({ sources, options, target: "asl" });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ code, message }) => `${code} ${message}`).join("\n"));
  return new Map(files.map(({ path, text }) => [path, JSON.parse(text) as JsonObject]));
}

/** The errors of a definition, with line and column. */
export async function refusals(definition: string): Promise<readonly string[]> {
  const { diagnostics } = await compile({ sources: [{ path: "w.yaml", text: definition }], target: "asl" });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.map(({ code, message, span }) => {
    const { line, column } = positionOf(span.source, span.start);
    return `${line}:${column} ${code} ${message}`;
  });
}
