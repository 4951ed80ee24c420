import { check, generate } from "../../src/compile.ts";
import { type Configuration, noConfiguration, settingsFor } from "../../src/configuration/index.ts";
import type { Program, Workflow } from "../../src/ir/workflow.ts";
import type { Language } from "../../src/language.ts";
import type { Options } from "../../src/options.ts";
import type { OutputFile } from "../../src/target/contract.ts";
import type { Source } from "../../src/text/source.ts";
import type { ResourceReader } from "../../src/text/uris.ts";
import { typescript } from "../../targets/typescript/index.ts";
import {
  createLoader,
  type LoadModule,
  loadWorkflows,
  workflowModules,
  writeFiles,
} from "../../targets/typescript/load.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/face.ts";
import { connectScripts, findScriptModules } from "../../targets/typescript/script-workers.ts";
import { languages } from "../languages.ts";

/** An emitted program, loaded from a folder. */
export interface HostProgram {
  readonly program: Program;
  readonly workflow: Workflow;
  readonly language: Language | undefined;
  readonly files: readonly OutputFile[];
  readonly load: LoadModule;
  /** The workflow of the scenarios comes first. */
  readonly workflows: readonly AnyWorkflow[];
}

/** The input of the compiler. */
export interface ProgramInput {
  readonly sources: readonly Source[];
  readonly options: Options;
  readonly from?: string | undefined;
  readonly read?: ResourceReader | undefined;
  readonly configured?: Configuration | undefined;
}

/** Emits a program and loads it with the runtime of the parent folder; undefined if it does not compile. */
export async function emitInto(
  folder: string,
  { sources, options, from, read, configured }: ProgramInput,
): Promise<HostProgram | undefined> {
  const configurationOf = () => ({ ...noConfiguration, options: configured?.options ?? {} });
  const { program } = check({ sources, from, options, configurationOf, read }, languages);
  if (!program) return undefined;
  const settings = settingsFor("typescript", () => configured);
  const { files, diagnostics } = await generate(program, typescript, { ...settings, read });
  if (diagnostics.some(({ severity }) => severity === "error")) return undefined;
  const workflow = program.workflows[0]!;
  const scripts = findScriptModules(files);
  writeFiles([...workflowModules(files), ...scripts.stubs], folder);
  const load = createLoader(folder);
  connectScripts(scripts, load);
  const all = loadWorkflows(files, load);
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
