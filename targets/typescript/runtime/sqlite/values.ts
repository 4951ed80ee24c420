import { correlationText } from "../../../../src/events/rules.ts";
import { errorOf, functionFailure, type WorkflowError } from "../errors.ts";
import type { Json } from "../json.ts";

/** The recorded form of a value; null for undefined. */
export const textOf = (value: unknown): string | null => JSON.stringify(value) ?? null;

/** Returns a string that fits into the store. Throws if it is too long. */
export function storable<T extends string | null>(text: T, longest: number): T {
  if (text === null || text.length * 3 <= longest) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes > longest) throw new RangeError(`it has ${bytes} bytes, and the store takes ${longest} at most`);
  return text;
}

/** Parses a recorded value. */
export const valueIn = (text: string | null): unknown => (text === null ? undefined : JSON.parse(text));

/** Converts a thrown value to a failure that can be recorded. */
export const failureFrom = (thrown: unknown): WorkflowError => functionFailure(thrown);

/** The recorded form of a failure. */
export const failureText = ({ origin, name, message, data, fatal }: WorkflowError): string =>
  JSON.stringify({ origin, name, message, data, fatal: fatal || undefined });

/** Parses a recorded failure. */
export const failureIn = (text: string | null): WorkflowError =>
  errorOf(text === null ? null : (JSON.parse(text) as Json));

/** The string by which a correlation value is compared; empty without a value. */
export const tokenKey = (token: Json | undefined): string => correlationText(token) ?? "";

/** Parses a recorded correlation value. */
export const tokenIn = (text: string | null): Json | undefined => (text ? (JSON.parse(text) as Json) : undefined);

/** A number between 0 and 1 that depends only on a string. */
export function chanceOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}
