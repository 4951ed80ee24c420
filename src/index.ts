import manifest from "../package.json" with { type: "json" };
import { targets as allTargets } from "../targets/index.ts";
import { type Compilation, compileWith, type Input } from "./compile.ts";
import { readConfiguration } from "./configuration/index.ts";
import { wrongConfigurationValue } from "./diagnostics/configuration.ts";
import { renderSarif as sarif } from "./diagnostics/renderers/programs.ts";
import { readDocuments } from "./documents/index.ts";
import { isObject } from "./json.ts";
import { languages as allLanguages } from "./languages/index.ts";
import { readOptions } from "./languages/options.ts";
import type { Options } from "./options.ts";
import type { Result } from "./scenario/run.ts";
import type { Target } from "./target/contract.ts";
import type { Diagnostic, Report } from "./text/diagnostics.ts";
import { readerOf } from "./text/resources.ts";
import type { Source } from "./text/source.ts";
import { didYouMean } from "./text/suggest.ts";

export type { Compilation } from "./compile.ts";
export { renderGithub, renderJson } from "./diagnostics/renderers/programs.ts";
export { renderText } from "./diagnostics/renderers/text.ts";
export { printProgram } from "./ir/print.ts";
export type { Program } from "./ir/program.ts";
export type { Workflow } from "./ir/workflow.ts";
export type { Json, JsonObject } from "./json.ts";
export type { Options } from "./options.ts";
export type { Result } from "./scenario/run.ts";
export type { OutputFile } from "./target/contract.ts";
export type { Diagnostic, Note, Severity } from "./text/diagnostics.ts";
export { type Position, positionOf, type Source, type Span } from "./text/source.ts";

/** What to compile: texts and choices. Nothing is read from disk, and the same request gives the same answer anywhere. */
export interface Request {
  readonly sources: readonly Source[];
  /** A source language by name; found by itself when absent. */
  readonly from?: string;
  /** The choices that languages leave to the user, such as `{ timeout: "fail" }`; for one language `{ "serverless-workflow": { timeout: "fail" } }`. */
  readonly options?: Options;
  /** What the definitions leave open: the text of a `waybill.config.yaml`, whose relative paths start from the folder of its `path`. */
  readonly configuration?: Source;
  /** The texts that definitions and the configuration refer to: `order.json` beside `flows/a.yaml` has the path `flows/order.json`; others have their URI as path. */
  readonly resources?: readonly Source[];
}

/** What to test: scenario files, and among the sources the definitions that they name. */
export interface TestRequest extends Omit<Request, "from" | "options"> {
  readonly scenarios: readonly Source[];
  /** What runs them: `reference` (when absent), a target by name, or `all`. */
  readonly on?: string;
}

/** What came of scenarios: files with errors are told of and not run. */
export interface TestReport {
  readonly results: readonly Result[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The names of the source languages. */
export const languages: readonly string[] = allLanguages.map(({ name }) => name);

/** The names of the targets. */
export const targets: readonly string[] = allTargets.map(({ name }) => name);

/** Compiles definitions for a target. Problems of the definitions come back as diagnostics; rejects only where the request itself is none. */
export async function compile(request: Request & { readonly target: string }): Promise<Compilation> {
  checkRequest(request, { ...requestMembers, target: aName });
  return compileWith(inputOf(request), allLanguages, targetNamed(request.target));
}

/** Checks definitions without compiling them. Rejects only where the request itself is none. */
export async function check(request: Request): Promise<Compilation> {
  checkRequest(request, requestMembers);
  return compileWith(inputOf(request), allLanguages);
}

/** Runs scenarios on virtual time. Rejects only where the request itself is none. */
export async function test(request: TestRequest): Promise<TestReport> {
  const { from: _from, options: _options, ...members } = requestMembers;
  checkRequest(request, {
    ...members,
    scenarios: { ...someSources, isNeeded: true },
    on: { ...aName, isNeeded: false },
  });
  const { runFiles } = await import("./scenario/files.ts");
  const { configurationOf, inputDiagnostics: remarks = [], read } = inputOf(request);
  const on = request.on ?? "reference";
  if (on !== "reference" && on !== "all") targetNamed(on);
  const found = await runFiles(request.scenarios, { sources: request.sources, configurationOf, read }, on, {
    languages: allLanguages,
    targets: allTargets,
  });
  return { ...found, diagnostics: [...remarks, ...found.diagnostics] };
}

/** Diagnostics as a SARIF 2.1.0 log, for GitHub code scanning and its like. */
export async function renderSarif(diagnostics: readonly Diagnostic[]): Promise<string> {
  const { catalogue } = await import("./diagnostics/renderers/catalogue.ts");
  const tool = { name: "waybill", version: manifest.version, home: manifest.homepage };
  return sarif(diagnostics, [...catalogue.values()], tool);
}

function targetNamed(name: string): Target {
  const target = allTargets.find((each) => each.name === name);
  if (target) return target;
  const hint = didYouMean(name, targets);
  throw new RangeError(`There is no target \`${name}\`; there are ${targets.join(", ")}.${hint ? ` ${hint}` : ""}`);
}

/** What a member of a request has to be. */
interface Member {
  readonly wanted: string;
  readonly isNeeded: boolean;
  fits(value: unknown): boolean;
}

const isSource = (value: unknown): boolean =>
  isObject(value) && typeof value["path"] === "string" && typeof value["text"] === "string";

const aName: Member = { wanted: "a text", isNeeded: true, fits: (value) => typeof value === "string" };

const someSources: Member = {
  wanted: "a list of texts with their paths, `{ path, text }`",
  isNeeded: false,
  fits: (value) => Array.isArray(value) && value.every(isSource),
};

const requestMembers = {
  sources: { ...someSources, isNeeded: true },
  from: { ...aName, isNeeded: false },
  options: { wanted: "an object", isNeeded: false, fits: isObject },
  configuration: { wanted: "a text with its path, `{ path, text }`", isNeeded: false, fits: isSource },
  resources: someSources,
} as const satisfies { readonly [name: string]: Member };

/** Throws for what no type checker has looked at: a member that is missing, is something else, or is none. */
function checkRequest(request: unknown, members: { readonly [name: string]: Member }): void {
  if (!isObject(request)) throw new TypeError("A request has to be an object.");
  for (const [name, { wanted, isNeeded, fits }] of Object.entries(members)) {
    const value: unknown = request[name];
    if (value === undefined ? isNeeded : !fits(value)) throw new TypeError(`\`${name}\` has to be ${wanted}.`);
  }
  const known = Object.keys(members);
  for (const name of Object.keys(request)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? `There are ${known.map((each) => `\`${each}\``).join(", ")}.`;
    throw new TypeError(`A request has no member \`${name}\`. ${hint}`);
  }
}

function inputOf({ sources, from, options = {}, configuration, resources }: Request): Input {
  const remarks: Diagnostic[] = [];
  const report: Report = (found) => remarks.push(found);
  const [document] = readDocuments({ path: "options", text: JSON.stringify(options, null, 2) }, () => undefined);
  const chosen = isObject(document?.value)
    ? readOptions(document.value, {
        document: document!,
        languages: allLanguages,
        from,
        report,
        invalid: (span, name, wanted) => wrongConfigurationValue(span, { name: `\`${name}\``, wanted }),
      })
    : {};
  const configured = configuration && readConfiguration(configuration, allLanguages, allTargets, report);
  const configurationOf = configured && (() => configured);
  return {
    sources,
    from,
    options: chosen,
    configurationOf,
    inputDiagnostics: remarks,
    read: resources && readerOf(resources),
  };
}
