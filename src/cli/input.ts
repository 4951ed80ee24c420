import { type Compilation, compileWith, type Input } from "../compile.ts";
import { assertWellFormed } from "../ir/verify.ts";
import { mergeOptions } from "../languages/options.ts";
import { sortDiagnostics } from "../report/sort.ts";
import type { Target } from "../target.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { type Choices, maximumBytesOf, oneOf, optionsOf, settingsOf } from "./choices.ts";
import { namesOf, type Registry } from "./registry.ts";
import { resourcesFor } from "./resources.ts";
import { configurationFor, definitionsIn, readSources } from "./sources.ts";
import type { Terminal } from "./terminal.ts";

/** What is compiled. */
export interface Request {
  readonly input: Input;
  /** What there is to say before anything is compiled: of the configuration, and of files that are left out. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads all that a command compiles. What the command line says wins over the configuration. */
export async function readRequest(
  paths: readonly string[],
  choices: Choices,
  terminal: Terminal,
  registry: Registry,
): Promise<Request> {
  const from = choices.from === undefined ? undefined : oneOf("--from", choices.from, namesOf(registry.languages));
  const maximumBytes = maximumBytesOf(choices);
  const given = optionsOf(choices.option, from, registry);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (found) => diagnostics.push(found);
  const sources = await readSources(paths, definitionsIn(from, registry, maximumBytes), terminal, report);
  const configuration = await configurationFor(sources[0]!.path, registry, terminal, report);
  const places = configuration.source ? [...sources, configuration.source] : sources;
  const read = resourcesFor(places, terminal.cwd, maximumBytes);
  return {
    input: {
      sources,
      from,
      options: mergeOptions(configuration.options, given),
      configuration: { ...configuration, targets: settingsOf(choices.set, configuration.targets, registry) },
      maximumBytes,
      read,
      verify: choices.verifyIr ? assertWellFormed : undefined,
    },
    diagnostics,
  };
}

/** Compiles what was read. With errors in the configuration the definitions are only checked: a target would take for missing what is wrong. */
export async function compileRequest(
  { input, diagnostics }: Request,
  target: Target | undefined,
  { languages }: Registry,
): Promise<Compilation> {
  const isSound = diagnostics.every(({ severity }) => severity !== "error");
  const compilation = await compileWith(input, languages, isSound ? target : undefined);
  return {
    ...compilation,
    program: isSound ? compilation.program : undefined,
    diagnostics: sortDiagnostics([...compilation.diagnostics, ...diagnostics], input.sources),
  };
}

/** The target of a name. */
export function targetNamed(option: string, name: string, { targets }: Registry): Target {
  const found = oneOf(option, name, namesOf(targets));
  return targets.find((target) => target.name === found)!;
}
