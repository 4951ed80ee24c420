import type { Json } from "../../json.ts";
import { type DateFields, monthNames, normalFields, weekdayNames } from "./dates.ts";
import { raise } from "./failure.ts";
import { byteCount } from "./json-text.ts";

/** `strftime(format)` in the locale `C`. */
export function strftime(input: Json, format: Json): string {
  return formattedDate(input, format, "strftime");
}

/** `strflocaltime(format)`: workflows run in UTC. */
export function strflocaltime(input: Json, format: Json): string {
  return formattedDate(input, format, "strflocaltime");
}

/** `todate`, `todateiso8601`, without fractions of a second. */
export function todate(input: Json): string {
  return formattedDate(input, "%Y-%m-%dT%H:%M:%SZ", "strftime");
}

function formattedDate(input: Json, format: Json, name: string): string {
  if (typeof format !== "string" && (typeof input === "number" || Array.isArray(input)))
    return raise(`${name}/1 requires a string format`);
  const fields = normalFields(input, name);
  const pattern = (format as string).split("\0")[0]!;
  const fault = `${name}/1: unknown system failure`;
  const text = pattern.replace(/%([-_0]?)[EO]?(.?)/gs, (whole, pad: string, letter: string) => {
    if (whole === "%") return whole;
    const field = dateField(letter, fields, pad);
    return field === undefined ? raise(fault) : field;
  });
  return pattern !== "" && (text === "" || byteCount(text) >= byteCount(pattern) + 100) ? raise(fault) : text;
}

function dateField(letter: string, fields: DateFields, pad: string): string | undefined {
  const names = namedField(letter, fields);
  if (names !== undefined) return names;
  const composed = composedFormat(letter);
  if (composed !== undefined) return composed.replace(/%(.)/g, (_, inner: string) => dateField(inner, fields, "")!);
  if (letter === "Y" && fields.year >= 10000) return `+${fields.year}`;
  const number = numericField(letter, fields) || weekField(letter, fields);
  return number && paddedNumber(number[0], number[1], pad || (letter === "e" ? "_" : "0"));
}

function namedField(letter: string, fields: DateFields): string | undefined {
  switch (letter) {
    case "a":
      return weekdayNames[fields.weekday]!.slice(0, 3);
    case "A":
      return weekdayNames[fields.weekday];
    case "b":
    case "h":
      return monthNames[fields.month]!.slice(0, 3);
    case "B":
      return monthNames[fields.month];
    case "p":
      return fields.hour < 12 ? "AM" : "PM";
    case "z":
      return "+0000";
    default:
      return undefined;
  }
}

/** The expansion of a composite specifier. */
export function composedFormat(letter: string): string | undefined {
  switch (letter) {
    case "c":
      return "%a %b %e %H:%M:%S %Y";
    case "D":
    case "x":
      return "%m/%d/%y";
    case "F":
      return "%Y-%m-%d";
    case "R":
      return "%H:%M";
    case "r":
      return "%I:%M:%S %p";
    case "T":
    case "X":
      return "%H:%M:%S";
    case "n":
      return "\n";
    case "t":
      return "\t";
    case "%":
      return "%";
    default:
      return undefined;
  }
}

function numericField(letter: string, fields: DateFields): readonly [number, number] | undefined {
  switch (letter) {
    case "C":
      return [Math.trunc(fields.year / 100), 2];
    case "d":
    case "e":
      return [fields.day, 2];
    case "H":
      return [fields.hour, 2];
    case "I":
      return [fields.hour % 12 || 12, 2];
    case "j":
      return [fields.yearday + 1, 3];
    case "m":
      return [fields.month + 1, 2];
    case "M":
      return [fields.minute, 2];
    case "S":
      return [fields.second, 2];
    case "y":
      return [Math.abs(fields.year % 100), 2];
    case "Y":
      return [fields.year, 4];
    default:
      return undefined;
  }
}

function weekField(letter: string, fields: DateFields): readonly [number, number] | undefined {
  switch (letter) {
    case "s":
      return [secondsOfFields(fields), 1];
    case "u":
      return [fields.weekday || 7, 1];
    case "w":
      return [fields.weekday, 1];
    case "U":
      return [Math.floor((fields.yearday + 7 - fields.weekday) / 7), 2];
    case "W":
      return [Math.floor((fields.yearday + 7 - ((fields.weekday + 6) % 7)) / 7), 2];
    case "V":
      return [weekOfYear(fields)[1], 2];
    case "G":
      return [weekOfYear(fields)[0], 4];
    case "g":
      return [weekOfYear(fields)[0] % 100, 2];
    default:
      return undefined;
  }
}

function secondsOfFields(fields: DateFields): number {
  const date = new Date(0);
  date.setUTCFullYear(fields.year, fields.month, fields.day);
  return date.getTime() / 1000 + fields.hour * 3600 + fields.minute * 60 + fields.second;
}

/** The ISO 8601 year and week: those of the week's Thursday. */
function weekOfYear(fields: DateFields): readonly [number, number] {
  const thursday = new Date(0);
  thursday.setUTCFullYear(fields.year, fields.month, fields.day + 3 - ((fields.weekday + 6) % 7));
  const start = new Date(0);
  start.setUTCFullYear(thursday.getUTCFullYear(), 0, 1);
  return [thursday.getUTCFullYear(), Math.floor((thursday.getTime() - start.getTime()) / 604800000) + 1];
}

function paddedNumber(value: number, width: number, pad: string): string {
  const digits = String(Math.abs(value));
  const sign = value < 0 ? "-" : "";
  if (pad === "-") return sign + digits;
  return pad === "_" ? (sign + digits).padStart(width) : sign + digits.padStart(width - sign.length, "0");
}
