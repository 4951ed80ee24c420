import { renderText } from "../diagnostics/renderers/text.ts";
import { readJsonValue } from "../documents/index.ts";
import type { Json } from "../json.ts";
import type { Source } from "../text/source.ts";
import { readSource } from "./read.ts";
import { type Terminal, usageError } from "./terminal.ts";

/** Reads the JSON of an option: itself, the file after `@`, or standard input for `-`. */
export async function readJsonOption(option: string, given: string, terminal: Terminal): Promise<Json> {
  const fault = `${option} is not valid JSON.`;
  if (given !== "-" && !given.startsWith("@")) return readJsonText({ path: option, text: given }, terminal, fault);
  return readJsonText(await readSource(given === "-" ? "-" : given.slice(1), terminal), terminal, fault);
}

/**
 * Reads JSON that the user passes to a command, by the rules for files. Prints errors, such as duplicate keys and numbers
 * beyond double, and warnings of integers that lose digits; fails with `fault` if there are errors.
 */
export function readJsonText(source: Source, { color, err }: Pick<Terminal, "color" | "err">, fault: string): Json {
  const { value, diagnostics } = readJsonValue(source);
  if (diagnostics.length > 0) err(renderText(diagnostics, { color }));
  if (value === undefined) throw usageError(fault);
  return value;
}
