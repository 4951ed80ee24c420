import { assertWellFormed } from "../ir/verify.ts";
import { mergeOptions } from "../languages/options.ts";
import type { Input } from "../program.ts";
import type { Target } from "../target.ts";
import type { Diagnostic } from "../text/diagnostics.ts";
import { type Choices, maximumBytesOf, oneOf, optionsOf, settingsOf } from "./choices.ts";
import { namesOf, type Registry } from "./registry.ts";
import { resourcesFor } from "./resources.ts";
import { configurationFor, definitionsIn, readSources } from "./sources.ts";
import type { Terminal } from "./terminal.ts";

/** What is compiled. */
export interface Request {
  readonly input: Input;
  /** The errors in the configuration: with any of these nothing is compiled. */
  readonly diagnostics: readonly Diagnostic[];
  /** What else there is to say: of the configuration, and of files that are left out. */
  readonly remarks: readonly Diagnostic[];
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
  const remarks: Diagnostic[] = [];
  const sources = await readSources(paths, definitionsIn(from, registry, maximumBytes), terminal, (found) =>
    remarks.push(found),
  );
  const diagnostics: Diagnostic[] = [];
  const configuration = await configurationFor(sources[0]!.path, registry, terminal, (found) =>
    (found.severity === "error" ? diagnostics : remarks).push(found),
  );
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
    remarks,
  };
}

/** The target of a name. */
export function targetNamed(option: string, name: string, { targets }: Registry): Target {
  const found = oneOf(option, name, namesOf(targets));
  return targets.find((target) => target.name === found)!;
}
