import { type CatalogEntry, loadCatalog, renderPage } from "../diagnostics/renderers/catalog.ts";
import type { OptionDefinition } from "../options.ts";
import { nearestName } from "../text/messages.ts";
import { requireOneOf } from "./flags.ts";
import type { Registry } from "./registry.ts";
import { type ExitStatus, exit, type Terminal, usageError } from "./terminal.ts";

/** Runs `waybill explain`. */
export async function explain(code: string | undefined, terminal: Terminal): Promise<ExitStatus> {
  const catalog = await loadCatalog();
  if (code === undefined) terminal.out([...catalog.values()].map((entry) => `${renderTitle(entry)}\n`).join(""));
  else {
    const entry = findEntry(code, catalog);
    terminal.out(`${renderTitle(entry)}\n\n${renderPage(entry.page)}`);
  }
  return exit.success;
}

function findEntry(code: string, catalog: ReadonlyMap<string, CatalogEntry>): CatalogEntry {
  const normalized = /^\d/.test(code) ? `WB${code}` : code.toUpperCase();
  const found = catalog.get(normalized);
  if (found) return found;
  const near = nearestName(normalized, catalog.keys());
  const hint = near === undefined ? "Run `waybill explain` to list all codes." : `Did you mean \`${near}\`?`;
  throw usageError(`Unknown code \`${code}\`. ${hint}`);
}

const renderTitle = ({ code, severity, summary }: CatalogEntry): string => `${code} ${severity}: ${summary}`;

/** Runs `waybill list`. */
export function list(flags: { readonly format: string }, terminal: Terminal, registry: Registry): ExitStatus {
  const format = requireOneOf("--format", flags.format, ["text", "json"]);
  terminal.out(format === "json" ? renderJson(registry) : renderText(registry));
  return exit.success;
}

function renderText({ languages, targets }: Registry): string {
  const isShared = ({ name }: OptionDefinition): boolean =>
    languages.filter(({ options }) => options.some((option) => option.name === name)).length > 1;
  const languageLines = languages.flatMap(({ name, summary, options }) => [
    renderRow(name, summary),
    ...options.flatMap((option) => renderOption(option, isShared(option) ? `${name}.` : "")),
  ]);
  const targetLines = targets.map(({ name, summary }) => renderRow(name, summary));
  return `${["Languages (--from)", ...languageLines, "", "Targets (--target)", ...targetLines].join("\n")}\n`;
}

const renderRow = (name: string, summary: string): string => `  ${name.padEnd(22)}${summary}`;

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
    languages: languages.map(({ name, summary, options }) => ({
      name,
      summary,
      options: options.map(describeOption),
    })),
    targets: targets.map(({ name, summary }) => ({ name, summary })),
  };
  return `${JSON.stringify(all, null, 2)}\n`;
}
