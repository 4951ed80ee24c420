import { check, generate } from "../../src/compile.ts";
import { readConfiguration } from "../../src/configuration/index.ts";
import { printProgram } from "../../src/ir/print.ts";
import { languages } from "../../src/languages/index.ts";
import { type Program, readFrom } from "../../src/program.ts";
import { sortDiagnostics } from "../../src/report/sort.ts";
import { renderText } from "../../src/report/text.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import { targets } from "../../targets/index.ts";
import type { Golden, Texts } from "./folder.ts";

/** All that a golden keeps: the IR, the files of each target, and what was said on the way. */
export async function made(golden: Golden): Promise<Texts> {
  const { program, diagnostics } = compiled(golden);
  const said: { readonly by: string; readonly list: readonly Diagnostic[] }[] = [{ by: "", list: diagnostics }];
  const texts: { [path: string]: string } = program ? { "ir.txt": printProgram(program) } : {};
  for (const target of program ? targets : []) {
    const generated = await generate(program!, target);
    said.push({ by: `${target.name}\n\n`, list: sortDiagnostics(generated.diagnostics, golden.sources) });
    for (const { path, text } of generated.files) if (!isCopied(path)) texts[`${target.name}/${path}`] = text;
  }
  said.push({ by: "scenarios\n\n", list: await scenarioFaults(golden) });
  const report = said.flatMap(({ by, list }) => (list.length > 0 ? [by + renderText(list)] : [])).join("\n");
  return report === "" ? texts : { ...texts, "diagnostics.txt": report };
}

/** Whether a file is the same in every program: it is tested where it comes from. */
const isCopied = (path: string): boolean => path.startsWith("runtime/");

/** A golden's program, and what is wrong with its configuration and its definitions. */
function compiled({ sources, schemas, settings, configuration }: Golden): {
  program: Program | undefined;
  diagnostics: readonly Diagnostic[];
} {
  const faults: Diagnostic[] = [];
  const definitions = languages.flatMap(({ options }) => options);
  const configured = configuration
    ? readConfiguration(configuration, definitions, (fault) => faults.push(fault)).options
    : {};
  const input = { sources, ...settings, options: { ...configured, ...settings.options }, read: readFrom(schemas) };
  const { program, diagnostics } = check(input, languages);
  return {
    program: faults.length > 0 ? undefined : program,
    diagnostics: [...sortDiagnostics(faults, configuration ? [configuration] : []), ...diagnostics],
  };
}

async function scenarioFaults({ scenarios }: Golden): Promise<readonly Diagnostic[]> {
  const faults: Diagnostic[] = [];
  const report = (fault: Diagnostic) => void faults.push(fault);
  if (scenarios) readScenarioFile(scenarios, report);
  return faults;
}
