import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { checkWith, type Input } from "../compile.ts";
import { describeErrno } from "../errno.ts";
import { optionsFor } from "../languages/options.ts";
import { type MigrationOptions, migrate as migrateSource } from "../migration/index.ts";
import { migrationTargets } from "../migration/languages.ts";
import type { Source } from "../text/source.ts";
import { printDiagnostics } from "./diagnostics.ts";
import { type CommonFlags, requireOneOf } from "./flags.ts";
import { readInput } from "./input.ts";
import type { Registry } from "./registry.ts";
import { commandFailure, type ExitStatus, type Terminal, usageError } from "./terminal.ts";

/** The flags of `waybill migrate`. */
export interface MigrateFlags extends Pick<CommonFlags, "from" | "option" | "config" | "color" | "strict"> {
  readonly to: string;
  readonly out?: string;
  readonly namespace?: string;
}

/** Runs `waybill migrate`: status 1 if a construct has no form in the other language. */
export async function migrate(
  path: string,
  flags: MigrateFlags,
  terminal: Terminal,
  registry: Registry,
): Promise<ExitStatus> {
  requireOneOf("--to", flags.to, migrationTargets);
  if (flags.namespace !== undefined && !/^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(flags.namespace))
    throw usageError(`--namespace must be a DNS label, such as \`shop\`, not \`${flags.namespace}\`.`);
  const { to: _, out, namespace, ...own } = flags;
  const common = { ...own, format: "text", quiet: true };
  const input = await readInput([path], common, undefined, terminal, registry);
  const { program, diagnostics } = await checkWith(input, registry.languages);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (!program || errors.length > 0) return printDiagnostics(errors, common, terminal);
  const [source, ...others] = input.sources;
  if (!source || others.length > 0) throw usageError(`Migrate one file at a time; \`${path}\` has several.`);
  const language = program.workflows[0]!.language;
  const settings = settingsOf(language, source, input, registry);
  const canonicalize = registry.languages.find(({ name }) => name === language)?.canonicalize;
  const migration = migrateSource(source, { language, settings, canonicalize, namespace, read: input.read });
  const status = await printDiagnostics(migration.diagnostics, common, terminal);
  if (migration.text !== undefined) write(migration.text, out, terminal);
  return status;
}

/** The options of the definition's language. */
function settingsOf(
  language: string,
  source: Source,
  input: Input,
  { languages }: Registry,
): MigrationOptions["settings"] {
  const found = languages.find(({ name }) => name === language);
  if (!found) return undefined;
  const configured = optionsFor(found, input.configurationOf?.(source)?.options ?? {});
  return { ...configured, ...optionsFor(found, input.options) };
}

function write(text: string, out: string | undefined, terminal: Terminal): void {
  if (out === undefined) {
    terminal.out(text);
    return;
  }
  try {
    writeFileSync(resolve(terminal.cwd, out), text);
  } catch (error) {
    throw commandFailure(`Cannot write \`${out}\`: ${describeErrno(error) ?? String(error)}.`);
  }
}
