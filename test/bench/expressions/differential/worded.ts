import { isObject, type Json } from "../../../../src/json.ts";
import type { Sample } from "./samples.ts";

/**
 * The same program and inputs in which texts and names like `1` begin with a letter, those too that `tostring` and `INDEX` make of numbers.
 *
 * JavaScript puts members with names like `1` first, jq where they were added, which shows in lists of members, in sums of them and in texts. With other
 * names both have the same order: what still differs then is no matter of such names.
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
