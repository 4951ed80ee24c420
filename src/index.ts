import manifest from "../package.json" with { type: "json" };
import { targets as allTargets } from "../targets/index.ts";
import { type Compilation, compileWith, type Input } from "./compile.ts";
import { type Configuration, readConfiguration, trustsTypes, withSignatures } from "./configuration/index.ts";
import { wrongConfigurationValue } from "./diagnostics/configuration.ts";
import { renderSarif as sarif } from "./diagnostics/renderers/structured.ts";
import { readDocuments } from "./documents/index.ts";
import { isObject } from "./json.ts";
import { languages as allLanguages } from "./languages/index.ts";
import { readOptions } from "./languages/options.ts";
import type { Options } from "./options.ts";
import type { Result } from "./scenario/run.ts";
import type { Target } from "./target/contract.ts";
import type { Diagnostic, Report } from "./text/diagnostics.ts";
import { didYouMean } from "./text/messages.ts";
import type { Source } from "./text/source.ts";
import { readerOf } from "./text/uris.ts";

export type { Compilation } from "./compile.ts";
export { renderGithub, renderJson } from "./diagnostics/renderers/structured.ts";
export { renderText } from "./diagnostics/renderers/text.ts";
export { printProgram } from "./ir/print.ts";
export type { Program, Workflow } from "./ir/workflow.ts";
export type { Json, JsonObject } from "./json.ts";
export type { Options } from "./options.ts";
export type { Result } from "./scenario/run.ts";
export type { OutputFile } from "./target/contract.ts";
export type { Diagnostic, Note, Severity } from "./text/diagnostics.ts";
export { type Position, positionOf, type Source, type Span } from "./text/source.ts";

/** What to compile. Nothing is read from disk: the same request gives the same result on any machine. */
export interface Request {
  readonly sources: readonly Source[];
  /** The name of the source language; if omitted, it is detected. */
  readonly from?: string;
  /** Language options, such as `{ timeout: "fail" }`, or for one language `{ "serverless-workflow": { timeout: "fail" } }`. */
  readonly options?: Options;
  /** The content of a `waybill.config.yaml`. Its relative paths are resolved against the folder of its `path`. */
  readonly configuration?: Source;
  /** Files that definitions and the configuration refer to: `order.json` next to `flows/a.yaml` has the path `flows/order.json`; a remote one has its URI as path. */
  readonly resources?: readonly Source[];
}

/** What to test: scenario files, and the definitions that they name among the sources. */
export interface TestRequest extends Omit<Request, "from" | "options"> {
  readonly scenarios: readonly Source[];
  /** Where to run them: `reference` (the default), the name of a target, or `all`. */
  readonly on?: string;
}

/** The results of scenarios. Files with errors are reported and not run. */
export interface TestReport {
  readonly results: readonly Result[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The names of the source languages. */
export const languages: readonly string[] = allLanguages.map(({ name }) => name);

/** The names of the targets. */
export const targets: readonly string[] = allTargets.map(({ name }) => name);

/** Compiles definitions for a target. Mistakes in definitions are returned as diagnostics; rejects only if the request object is malformed. */
export async function compile(request: Request & { readonly target: string }): Promise<Compilation> {
  checkRequest(request, { ...requestMembers, target: stringMember });
  return compileWith(await inputOf(request), allLanguages, targetNamed(request.target));
}

/** Checks definitions without compiling them. Rejects only if the request object is malformed. */
export async function check(request: Request): Promise<Compilation> {
  checkRequest(request, requestMembers);
  return compileWith(await inputOf(request), allLanguages);
}

/** Runs scenarios on virtual time. Rejects only if the request object is malformed. */
export async function test(request: TestRequest): Promise<TestReport> {
  const { from: _from, options: _options, ...members } = requestMembers;
  checkRequest(request, {
    ...members,
    scenarios: { ...sourcesMember, isRequired: true },
    on: { ...stringMember, isRequired: false },
  });
  const { runFiles } = await import("./scenario/files.ts");
  const { configurationOf, inputDiagnostics: remarks = [], read } = await inputOf(request);
  const on = request.on ?? "reference";
  if (on !== "reference" && on !== "all") targetNamed(on);
  const found = await runFiles(request.scenarios, { sources: request.sources, configurationOf, read }, on, {
    languages: allLanguages,
    targets: allTargets,
  });
  return { ...found, diagnostics: [...remarks, ...found.diagnostics] };
}

/** Renders diagnostics as a SARIF 2.1.0 log, for example for GitHub code scanning. */
export async function renderSarif(diagnostics: readonly Diagnostic[]): Promise<string> {
  const { loadCatalog } = await import("./diagnostics/renderers/catalog.ts");
  const tool = { name: "waybill", version: manifest.version, home: manifest.homepage };
  return sarif(diagnostics, [...(await loadCatalog()).values()], tool);
}

function targetNamed(name: string): Target {
  const target = allTargets.find((each) => each.name === name);
  if (target) return target;
  const hint = didYouMean(name, targets);
  throw new RangeError(`Unknown target \`${name}\`. Targets: ${targets.join(", ")}.${hint ? ` ${hint}` : ""}`);
}

/** The expected type of a request's member. */
interface Member {
  readonly wanted: string;
  readonly isRequired: boolean;
  fits(value: unknown): boolean;
}

const isSource = (value: unknown): boolean =>
  isObject(value) && typeof value["path"] === "string" && typeof value["text"] === "string";

const stringMember: Member = { wanted: "a string", isRequired: true, fits: (value) => typeof value === "string" };

const sourcesMember: Member = {
  wanted: "an array of `{ path, text }` objects",
  isRequired: false,
  fits: (value) => Array.isArray(value) && value.every(isSource),
};

const requestMembers = {
  sources: { ...sourcesMember, isRequired: true },
  from: { ...stringMember, isRequired: false },
  options: { wanted: "an object", isRequired: false, fits: isObject },
  configuration: { wanted: "a `{ path, text }` object", isRequired: false, fits: isSource },
  resources: sourcesMember,
} as const satisfies { readonly [name: string]: Member };

/** Validates a request from an untyped caller; throws if a member is missing, mistyped or unknown. */
function checkRequest(request: unknown, members: { readonly [name: string]: Member }): void {
  if (!isObject(request)) throw new TypeError("A request must be an object.");
  for (const [name, { wanted, isRequired, fits }] of Object.entries(members)) {
    const value: unknown = request[name];
    if (value === undefined ? isRequired : !fits(value)) throw new TypeError(`\`${name}\` must be ${wanted}.`);
  }
  const known = Object.keys(members);
  for (const name of Object.keys(request)) {
    if (known.includes(name)) continue;
    const hint = didYouMean(name, known) ?? `Known members: ${known.map((each) => `\`${each}\``).join(", ")}.`;
    throw new TypeError(`A request has no member \`${name}\`. ${hint}`);
  }
}

async function inputOf({ sources, from, options = {}, configuration, resources }: Request): Promise<Input> {
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
  const configured = configuration && (await configurationIn(configuration, resources, report));
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

/** Reads a configuration; the types that it trusts are those of modules among the resources. */
async function configurationIn(
  source: Source,
  resources: readonly Source[] = [],
  report: Report,
): Promise<Configuration> {
  const configuration = readConfiguration(source, allLanguages, allTargets, report);
  if (!trustsTypes(configuration)) return configuration;
  const { createSignatureReader } = await import("./signatures/index.ts");
  return withSignatures(configuration, createSignatureReader({ sources: resources }), report);
}
