import type { Configuration } from "../configuration/index.ts";
import { definitionsOf } from "../scenario/definitions.ts";
import type { ScenarioFile } from "../scenario/model.ts";
import { readScenarioFile } from "../scenario/read.ts";
import type { Definitions } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { Configurations } from "./configurations.ts";
import { resourcesFor, tryReading } from "./read.ts";
import { namesOf, type Registry } from "./registry.ts";
import type { Terminal } from "./terminal.ts";

/** A scenario file with the definitions that it names. */
export interface Prepared extends Definitions {
  readonly file: ScenarioFile;
}

/**
 * Reads a scenario file and what it names; undefined when any of it has mistakes. `change` is made to the configuration of each definition.
 */
export async function prepare(
  source: Source,
  configurations: Configurations,
  terminal: Terminal,
  registry: Registry,
  report: Report,
  change?: (configuration: Configuration) => Configuration,
): Promise<Prepared | undefined> {
  const found: Diagnostic[] = [];
  const read = readScenarioFile(
    source,
    { languages: registry.languages, targets: namesOf(registry.targets) },
    (diagnostic) => found.push(diagnostic),
  );
  const find = (path: string) => tryReading(path, terminal);
  const definitions = read ? await definitionsOf(read, source, find, (diagnostic) => found.push(diagnostic)) : [];
  const configurationOf = await configurations.of(definitions, change);
  for (const diagnostic of found) report(diagnostic);
  if (!read || found.some(({ severity }) => severity === "error")) return undefined;
  return {
    file: read,
    sources: definitions,
    configurationOf,
    read: resourcesFor([...definitions, ...configurations.sources()], terminal.cwd),
  };
}
