import { namesOf } from "../../src/cli/registry.ts";
import { check, generate } from "../../src/compile.ts";
import { type Configuration, readConfiguration, settingsFor, withSignatures } from "../../src/configuration/index.ts";
import { sortDiagnostics } from "../../src/diagnostics/renderers/sort.ts";
import { renderText } from "../../src/diagnostics/renderers/text.ts";
import { printProgram } from "../../src/ir/print.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import type { Program } from "../../src/ir/workflow.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { createSignatureReader } from "../../src/signatures/index.ts";
import type { OutputFile, Settings, Target } from "../../src/target/contract.ts";
import type { Diagnostic, Report } from "../../src/text/diagnostics.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";
import { readerOfModules } from "../host.ts";
import { languages } from "../languages.ts";
import type { FileContents, Golden } from "./folder.ts";

/** Returns the expected output of a golden: IR, output of each target, and diagnostics. */
export async function makeGolden(golden: Golden): Promise<FileContents> {
  const { program, diagnostics, settings } = compileGolden(golden);
  const reports: { readonly heading: string; readonly list: readonly Diagnostic[] }[] = [
    { heading: "", list: diagnostics },
  ];
  const texts: { [path: string]: string } = program ? { "ir.txt": printProgram(program) } : {};
  for (const target of program ? targets : []) {
    const generated = await generate(program!, target, settings(target.name));
    reports.push({ heading: `${target.name}\n\n`, list: sortDiagnostics(generated.diagnostics, golden.sources) });
    for (const { path, text } of generated.files)
      if (isKept(path, text, golden)) texts[`${target.name}/${path}`] = text;
  }
  reports.push({ heading: "scenarios\n\n", list: await scenarioDiagnostics(golden) });
  const report = reports
    .flatMap(({ heading, list }) => (list.length > 0 ? [heading + renderText(list)] : []))
    .join("\n");
  return report === "" ? texts : { ...texts, "diagnostics.txt": report };
}

/** Returns the output of a golden for one target; empty if its definitions have errors. */
export async function emitGolden(golden: Golden, target: Target): Promise<readonly OutputFile[]> {
  const { program, settings } = compileGolden(golden);
  return program ? (await generate(program, target, settings(target.name))).files : [];
}

/**
 * Whether a golden keeps a file. All keep state machines and workflow modules. Only those in `golden/projects` keep the
 * whole output, so that changes to common files show there alone. The runtime is tested at its source.
 */
function isKept(path: string, text: string, { name }: Golden): boolean {
  if (/^(?:(?:runtime|query|jsonata|dbos|restate|lambda)[./]|actions\/)/.test(path)) return false;
  // It would hide changes of goldens in reviews.
  if (path === ".gitattributes") return false;
  if (text.includes("@generated from jsonata ")) return false;
  if (path.endsWith(".composition.json") && text.length > maxCompositionLength) return name.startsWith("projects/");
  return (
    name.startsWith("projects/") ||
    (/\.(?:asl\.(?:json|yaml)|composition\.json|m?js|ts)$|^template\.yaml$/.test(path) && !sharedModules.test(path))
  );
}

/** Longer compositions are unreadable, and running them checks them. */
const maxCompositionLength = 9_000;

/** Modules that are the same in all programs, and types of functions. */
const sharedModules = /^(?:main|functions)\.ts$|\.d\.ts$/;

/** Reads a golden's configuration, and the types of its modules if it trusts them. */
export function configurationOf(
  { configuration, modules }: Golden,
  report: Report = () => undefined,
): Configuration | undefined {
  const read = configuration && readConfiguration(configuration, languages, targets, report);
  return read && withSignatures(read, createSignatureReader({ read: readerOfModules(modules) }), report);
}

/** Compiles a golden and returns the diagnostics of its configuration and definitions. */
export function compileGolden(golden: Golden): {
  program: Program | undefined;
  diagnostics: readonly Diagnostic[];
  settings(target: string): Settings;
} {
  const { sources, schemas, settings, configuration } = golden;
  const problems: Diagnostic[] = [];
  const configured = configurationOf(golden, (problem) => problems.push(problem));
  const input = {
    sources,
    ...settings,
    options: settings.options ?? {},
    configurationOf: () => configured,
    read: readerOf(schemas),
    moduleBase: () => "../",
    verify: assertWellFormed,
  };
  const { program, diagnostics } = check(input, languages);
  return {
    program: problems.length > 0 ? undefined : program,
    diagnostics: [...sortDiagnostics(problems, configuration ? [configuration] : []), ...diagnostics],
    settings: (target) => ({
      ...settingsFor(target, () => configured),
      read: input.read,
      moduleBase: input.moduleBase,
      folder: `/golden/${target}`,
      verify: input.verify,
    }),
  };
}

async function scenarioDiagnostics({ scenarios }: Golden): Promise<readonly Diagnostic[]> {
  const problems: Diagnostic[] = [];
  const report = (problem: Diagnostic) => void problems.push(problem);
  if (scenarios) readScenarioFile(scenarios, { languages, targets: namesOf(targets) }, report);
  return problems;
}
