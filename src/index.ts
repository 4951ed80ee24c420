import { targets as allTargets } from "../targets/index.ts";
import { type Compilation, compileWith, type Input } from "./compile.ts";
import { wrongConfigurationValue } from "./diagnostics/configuration.ts";
import { readDocuments } from "./document/index.ts";
import { isObject } from "./json.ts";
import { languages as allLanguages } from "./languages/index.ts";
import { readOptions } from "./languages/options.ts";
import { type Options, readFrom } from "./program.ts";
import type { Diagnostic } from "./text/diagnostics.ts";
import type { Source } from "./text/source.ts";

export type { Compilation } from "./compile.ts";
export { printProgram } from "./ir/print.ts";
export type { Workflow } from "./ir/workflow.ts";
export type { Json, JsonObject } from "./json.ts";
export type { Options, Program } from "./program.ts";
export { renderGithub, renderJson } from "./report/programs.ts";
export { renderText } from "./report/text.ts";
export type { OutputFile } from "./target.ts";
export type { Diagnostic, Note, Severity } from "./text/diagnostics.ts";
export { type Position, positionOf, type Source, type Span } from "./text/source.ts";

/** What to compile: texts and choices. Nothing is read from disk, and the same request gives the same answer anywhere. */
export interface Request {
  readonly sources: readonly Source[];
  /** A source language by name; found by itself when absent. */
  readonly from?: string;
  /** The choices that languages leave to the user, such as `{ timeout: "fail" }`; for one language `{ "serverless-workflow": { timeout: "fail" } }`. */
  readonly options?: Options;
  /** The JSON Schemas that definitions refer to: `order.json` beside `flows/a.yaml` has the path `flows/order.json`; others have their URI as path. */
  readonly resources?: readonly Source[];
}

/** The names of the source languages. */
export const languages: readonly string[] = allLanguages.map(({ name }) => name);

/** The names of the targets. */
export const targets: readonly string[] = allTargets.map(({ name }) => name);

/** Compiles definitions for a target. Problems of the definitions come back as diagnostics; throws only for a target that does not exist. */
export function compile(request: Request & { readonly target: string }): Promise<Compilation> {
  const target = allTargets.find(({ name }) => name === request.target);
  if (!target) throw new RangeError(`There is no target ${request.target}; there are ${targets.join(", ")}.`);
  return compileWith(inputOf(request), allLanguages, target);
}

/** Checks definitions without compiling them. */
export function check(request: Request): Promise<Compilation> {
  return compileWith(inputOf(request), allLanguages);
}

function inputOf({ sources, from, options = {}, resources }: Request): Input {
  const remarks: Diagnostic[] = [];
  const [document] = readDocuments({ path: "options", text: JSON.stringify(options, null, 2) }, () => undefined);
  const chosen = isObject(document?.value)
    ? readOptions(document.value, {
        document: document!,
        languages: allLanguages,
        from,
        report: (found) => remarks.push(found),
        wrong: (span, name, wanted) => wrongConfigurationValue(span, { name: `\`${name}\``, wanted }),
      })
    : {};
  return { sources, from, options: chosen, remarks, read: resources && readFrom(resources) };
}
