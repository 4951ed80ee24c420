import { clip } from "../text/clip.ts";
import { addFault, endOf, type JsonReader, spanIn, stop } from "./json-reader.ts";
import { numberFault } from "./numbers.ts";

/** Reads a string; the reader stands at its opening quote. */
export function readString(reader: JsonReader): string | undefined {
  const { text } = reader;
  const start = reader.at;
  let hasEscapes = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      reader.at = at + 1;
      return hasEscapes ? (JSON.parse(text.slice(start, at + 1)) as string) : text.slice(start + 1, at);
    }
    if (code < 32) return stopInString(reader, start, at, code);
    if (code !== 92) continue;
    const length = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at, at + 6))?.[0].length;
    if (!length) return stopAtEscape(reader, at);
    hasEscapes = true;
    at += length - 1;
  }
  return stop(reader, "This string has no closing quote.", { from: start });
}

function stopInString(reader: JsonReader, start: number, at: number, code: number): undefined {
  if (code === 10 || code === 13)
    return stop(reader, "This string has no closing quote on its line.", { from: start, to: at });
  const hint = code === 9 ? "Write a tab as `\\t`." : undefined;
  return stop(reader, "There is a control character in this string.", { from: at, hint });
}

function stopAtEscape(reader: JsonReader, at: number): undefined {
  const written = reader.text.slice(at, at + 2).trim();
  return stop(reader, `\`${written}\` is no escape in JSON.`, {
    from: at,
    to: at + 2,
    hint: "Write a backslash as `\\\\`.",
  });
}

const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/** Reads a number, `true`, `false` or `null`; anything else ends the reading. */
export function readPlain(reader: JsonReader): number | boolean | null | undefined {
  const start = reader.at;
  const written = wordAt(reader.text, start);
  if (written === "") return stopAtNoValue(reader);
  reader.at += written.length;
  if (written === "true") return true;
  if (written === "false") return false;
  if (written === "null") return null;
  if (numberForm.test(written)) return readNumber(reader, start, written);
  const what = /^[-+]?\.?\d/.test(written) ? "number" : "value";
  return stop(reader, `\`${clip(written)}\` is no ${what} in JSON.`, {
    from: start,
    to: reader.at,
    hint: remedy(written),
  });
}

function readNumber(reader: JsonReader, start: number, written: string): number {
  const value = Number(written);
  const fault = numberFault(spanIn(reader, start, reader.at), written, value);
  if (fault) addFault(reader, fault);
  return value;
}

/** The longest run of characters that may be part of a number or a word. */
export function wordAt(text: string, start: number): string {
  let at = start;
  while (at < text.length && /[-+.\w$]/.test(text[at]!)) at += 1;
  return text.slice(start, at);
}

function stopAtNoValue(reader: JsonReader): undefined {
  const next = reader.text[reader.at];
  if (next === undefined) return stop(reader, "The text ends where a value is expected.", endOf(reader));
  if (next === "'") return stop(reader, "Strings stand in double quotes in JSON.");
  if (next === "/" || next === "#") return stop(reader, "There are no comments in JSON.");
  return stop(reader, "A value is missing here.");
}

function remedy(written: string): string | undefined {
  switch (written.toLowerCase()) {
    case "true":
    case "false":
    case "null":
      return `Write \`${written.toLowerCase()}\`.`;
    case "none":
    case "nil":
    case "undefined":
      return "Write `null`.";
    default:
      return /^[-+]?\.?\d/.test(written) ? undefined : "Strings stand in double quotes.";
  }
}
