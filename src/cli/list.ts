import type { OptionDefinition } from "../options.ts";
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
  const isShared = ({ name }: OptionDefinition): boolean =>
    languages.filter(({ options }) => options.some((option) => option.name === name)).length > 1;
  const languageLines = languages.flatMap(({ name, summary, options }) => [
    row(name, summary),
    ...options.flatMap((option) => optionLines(option, isShared(option) ? `${name}.` : "")),
  ]);
  const targetLines = targets.map(({ name, summary }) => row(name, summary));
  return `${["Languages (--from)", ...languageLines, "", "Targets (--target)", ...targetLines].join("\n")}\n`;
}

const row = (name: string, summary: string): string => `  ${name.padEnd(22)}${summary}`;

/** An option, with the name of its language before it where another language has one of the same name. */
function optionLines({ name, values, text, fallback, summary }: OptionDefinition, language: string): readonly string[] {
  const value = values
    ? values.map((word) => (word === fallback ? `${word} (default)` : word)).join(" | ")
    : `<${text?.noun ?? "text"}>`;
  return [`    --option ${language}${name}=${value}`, `        ${summary}`];
}

function json({ languages, targets }: Registry): string {
  const all = {
    languages: languages.map(({ name, summary, options }) => ({ name, summary, options: options.map(described) })),
    targets: targets.map(({ name, summary }) => ({ name, summary })),
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}

/** An option as data: what its texts are is a word there. */
const described = ({ text, ...option }: OptionDefinition) => ({ ...option, placeholder: text?.noun });
