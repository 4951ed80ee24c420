import type { Json } from "../../json.ts";
import { raiseOne } from "./failure.ts";
import { toText } from "./json-text.ts";

/** The UTF-8 bytes of a string. */
export function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return bytes;
}

/** Decodes UTF-8; -1 marks an invalid sequence. */
export function utf8CodePoints(bytes: readonly number[]): number[] {
  const points: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i]!;
    const size = first < 0x80 || first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let next = i + 1;
    while (next < i + size && next < bytes.length && (bytes[next]! & 0xc0) === 0x80) next++;
    points.push(next < i + size ? -1 : codePointOf(bytes, i, size));
    i = i + size > bytes.length ? bytes.length : next;
  }
  return points;
}

function codePointOf(bytes: readonly number[], start: number, size: number): number {
  const first = bytes[start]!;
  if (size === 1) return first < 0x80 ? first : -1;
  let point = first & (0x7f >> size);
  for (let i = 1; i < size; i++) point = point * 64 + (bytes[start + i]! & 63);
  const least = size === 2 ? 0x80 : size === 3 ? 0x800 : 0x10000;
  return point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff) ? -1 : point;
}

/** The string of code points; -1 is U+FFFD. */
export function stringFromCodePoints(points: readonly number[]): string {
  return points.map((point) => String.fromCodePoint(point < 0 ? 0xfffd : point)).join("");
}

/** `@uri`; keeps letters, digits and `-_.~`; lone surrogates become U+FFFD. */
export function uriEncoded(input: Json): string {
  return encodeURIComponent(toText(input).replace(/\p{Surrogate}/gu, "\ufffd")).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** `@urid`. */
export function uriDecoded(input: Json): string {
  const text = toText(input);
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return raiseOne(text, "is not a valid uri encoding");
  const bytes: number[] = [];
  for (const piece of text.split(/(%..)/)) {
    if (piece.charAt(0) === "%") bytes.push(parseInt(piece.slice(1), 16));
    else for (const byte of utf8Bytes(piece)) bytes.push(byte);
  }
  const points = utf8CodePoints(bytes);
  return points.includes(-1) ? raiseOne(text, "is not a valid uri encoding") : stringFromCodePoints(points);
}

/** The Base64 alphabet. */
export const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** `@base64`. */
export function base64Encoded(input: Json): string {
  const bytes = utf8Bytes(toText(input));
  let result = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const code = bytes[i]! * 65536 + (bytes[i + 1] || 0) * 256 + (bytes[i + 2] || 0);
    const digits = [18, 12, 6, 0].map((shift) => base64Digits.charAt((code >> shift) & 63)).join("");
    result += digits.slice(0, bytes.length - i + 1).padEnd(4, "=");
  }
  return result;
}

/** `@base64d`, up to the first `=`; invalid UTF-8 becomes U+FFFD. */
export function base64Decoded(input: Json): string {
  const text = toText(input);
  const digits = text.split("=")[0]!;
  if (/[^A-Za-z0-9+/]/.test(digits)) return raiseOne(text, "is not valid base64 data");
  if (digits.length % 4 === 1) return raiseOne(text, "trailing base64 byte found");
  const bytes: number[] = [];
  for (let i = 0, code = 0; i < digits.length; i++) {
    code = ((code << 6) | base64Digits.indexOf(digits.charAt(i))) & 0xffff;
    if (i % 4 > 0) bytes.push((code >> (6 - 2 * (i % 4))) & 255);
  }
  return stringFromCodePoints(utf8CodePoints(bytes));
}
