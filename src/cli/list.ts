import type { OptionDefinition } from "../program.ts";
import { oneOf } from "./choices.ts";
import type { Registry } from "./registry.ts";
import { type ExitStatus, exit, type Terminal } from "./terminal.ts";

/** `waybill list`: the source languages with their options, and the targets. */
export function list(choices: { readonly format: string }, terminal: Terminal, registry: Registry): ExitStatus {
  const format = oneOf("--format", choices.format, ["text", "json"]);
  terminal.out(format === "json" ? json(registry) : text(registry));
  return exit.fine;
}

function text({ languages, targets }: Registry): string {
  const languageLines = languages.flatMap(({ name, summary, options }) => [
    row(name, summary),
    ...options.flatMap(optionLines),
  ]);
  const targetLines = targets.map(({ name, summary }) => row(name, summary));
  return `${["Languages (--from)", ...languageLines, "", "Targets (--target)", ...targetLines].join("\n")}\n`;
}

const row = (name: string, summary: string): string => `  ${name.padEnd(22)}${summary}`;

function optionLines({ name, values, placeholder, fallback, summary }: OptionDefinition): readonly string[] {
  const value = values
    ? values.map((word) => (word === fallback ? `${word} (default)` : word)).join(" | ")
    : `<${placeholder ?? "text"}>`;
  return [`    --option ${name}=${value}`, `        ${summary}`];
}

function json({ languages, targets }: Registry): string {
  const described = {
    languages: languages.map(({ name, summary, options }) => ({ name, summary, options })),
    targets: targets.map(({ name, summary }) => ({ name, summary })),
  };
  return `${JSON.stringify(described, null, 2)}\n`;
}
