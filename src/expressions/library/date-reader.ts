import type { Json } from "../../json.ts";
import { composedFormat } from "./date-text.ts";
import { mktime, monthNames, weekdayNames } from "./dates.ts";
import { raise } from "./failure.ts";

/**
 * `strptime(format)`: the fields of a date; text after it becomes the last element.
 *
 * Rejects formats on which C libraries disagree, and those without year, month and day.
 */
export function strptime(input: Json, format: Json): Json[] {
  if (typeof input !== "string" || typeof format !== "string")
    return raise("strptime/1 requires string inputs and arguments");
  const text = input.split("\0")[0]!;
  const pattern = format.split("\0")[0]!;
  const letters: string[] = [];
  const source = datePattern(pattern, letters);
  const match = new RegExp(`^(?:${source})(?![^\\t-\\r ])`).exec(text);
  const fault = strptimeError(letters);
  if (fault !== undefined && (match || /not supported/.test(fault))) return raise(`strptime/1: ${fault}`);
  if (!match) return raise(`date "${text}" does not match format "${pattern}"`);
  const fields = readFields(letters, match.slice(1));
  return match[0].length < text.length ? fields.concat([text.slice(match[0].length)]) : fields;
}

/** `fromdate`, `fromdateiso8601`: seconds since 1970. */
export function fromdate(input: Json): number {
  return mktime(strptime(input, "%Y-%m-%dT%H:%M:%SZ"));
}

/** Why `strptime` does not support a format, without a period; undefined if it does. */
export function dateFormatError(format: string): string | undefined {
  const letters: string[] = [];
  datePattern(format.split("\0")[0]!, letters);
  return strptimeError(letters);
}

function strptimeError(letters: readonly string[]): string | undefined {
  const unknown = letters.find((letter) => fieldPattern(letter) === undefined);
  if (unknown !== undefined) return `%${unknown} is not supported`;
  if (letters.some((letter, i) => letters.indexOf(letter) !== i)) return "a field is there twice";
  const has = (wanted: string) => letters.some((letter) => wanted.includes(letter));
  if (!has("Yy") || !has("mb") || !has("d")) return "the format does not give year, month and day";
  if ((has("Y") && has("y")) || (has("m") && has("b")) || (has("H") && has("I"))) return "a field is there twice";
  return has("I") === has("p") ? undefined : "%I and %p need each other";
}

/** Appends the fields' letters to `letters`. */
function datePattern(format: string, letters: string[]): string {
  return format.replace(/%(.?)|[\t-\r ]+|./gs, (piece, letter: string | undefined) => {
    if (letter === undefined)
      return /[\t-\r ]/.test(piece) ? "[\\t-\\r ]*" : piece.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
    const composed = composedFormat(letter);
    if (composed !== undefined) return letter === "%" ? "%" : datePattern(composed, letters);
    const field = { A: "a", B: "b", h: "b", e: "d" }[letter] || letter;
    letters.push(field);
    return `(${fieldPattern(field)})`;
  });
}

function fieldPattern(letter: string): string | undefined {
  if (letter === "a") return namePattern(weekdayNames);
  if (letter === "b") return namePattern(monthNames);
  return numberPattern(letter);
}

function numberPattern(letter: string): string | undefined {
  switch (letter) {
    case "d":
      return "0[1-9]|[12]\\d|3[01]|[1-9](?!\\d)";
    case "H":
      return "[01]\\d|2[0-3]|\\d(?!\\d)";
    case "I":
    case "m":
      return "0[1-9]|1[0-2]|[1-9](?!\\d)";
    case "M":
      return "[0-5]\\d|\\d(?!\\d)";
    case "p":
      return "[AaPp][Mm]";
    case "S":
      return "[0-5]\\d|60|\\d(?!\\d)";
    case "y":
      return "\\d\\d";
    case "Y":
      return "\\d{4}";
    case "z":
      return "Z|[+-]\\d\\d(?::?\\d\\d)?";
    case "Z":
      return "Z";
    default:
      return undefined;
  }
}

function namePattern(names: readonly string[]): string {
  const anyCase = (text: string) =>
    text.replace(/[A-Za-z]/g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
  return names
    .map((name) => (name.length > 3 ? `${anyCase(name.slice(0, 3))}(?:${anyCase(name.slice(3))})?` : anyCase(name)))
    .join("|");
}

function readFields(letters: readonly string[], texts: readonly string[]): Json[] {
  const textOf = (letter: string) => texts[letters.indexOf(letter)];
  const numberOf = (letter: string) => Number(textOf(letter) || 0);
  const short = numberOf("y");
  const year = textOf("Y") === undefined ? short + (short < 69 ? 2000 : 1900) : numberOf("Y");
  const month = textOf("m") === undefined ? indexOfName(monthNames, textOf("b")!) : numberOf("m") - 1;
  const afternoon = /^p/i.test(textOf("p") || "") ? 12 : 0;
  const hour = textOf("I") === undefined ? numberOf("H") : (numberOf("I") % 12) + afternoon;
  const day = numberOf("d");
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  const weekday = textOf("a") === undefined ? date.getUTCDay() : indexOfName(weekdayNames, textOf("a")!);
  return [year, month, day, hour, numberOf("M"), numberOf("S"), weekday, dayOfYear(year, month, day)];
}

function indexOfName(names: readonly string[], text: string): number {
  return names.findIndex((name) => name.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase());
}

/** From 0; the day may exceed its month. */
function dayOfYear(year: number, month: number, day: number): number {
  const start = new Date(0);
  start.setUTCFullYear(year, 0, 1);
  const date = new Date(0);
  date.setUTCFullYear(year, month, 1);
  return (date.getTime() - start.getTime()) / 86400000 + day - 1;
}
