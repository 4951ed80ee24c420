import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Compilation } from "../compile.ts";
import type { Configuration } from "../configuration/index.ts";
import { visible } from "../diagnostics/renderers/text.ts";
import { readDocuments } from "../documents/index.ts";
import { mergeOptions } from "../languages/options.ts";
import type { PassRun } from "../passes/index.ts";
import { beside } from "../scenario/definitions.ts";
import { recognisesScenario } from "../scenario/read.ts";
import { onTarget, openScenarios, type Runner } from "../scenario/run.ts";
import type { Target } from "../target/contract.ts";
import type { WorkflowMetric } from "../target/metrics.ts";
import type { Source } from "../text/source.ts";
import { optionsOf, settingsOf } from "./choices.ts";
import type { CompileChoices } from "./compile.ts";
import { openConfigurations } from "./configurations.ts";
import { renderFigures, renderFiguresJson, renderPassTimes } from "./figures.ts";
import { tryReading } from "./read.ts";
import type { Registry } from "./registry.ts";
import { type Prepared, prepare } from "./scenarios.ts";
import { readSources } from "./sources.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Tells how large it is what was made, and what the runs of scenarios cost there: of the scenario files that stand beside the definitions and name them.
 */
export async function tellFigures(
  { metrics: figures, files, program }: Compilation,
  target: Target,
  passes: readonly PassRun[],
  choices: CompileChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<void> {
  const paths = new Set((program?.workflows ?? []).map(({ span }) => span.source.path));
  const prepared = target.runMetrics ? await scenariosOf([...paths], choices, terminal, registry) : [];
  const all = [...figures, ...(await measured(prepared, target, registry))];
  terminal.err(
    choices.format === "json" ? renderFiguresJson(all, passes) : renderFigures(all, files) + renderPassTimes(passes),
  );
}

/** The scenario files that are about one of some definitions. Of one that has mistakes it is told that it is left out. */
async function scenariosOf(
  definitions: readonly string[],
  choices: CompileChoices,
  terminal: Terminal,
  registry: Registry,
): Promise<readonly Prepared[]> {
  const place = (path: string) => resolve(terminal.cwd, path);
  const known = new Set(definitions.map(place));
  const configurations = openConfigurations(choices.config, registry, terminal, () => undefined);
  const given = optionsOf(choices.option, choices.from, registry);
  const change = (configuration: Configuration): Configuration => ({
    ...configuration,
    options: mergeOptions(configuration.options, given),
    targets: settingsOf(choices.set, configuration.targets, registry),
  });
  const found: Prepared[] = [];
  for (const source of await scenarioFiles(definitions, choices, terminal)) {
    const prepared = await prepare(source, configurations, terminal, registry, () => undefined, change);
    if (!prepared)
      terminal.err(`${visible(source.path)} has mistakes, and is not measured: \`waybill test\` tells them.\n`);
    else if (known.has(place(beside(source.path, prepared.file.workflow)))) found.push(prepared);
  }
  return found;
}

/** The scenario files that the command line names, or else those in the folders of the definitions, by name. */
async function scenarioFiles(
  definitions: readonly string[],
  { scenarios = [] }: CompileChoices,
  terminal: Terminal,
): Promise<readonly Source[]> {
  if (scenarios.length > 0) {
    const takes = () => Promise.resolve(true);
    const wanted = { noun: "scenario file", recognises: recognisesScenario, traces: [], takes };
    return (await readSources(scenarios, wanted, terminal, () => undefined)).sources;
  }
  const folders = new Set(definitions.filter((path) => path !== "<stdin>").map((path) => dirname(path)));
  const files = [...folders].flatMap((folder) =>
    readdirSync(resolve(terminal.cwd, folder))
      .filter((name) => /\.(?:ya?ml|json)$/.test(name))
      .sort()
      .map((name) => join(folder, name)),
  );
  const found: Source[] = [];
  for (const path of files) {
    const source = await tryReading(path, terminal);
    if (!("text" in source) || !/\bscenarios["']?\s*:/.test(source.text)) continue;
    const [document] = readDocuments(source, () => undefined);
    if (document && recognisesScenario(document.value)) found.push(source);
  }
  return found;
}

/** What the scenarios of some files cost on a target. */
async function measured(
  prepared: readonly Prepared[],
  target: Target,
  { languages }: Registry,
): Promise<readonly WorkflowMetric[]> {
  const figures: WorkflowMetric[] = [];
  const runner = prepared.length === 0 ? undefined : await onTarget(target);
  try {
    for (const each of prepared) figures.push(...(await measuredIn(each, runner!, languages)));
  } finally {
    runner?.executor?.close();
  }
  return figures;
}

async function measuredIn(
  prepared: Prepared,
  runner: Runner,
  languages: Registry["languages"],
): Promise<readonly WorkflowMetric[]> {
  const session = openScenarios(prepared.file, prepared, languages);
  try {
    return (await session.usage(runner)).flatMap(({ workflow, scenario, used }) =>
      runner.target!.runMetrics!((what) => used.get(what) ?? 0).map((measure) => ({ workflow, scenario, ...measure })),
    );
  } finally {
    await session.close();
  }
}
