import { isObject, type Json } from "../../../../src/json.ts";
import type { Sample } from "./samples.ts";

/**
 * Prefixes integer-like strings and keys of a program and its inputs with a letter, including results of `tostring` and
 * `INDEX`.
 *
 * JavaScript moves integer-like keys to the front, unlike jq. With other keys both keep the same order, so any
 * remaining difference has another cause.
 */
export function worded({ program, inputs }: Sample): Sample {
  const makers = /\b(?:tostring|INDEX)\b/.test(program) ? wordMakers : "";
  return {
    program: makers + program.replace(/"(?=\d|\\\()/g, '"k'),
    inputs: inputs.map((input) => JSON.stringify(wordedValue(JSON.parse(input)))),
  };
}

const wordMakers = [
  'def tostring: if type == "string" then . else "k" + tojson end;',
  "def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);",
  "def INDEX(f): INDEX(.[]; f);",
  "",
].join("\n");

function wordedValue(value: Json): Json {
  if (typeof value === "string") return wordedText(value);
  if (Array.isArray(value)) return value.map(wordedValue);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [wordedText(name), wordedValue(member)]));
}

const wordedText = (text: string): string => (/^\d/.test(text) ? `k${text}` : text);
