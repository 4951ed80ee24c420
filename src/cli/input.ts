import { targets } from "../../targets/index.ts";
import type { Target } from "../../targets/target.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { languages } from "../languages/index.ts";
import type { Input } from "../program.ts";
import { type Choices, definitionsOf, maximumBytesOf, oneOf, optionsOf } from "./choices.ts";
import { configuredOptions, definitionsIn, readSources } from "./sources.ts";
import type { Terminal } from "./terminal.ts";

/** What is compiled. */
export interface Request {
  readonly input: Input;
  /** What was found wrong in the configuration: with any of these nothing is compiled. */
  readonly diagnostics: readonly Diagnostic[];
  /** What there is to say about files that are left out. */
  readonly remarks: readonly Diagnostic[];
}

/** Reads all that a command compiles. What the command line says wins over the configuration. */
export async function readRequest(paths: readonly string[], choices: Choices, terminal: Terminal): Promise<Request> {
  const from = choices.from === undefined ? undefined : languageNamed(choices.from);
  const maximumBytes = maximumBytesOf(choices);
  const given = optionsOf(choices.option, definitionsOf(from));
  const remarks: Diagnostic[] = [];
  const sources = await readSources(paths, definitionsIn(from, maximumBytes), terminal, (found) => remarks.push(found));
  const diagnostics: Diagnostic[] = [];
  const configured = await configuredOptions(sources[0]!.path, definitionsOf(undefined), terminal, (found) => diagnostics.push(found));
  return { input: { sources, from, options: { ...configured, ...given }, maximumBytes }, diagnostics, remarks };
}

/** The name of a language as given after `--from`. */
function languageNamed(name: string): string {
  return oneOf(
    "--from",
    name,
    languages.map((language) => language.name),
  );
}

/** The target of a name. */
export function targetNamed(option: string, name: string): Target {
  const found = oneOf(
    option,
    name,
    targets.map((target) => target.name),
  );
  return targets.find((target) => target.name === found)!;
}
