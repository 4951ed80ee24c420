import { isObject, type Json } from "../../../../src/json.ts";
import type { ProgramSample } from "./samples.ts";

/**
 * Prefixes integer-like strings and keys of a program and its inputs with a letter, including results of `tostring` and
 * `INDEX`.
 *
 * JavaScript moves integer-like keys to the front, unlike jq. With other keys both keep the same order, so any
 * remaining difference has another cause.
 */
export function withLetterKeys({ program, inputs }: ProgramSample): ProgramSample {
  const makers = /\b(?:tostring|INDEX)\b/.test(program) ? letterHelpers : "";
  return {
    program: makers + program.replace(/"(?=\d|\\\()/g, '"k'),
    inputs: inputs.map((input) => JSON.stringify(renameInValue(JSON.parse(input)))),
  };
}

const letterHelpers = [
  'def tostring: if type == "string" then . else "k" + tojson end;',
  "def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);",
  "def INDEX(f): INDEX(.[]; f);",
  "",
].join("\n");

function renameInValue(value: Json): Json {
  if (typeof value === "string") return renameString(value);
  if (Array.isArray(value)) return value.map(renameInValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [renameString(name), renameInValue(member)]));
}

const renameString = (text: string): string => (/^\d/.test(text) ? `k${text}` : text);
