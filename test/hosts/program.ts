import { check, generate } from "../../src/compile.ts";
import { type Configuration, noConfiguration, settingsFor } from "../../src/configuration/index.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import type { Language } from "../../src/language.ts";
import { languages } from "../../src/languages/index.ts";
import type { Options, Program, ResourceReader } from "../../src/program.ts";
import type { OutputFile } from "../../src/target.ts";
import type { Source } from "../../src/text/source.ts";
import { typescript } from "../../targets/typescript/index.ts";
import { type Load, loaderOf, scriptsOf, workflowsIn, write } from "../../targets/typescript/load.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/index.ts";
import { connected, scriptsIn } from "../../targets/typescript/scripts.ts";

/** A program as it was emitted, written to a folder and loaded from there, with what it was made of. */
export interface Emitted {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly language: Language | undefined;
  readonly files: readonly OutputFile[];
  readonly load: Load;
  /** The workflow that its scenarios are of comes first. */
  readonly workflows: readonly AnyWorkflow[];
}

/** What a program is made of. */
export interface Definitions {
  readonly sources: readonly Source[];
  readonly options: Options;
  readonly from?: string | undefined;
  readonly read?: ResourceReader | undefined;
  readonly configured?: Configuration | undefined;
}

/** Emits a program into a folder and loads it; undefined where it does not compile. Its runtime is that of the folder around. */
export async function emittedInto(
  folder: string,
  { sources, options, from, read, configured }: Definitions,
): Promise<Emitted | undefined> {
  const configurationOf = () => ({ ...noConfiguration, options: configured?.options ?? {} });
  const { program } = check({ sources, from, options, configurationOf, read }, languages);
  if (!program) return undefined;
  const settings = settingsFor("typescript", () => configured);
  const { files, diagnostics } = await generate(program, typescript, { ...settings, read });
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const workflow = program.workflows[0]!;
  const scripts = scriptsIn(files);
  write([...scriptsOf(files), ...scripts.stubs], folder);
  const load = loaderOf(folder);
  connected(scripts, load);
  const all = workflowsIn(files, load);
  const own = all.filter(({ id }) => id === workflow.id);
  const language = languages.find(({ name }) => name === workflow.language);
  return {
    program,
    workflow,
    language,
    files,
    load,
    workflows: [...own, ...all.filter((each) => !own.includes(each))],
  };
}
