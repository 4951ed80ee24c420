// Each function imports its own dependencies, so that a process that only parses loads only the parser.

import type { CheckResult } from "../../src/index.ts";

const library = new URL("../../dist/index.js", import.meta.url).href;

/** Parses YAML with the `yaml` package alone. */
export async function parseText(text: string): Promise<void> {
  const { parseDocument } = await import("yaml");
  parseDocument(text, { stringKeys: true, merge: true, prettyErrors: false }).toJS();
}

/** The names of the targets. */
export const targets = ["asl", "openwhisk", "typescript"] as const;

/** The name of a target. */
export type TargetName = (typeof targets)[number];

/** Checks a definition with the built library. */
export async function checkText(text: string): Promise<void> {
  const { check } = (await import(library)) as typeof import("../../src/index.ts");
  throwErrors(await check({ sources: [{ path: "workflow.yaml", text }] }));
}

/** Compiles definitions for a target with the built library, as one program. */
export async function compileTexts(texts: readonly string[], target: TargetName): Promise<void> {
  const { compile } = (await import(library)) as typeof import("../../src/index.ts");
  const sources = texts.map((text, i) => ({ path: `workflow-${i}.yaml`, text }));
  throwErrors(await compile({ sources, target }));
}

/** WB5109 (machine too large) counts as success, because it is reported after all the work. */
function throwErrors({ diagnostics }: CheckResult): void {
  const errors = diagnostics.filter(({ code, severity }) => severity === "error" && code !== "WB5109");
  if (errors.length > 0) throw new Error(`The definition does not compile: ${errors[0]!.message}`);
}
