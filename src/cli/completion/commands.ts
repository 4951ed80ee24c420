import type { Command, Option } from "commander";
import { loadCatalog } from "../../diagnostics/renderers/catalog.ts";
import { expressionForms, expressionLanguages, namesOf, type Registry } from "../registry.ts";

/** A command as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** The words that its first argument may be; empty for files. */
  readonly words: readonly string[];
}

/** An option of a command. */
export interface CompletedOption {
  /** With the hyphens. */
  readonly long: string;
  readonly short: string | undefined;
  readonly summary: string;
  /** The values that it may have; empty for any, undefined for an option without a value. */
  readonly values: readonly string[] | undefined;
}

/** Describes the commands of a command line. */
export async function completedCommands(program: Command, registry: Registry): Promise<readonly CompletedCommand[]> {
  const codes = [...(await loadCatalog()).keys()];
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    options: command
      .createHelp()
      .visibleOptions(command)
      .flatMap((option) => completedOption(command.name(), option, registry)),
    words: [...command.commands.map((inner) => inner.name()), ...argumentsOf(command.name(), codes)],
  }));
}

const argumentsOf = (command: string, codes: readonly string[]): readonly string[] =>
  command === "explain" ? codes : command === "completion" ? shells : [];

/** The shells whose completion is supported. */
export const shells = ["bash", "zsh", "fish"] as const;

function completedOption(command: string, option: Option, registry: Registry): readonly CompletedOption[] {
  const { long, short, description, required, optional } = option;
  if (!long) return [];
  const values = required || optional ? valuesOf(command, long, registry) : undefined;
  return [{ long, short: short ?? undefined, summary: description, values }];
}

/** The values of options that must be one of several words. */
function valuesOf(command: string, option: string, registry: Registry): readonly string[] {
  const targets = namesOf(registry.targets);
  const diagnosticFormats = ["text", "json", "github", "sarif"];
  switch (option) {
    case "--target":
      return targets;
    case "--from":
      return namesOf(registry.languages);
    case "--language":
      return registry.languages.flatMap(({ name, starter }) => (starter ? [name] : []));
    case "--on":
      return ["reference", ...targets, "all"];
    case "--emit":
      return ["ir"];
    case "--in":
      return expressionLanguages;
    case "--as":
      return expressionForms(registry);
    case "--format":
      return formatsOf.get(command) ?? diagnosticFormats;
    default:
      return [];
  }
}

/** The formats of commands whose output is not diagnostics. */
const formatsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["test", ["text", "json", "junit"]],
  ["list", ["text", "json"]],
  ["explain", ["text", "json"]],
  ["graph", ["svg", "mermaid", "dot"]],
]);
