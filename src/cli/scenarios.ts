import type { Configuration } from "../configuration/index.ts";
import { definitionsOf } from "../scenario/definitions.ts";
import { type ScenarioFile, withPick } from "../scenario/model.ts";
import { readScenarioFile } from "../scenario/read.ts";
import type { Definitions } from "../scenario/run.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Source } from "../text/source.ts";
import type { ConfigurationLoader } from "./configurations.ts";
import { createResourceReader, tryReadSource } from "./read.ts";
import { namesOf, type Registry } from "./registry.ts";
import type { Terminal } from "./terminal.ts";

/** A scenario file and its definitions. */
export interface PreparedScenarios extends Definitions {
  readonly file: ScenarioFile;
}

/** How to read a scenario file. */
export interface PrepareOptions {
  /** Changes the configurations of its definitions. */
  readonly change?: ((configuration: Configuration) => Configuration) | undefined;
  /** Whether scenarios may omit what they expect. */
  readonly isRecording?: boolean | undefined;
  /** The definitions to test of files with several, for a scenario file that picks none. */
  readonly pick?: readonly string[] | undefined;
  /** Is called with the path of each definition and each file that they refer to. */
  readonly onRead?: ((path: string) => void) | undefined;
}

/** Reads a scenario file and its definitions; undefined if they have errors. */
export async function prepareScenarios(
  source: Source,
  configurations: ConfigurationLoader,
  terminal: Terminal,
  registry: Registry,
  report: Report,
  { change, isRecording, pick, onRead }: PrepareOptions = {},
): Promise<PreparedScenarios | undefined> {
  const found: Diagnostic[] = [];
  const read = readScenarioFile(
    source,
    { languages: registry.languages, targets: namesOf(registry.targets), isRecording },
    (diagnostic) => found.push(diagnostic),
  );
  const find = (path: string) => {
    onRead?.(path);
    return tryReadSource(path, terminal);
  };
  const definitions = read ? await definitionsOf(read, source, find, (diagnostic) => found.push(diagnostic)) : [];
  const configurationOf = await configurations.loadFor(definitions, change);
  for (const diagnostic of found) report(diagnostic);
  if (!read || found.some(({ severity }) => severity === "error")) return undefined;
  const readResource = createResourceReader([...definitions, ...configurations.sources()], terminal.cwd);
  return {
    file: withPick(read, pick),
    sources: definitions,
    configurationOf,
    read(path) {
      onRead?.(path);
      return readResource(path);
    },
  };
}
