import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Compilation } from "../compile.ts";
import { type Configuration, configurationNames } from "../configuration/index.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { readDocuments } from "../documents/index.ts";
import { mergeOptions } from "../languages/options.ts";
import type { PassRun } from "../passes/index.ts";
import { beside } from "../scenario/definitions.ts";
import { withPick } from "../scenario/model.ts";
import { recognisesScenario } from "../scenario/read.ts";
import { onTarget, openScenarios, type Runner } from "../scenario/run.ts";
import type { Target, WorkflowMetric } from "../target/contract.ts";
import type { Source } from "../text/source.ts";
import type { CompileFlags } from "./compile.ts";
import { createConfigurationLoader } from "./configurations.ts";
import { mergeSettings, parseLanguageOptions, requireLanguage } from "./flags.ts";
import { renderMetrics, renderMetricsJson, renderPassTimes } from "./metrics.ts";
import { tryReadSource } from "./read.ts";
import type { Registry } from "./registry.ts";
import { type PreparedScenarios, prepareScenarios } from "./scenarios.ts";
import { readSources } from "./sources.ts";
import type { Terminal } from "./terminal.ts";

/** The flags that select scenario files and how their definitions are read. */
export type ScenarioFlags = Pick<CompileFlags, "scenarios" | "config" | "option" | "from" | "pick" | "set">;

/** Prints metrics of the output and of scenarios. */
export async function printMetrics(
  { metrics, files, program }: Compilation,
  target: Target,
  passes: readonly PassRun[],
  flags: CompileFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<void> {
  const paths = new Set((program?.workflows ?? []).map(({ span }) => span.source.path));
  const prepared = target.runMetrics ? await findScenarios([...paths], flags, terminal, registry) : [];
  const all = [...metrics, ...(await measureScenarios(prepared, target, registry))];
  terminal.err(
    flags.format === "json" ? renderMetricsJson(all, passes) : renderMetrics(all, files) + renderPassTimes(passes),
  );
}

/** Finds the scenario files of definitions: those that flags name, or those in their folders and in their projects. */
export async function findScenarios(
  definitions: readonly string[],
  flags: ScenarioFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<readonly PreparedScenarios[]> {
  const absolute = (path: string) => resolve(terminal.cwd, path);
  const known = new Set(definitions.map(absolute));
  const configurations = createConfigurationLoader(flags.config, registry, terminal, () => undefined);
  const given = parseLanguageOptions(
    flags.option,
    flags.from && requireLanguage("--from", flags.from, registry.languages),
    registry,
  );
  const change = (configuration: Configuration): Configuration => ({
    ...configuration,
    options: mergeOptions(configuration.options, given),
    targets: mergeSettings(flags.set, configuration.targets, registry),
  });
  const found: PreparedScenarios[] = [];
  for (const source of await scenarioFiles(definitions, { config: undefined, ...flags }, terminal, registry)) {
    const prepared = await prepareScenarios(source, configurations, terminal, registry, () => undefined, { change });
    if (!prepared) terminal.err(skippedScenarios(source));
    else if (known.has(absolute(beside(source.path, prepared.file.workflow))))
      found.push({ ...prepared, file: withPick(prepared.file, flags.pick) });
  }
  return found;
}

/** The message for a scenario file with errors, which is not used. */
export const skippedScenarios = ({ path }: Source): string =>
  `${visible(path)} has errors and is skipped. Run \`waybill test\` to see them.\n`;

/** Reads the given files, or those in the folders of the definitions and in their projects. */
export async function scenarioFiles(
  definitions: readonly string[],
  { scenarios = [], config }: { readonly scenarios?: readonly string[]; readonly config: string | undefined },
  terminal: Terminal,
  registry: Registry,
): Promise<readonly Source[]> {
  const includes = () => Promise.resolve(true);
  const filter = { noun: "scenario file", recognizes: recognisesScenario, hints: [], includes };
  if (scenarios.length > 0) return (await readSources(scenarios, filter, terminal, () => undefined)).sources;
  const folders = new Set(definitions.filter((path) => path !== "<stdin>").map((path) => dirname(path)));
  const found = new Map<string, Source>();
  const add = (source: Source) => found.set(resolve(terminal.cwd, source.path), source);
  for (const source of await scenariosInFolders(folders, terminal)) add(source);
  const { projectOf } = await import("./projects.ts");
  const projects = new Set<string>();
  for (const folder of folders) {
    const project = await projectOf(join(folder, "definition"), config, terminal, registry);
    if (!project || projects.has(project.folder)) continue;
    projects.add(project.folder);
    for (const source of (await project.readScenarios(filter, () => undefined)).sources) add(source);
  }
  return [...found.values()];
}

async function scenariosInFolders(folders: Iterable<string>, terminal: Terminal): Promise<readonly Source[]> {
  const files = [...folders].flatMap((folder) =>
    readdirSync(resolve(terminal.cwd, folder))
      .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !configurationNames.includes(name))
      .sort()
      .map((name) => join(folder, name)),
  );
  const found: Source[] = [];
  for (const path of files) {
    const source = await tryReadSource(path, terminal);
    if (!("text" in source) || !/\bscenarios["']?\s*:/.test(source.text)) continue;
    const [document] = readDocuments(source, () => undefined);
    if (document && recognisesScenario(document.value)) found.push(source);
  }
  return found;
}

async function measureScenarios(
  prepared: readonly PreparedScenarios[],
  target: Target,
  { languages }: Registry,
): Promise<readonly WorkflowMetric[]> {
  const metrics: WorkflowMetric[] = [];
  const runner = prepared.length === 0 ? undefined : await onTarget(target);
  try {
    for (const each of prepared) metrics.push(...(await measureFile(each, runner!, languages)));
  } finally {
    runner?.executor?.close();
  }
  return metrics;
}

async function measureFile(
  prepared: PreparedScenarios,
  runner: Runner,
  languages: Registry["languages"],
): Promise<readonly WorkflowMetric[]> {
  const session = openScenarios(prepared.file, prepared, languages);
  try {
    return (await session.usage(runner)).flatMap(({ workflow, scenario, used }) =>
      runner.target!.runMetrics!((what) => used.get(what) ?? 0).map((metric) => ({ workflow, scenario, ...metric })),
    );
  } finally {
    await session.close();
  }
}
