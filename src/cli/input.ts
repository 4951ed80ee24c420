import { dirname, relative, resolve } from "node:path";
import type { Input } from "../compile.ts";
import { assertWellFormed } from "../ir/verify.ts";
import type { Target } from "../target/contract.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { parsePattern } from "../text/patterns.ts";
import { type Choices, maximumBytesOf, oneOf, optionsOf, settingsOf, targetOfSetting } from "./choices.ts";
import { openConfigurations } from "./configurations.ts";
import { resourcesFor } from "./read.ts";
import { namesOf, type Registry } from "./registry.ts";
import { definitionsIn, passedOverText, readSources } from "./sources.ts";
import { type Terminal, usage } from "./terminal.ts";

/** Reads all that a command compiles, for a target where it has one. What the command line says wins over the configuration. */
export async function readInput(
  paths: readonly string[],
  choices: Choices,
  target: Target | undefined,
  terminal: Terminal,
  registry: Registry,
): Promise<Input> {
  const from = choices.from === undefined ? undefined : oneOf("--from", choices.from, namesOf(registry.languages));
  const maximumBytes = maximumBytesOf(choices);
  const given = optionsOf(choices.option, from, registry);
  checkSettings(choices.set, target, registry);
  const inputDiagnostics: Diagnostic[] = [];
  const report: Report = (found) => inputDiagnostics.push(found);
  const configurations = openConfigurations(choices.config, registry, terminal, report);
  const taken = {
    include: patternsOf("--include", choices.include),
    exclude: patternsOf("--exclude", choices.exclude),
  };
  const takes = (file: string) => configurations.takes(file, taken);
  const found = await readSources(paths, definitionsIn(from, registry, { takes, maximumBytes }), terminal, report);
  if (!choices.quiet) terminal.err(passedOverText(found, "workflow definition"));
  const { sources, readings } = found;
  const configurationOf = await configurations.of(sources, (configuration) => ({
    ...configuration,
    targets: settingsOf(choices.set, configuration.targets, registry),
  }));
  const read = resourcesFor([...sources, ...configurations.sources()], terminal.cwd, maximumBytes);
  return {
    sources,
    readings,
    from,
    options: given,
    configurationOf,
    ...placedIn("program", terminal),
    inspectModule: async (path) => (await import("./modules.ts")).readModules(terminal.cwd)(path),
    maximumBytes,
    read,
    verify: choices.verifyEach ? assertWellFormed : undefined,
    inputDiagnostics,
  };
}

/** What depends on the folder that a program is written to, as if it were a new one where there is none: the way to a configuration's, from which its paths start, and what lies outside. */
export function placedIn(out: string, { cwd }: Terminal): Pick<Input, "moduleBase" | "findDependencies" | "folder"> {
  const folder = resolve(cwd, out);
  return {
    moduleBase: ({ path }) => `${relative(folder, resolve(cwd, dirname(path))).replaceAll("\\", "/") || "."}/`,
    findDependencies: async (configuration, module) =>
      (await import("./needed.ts")).findDependencies(resolve(cwd, dirname(configuration)), module, folder),
    folder: folder.replaceAll("\\", "/"),
  };
}

/** The patterns of an option; undefined where it was not given. */
function patternsOf(option: string, given: readonly string[] = []): readonly string[] | undefined {
  const wrong = given.find((pattern) => parsePattern(pattern) === undefined);
  if (wrong !== undefined)
    throw usage(`${option} cannot be \`${wrong}\`; it is a pattern as in a .gitignore, such as drafts/**.`);
  return given.length > 0 ? given : undefined;
}

/** The target of a name. */
export function targetNamed(option: string, name: string, { targets }: Registry): Target {
  const found = oneOf(option, name, namesOf(targets));
  return targets.find((target) => target.name === found)!;
}

/** A setting of a target that is not asked would be read by nobody. */
function checkSettings(given: readonly string[], target: Target | undefined, registry: Registry): void {
  for (const text of given) {
    const { name } = targetOfSetting(text, registry);
    if (name === target?.name) continue;
    const why = target ? `this is for target ${target.name}` : `say \`--target ${name}\` too`;
    throw usage(`--set ${text}: only target ${name} reads this; ${why}.`);
  }
}
