import type { Json } from "../../json.ts";
import { base64Decoded, base64Encoded, uriDecoded, uriEncoded } from "./encodings.ts";
import { raise, raiseOne } from "./failure.ts";
import { toJson, toText } from "./json-text.ts";
import { isList, isNotNumber } from "./types.ts";

/** `tonumber`. */
export function toNumber(input: Json): number {
  const value = numberIf(input);
  return value === undefined ? raiseOne(input, "cannot be parsed as a number") : value;
}

/** `tonumber` of a value that may be missing; undefined where that fails. */
export function numberIf(input: Json | undefined): number | undefined {
  if (typeof input === "number") return input;
  return typeof input === "string" ? readNumber(input) : undefined;
}

/** Parses a number as jq does; undefined if invalid. */
export function readNumber(text: string): number | undefined {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return Number(text);
  if (/^[+-]?inf(?:inity)?$/i.test(text)) return text.charAt(0) === "-" ? -Infinity : Infinity;
  return /^[+-]?s?nan$/i.test(text) ? NaN : undefined;
}

/** `toboolean`. */
export function toBoolean(input: Json): boolean {
  if (typeof input === "boolean") return input;
  return input === "true" || (input !== "false" && raiseOne(input, "cannot be parsed as a boolean"));
}

/** `format(name)`. */
export function format(input: Json, name: Json): string {
  switch (name) {
    case "json":
      return toJson(input);
    case "text":
      return toText(input);
    case "csv":
      return csvRow(input);
    case "tsv":
      return tsvRow(input);
    case "html":
      return htmlText(input);
    case "uri":
      return uriEncoded(input);
    case "urid":
      return uriDecoded(input);
    case "sh":
      return shellWords(input);
    case "base64":
      return base64Encoded(input);
    case "base64d":
      return base64Decoded(input);
    default:
      return typeof name === "string"
        ? raise(`${name} is not a valid format`)
        : raiseOne(name, "is not a valid format");
  }
}

/** `@csv`; strings are quoted, null is empty. */
export function csvRow(input: Json): string {
  if (!isList(input)) return raiseOne(input, "cannot be csv-formatted, only array");
  return input
    .map((cell) => formatCell(cell, (text) => `"${text.replace(/"/g, '""').replace(/\0/g, "\\0")}"`))
    .join(",");
}

/** `@tsv`; null is empty. */
export function tsvRow(input: Json): string {
  if (!isList(input)) return raiseOne(input, "cannot be tsv-formatted, only array");
  const escapes: { readonly [character: string]: string } = {
    "\t": "\\t",
    "\r": "\\r",
    "\n": "\\n",
    "\\": "\\\\",
    "\0": "\\0",
  };
  return input
    .map((cell) => formatCell(cell, (text) => text.replace(/[\t\r\n\\\0]/g, (character) => escapes[character]!)))
    .join("\t");
}

function formatCell(cell: Json, escaped: (text: string) => string): string {
  if (typeof cell === "string") return escaped(cell);
  if (cell === null || isNotNumber(cell)) return "";
  return typeof cell === "object" ? raiseOne(cell, "is not valid in a csv row") : toJson(cell);
}

/** `@html`. */
export function htmlText(input: Json): string {
  const escapes: { readonly [character: string]: string } = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "\0": "\\0",
  };
  return toText(input).replace(/[&<>'"\0]/g, (character) => escapes[character]!);
}

/** `@sh`; several words for an array. */
export function shellWords(input: Json): string {
  return (isList(input) ? input : [input]).map(shellWord).join(" ");
}

function shellWord(value: Json): string {
  if (typeof value === "string") return `'${value.replace(/'/g, "'\\''").replace(/\0/g, "\\0")}'`;
  return typeof value === "object" && value !== null ? raiseOne(value, "can not be escaped for shell") : toJson(value);
}
