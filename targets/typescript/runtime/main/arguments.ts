import { type ParseArgsConfig, parseArgs } from "node:util";
import type { LogEntry } from "../engine.ts";
import type { Json } from "../json.ts";
import { JsonViolation, parseStrictJson } from "../strict-json.ts";
import { levels } from "./log.ts";
import { CommandFailure, type Terminal, UsageError } from "./terminal.ts";

/** The options of every command. */
export interface Common {
  readonly store?: string;
  readonly codec?: string;
  readonly "log-level"?: string;
  readonly url?: string;
  readonly token?: string;
}

/** The options of a command, for `parseArgs`. */
export type OptionTable = NonNullable<ParseArgsConfig["options"]>;

export const commonOptions = {
  help: { type: "boolean", short: "h" },
  store: { type: "string" },
  codec: { type: "string" },
  "log-level": { type: "string" },
} as const satisfies OptionTable;

/** The options of commands that can use a server instead of a store. */
export const remoteOptions = {
  ...commonOptions,
  url: { type: "string" },
  token: { type: "string" },
} as const satisfies OptionTable;

/** Parses a command line by the options of the command. */
export function read<T extends OptionTable>(
  args: readonly string[],
  options: T,
  operands: readonly [least: number, most: number],
) {
  const parsed = parsedBy(args, options);
  const [least, most] = operands;
  if (parsed.positionals.length > most) throw new UsageError(`${parsed.positionals[most]} is one argument too many.`);
  if (parsed.positionals.length < least && !("help" in parsed.values && parsed.values["help"]))
    throw new UsageError("An argument is missing.");
  return parsed;
}

function parsedBy<T extends OptionTable>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (reason) {
    throw new UsageError(reason instanceof Error ? reason.message.split(". ")[0]! : String(reason));
  }
}

/** The file of the store; by default, `runs.db` in the current folder. */
export const storeOf = ({ store }: Common, { environment }: Terminal): string =>
  store ?? environment["WAYBILL_STORE"] ?? "runs.db";

/** The level of the log. */
export function levelOf(options: Common, { environment }: Terminal): LogEntry["level"] {
  const given = options["log-level"] ?? environment["WAYBILL_LOG"] ?? "info";
  const level = levels.find((known) => known === given);
  if (level === undefined) throw new UsageError(`--log-level is one of ${levels.join(", ")}.`);
  return level;
}

/** The JSON value of `--input`: JSON itself, `@` and the name of a file, or `-` for standard input; default: `{}`. */
export async function inputOf(given: string | undefined, terminal: Terminal): Promise<Json> {
  if (given === undefined) return {};
  const text =
    given === "-"
      ? await terminal.readStandardInput()
      : given.startsWith("@")
        ? await fileOf(given.slice(1), terminal)
        : given;
  try {
    return parseStrictJson(text);
  } catch (thrown) {
    if (!(thrown instanceof JsonViolation)) throw thrown;
    throw new UsageError(`The input ${thrown.message}.`);
  }
}

async function fileOf(path: string, terminal: Terminal): Promise<string> {
  try {
    return await terminal.readFile(path);
  } catch (reason) {
    throw new CommandFailure(`${path} cannot be read: ${reason instanceof Error ? reason.message : String(reason)}`);
  }
}

/** The whole number in an option. */
export function wholeNumber(option: string, given: string | undefined, most: number): number | undefined {
  if (given === undefined) return undefined;
  const number = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (number <= most) return number;
  throw new UsageError(`--${option} is a whole number from 0 to ${most}.`);
}

/** The instant in an option, in milliseconds since 1970. */
export function instantOf(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const isInstant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[-+]\d\d:\d\d)$/.test(given);
  const instant = isInstant ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(instant)) return instant;
  throw new UsageError(`--${option} needs an instant such as 2026-01-31T08:00:00Z.`);
}
