import { type CatalogEntry, loadCatalog, renderPage } from "../diagnostics/renderers/catalog.ts";
import type { OptionDefinition } from "../options.ts";
import { nearestName } from "../text/messages.ts";
import { requireOneOf } from "./flags.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** Runs `waybill explain`: prints the pages of codes, the diagnostics about all of the words, or all diagnostics. */
export async function explain(
  words: readonly string[],
  flags: { readonly format: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const format = requireOneOf("--format", flags.format, ["text", "json"]);
  const catalog = await loadCatalog();
  if (words.length > 0 && words.every((word) => /^(?:wb)?\d/i.test(word))) {
    const pages = words
      .map((word) => findEntry(word, catalog))
      .map(({ code, severity, summary, page }) => {
        return { code, severity, summary, page };
      });
    terminal.out(
      format === "json"
        ? printJson(pages.length === 1 ? pages[0]! : pages)
        : pages.map((entry) => `${renderTitle(entry)}\n\n${renderPage(entry.page)}`).join("\n"),
    );
    return exit.success;
  }
  const found = searchCatalog(words, [...catalog.values()]);
  if (found.length === 0)
    throw commandFailure(`No diagnostic is about ${words.map((word) => `\`${word}\``).join(" and ")}.`);
  const entries = found.map(({ code, severity, summary }) => ({ code, severity, summary }));
  terminal.out(format === "json" ? printJson(entries) : entries.map((entry) => `${renderTitle(entry)}\n`).join(""));
  return exit.success;
}

const printJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The entries whose pages have all words, first those that have them in their titles. */
function searchCatalog(words: readonly string[], entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  const wanted = words.map((word) => word.toLowerCase());
  const has = (text: string): boolean => wanted.every((word) => text.toLowerCase().includes(word));
  const titled = entries.filter(({ summary }) => has(summary));
  return [...titled, ...entries.filter((entry) => !titled.includes(entry) && has(entry.page))];
}

function findEntry(code: string, catalog: ReadonlyMap<string, CatalogEntry>): CatalogEntry {
  const normalized = /^\d/.test(code) ? `WB${code}` : code.toUpperCase();
  const found = catalog.get(normalized);
  if (found) return found;
  const near = nearestName(normalized, catalog.keys());
  const hint = near === undefined ? "Run `waybill explain` to list all codes." : `Did you mean \`${near}\`?`;
  throw usageError(`Unknown code \`${code}\`. ${hint}`);
}

const renderTitle = ({ code, severity, summary }: Pick<CatalogEntry, "code" | "severity" | "summary">): string =>
  `${code} ${severity}: ${summary}`;

/** Runs `waybill list`. */
export function list(flags: { readonly format: string }, terminal: Terminal, registry: Registry): ExitStatus {
  const format = requireOneOf("--format", flags.format, ["text", "json"]);
  terminal.out(format === "json" ? renderJson(registry) : renderText(registry));
  return exit.success;
}

function renderText({ languages, targets }: Registry): string {
  const isShared = ({ name }: OptionDefinition): boolean =>
    languages.filter(({ options }) => options.some((option) => option.name === name)).length > 1;
  const languageLines = languages.flatMap(({ name, aliases = [], summary, options }) => [
    renderRow(name, aliases.length === 0 ? summary : `${summary}; also ${aliases.join(", ")}`),
    ...options.flatMap((option) => renderOption(option, isShared(option) ? `${name}.` : "")),
  ]);
  const targetLines = targets.map(({ name, summary }) => renderRow(name, summary));
  return `${["Languages (--from)", ...languageLines, "", "Targets (--target)", ...targetLines].join("\n")}\n`;
}

const renderRow = (name: string, summary: string): string => `  ${name.padEnd(26)}${summary}`;

/** `prefix` is the language if several languages have this option. */
function renderOption({ name, values, text, fallback, summary }: OptionDefinition, prefix: string): readonly string[] {
  const value = values
    ? values.map((word) => (word === fallback ? `${word} (default)` : word)).join(" | ")
    : `<${text?.noun ?? "text"}>`;
  return [`    --option ${prefix}${name}=${value}`, `        ${summary}`];
}

function renderJson({ languages, targets }: Registry): string {
  const describeOption = ({ text, ...option }: OptionDefinition) => ({ ...option, placeholder: text?.noun });
  const all = {
    languages: languages.map(({ name, aliases = [], summary, options }) => ({
      name,
      aliases,
      summary,
      options: options.map(describeOption),
    })),
    targets: targets.map(({ name, summary }) => ({ name, summary })),
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
