import type { IncomingMessage } from "node:http";
import type { Json } from "../json.ts";
import { Refusal } from "./refusal.ts";

/** How deep lists and objects may stand in each other. */
const deepest = 500;

/** The body of a request, as text. Refuses what is longer than allowed, before it is read where the length is told, and what is no UTF-8. */
export async function readText(request: IncomingMessage, maximumBytes: number): Promise<string> {
  return decode(await readBytes(request, maximumBytes));
}

/** The body of a request, as bytes. */
export async function readBytes(request: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  const tooLarge = new Refusal(413, "Too large", `The body is longer than ${maximumBytes} bytes.`);
  if (Number(request.headers["content-length"] ?? 0) > maximumBytes) throw tooLarge;
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new Refusal(415, "Encoded body", "The body has to be sent without a content encoding.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maximumBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Bytes as text. Refuses what is no UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, "Not UTF-8", "The body is not UTF-8.");
  }
}

/** A text as JSON. Refuses what is none, and what is too deep. */
export function parse(text: string): Json {
  if (depthOf(text) > deepest)
    throw new Refusal(400, "Too deep", `Lists and objects stand more than ${deepest} deep in each other.`);
  try {
    const value = JSON.parse(text) as Json;
    if (hasInfinity(value))
      throw new Refusal(400, "Too large a number", "The body contains a number that is larger than any double.");
    return value;
  } catch (reason) {
    if (reason instanceof Refusal) throw reason;
    throw new Refusal(400, "Not JSON", `The body is not JSON${placeIn(reason)}.`);
  }
}

/** The place that the parser tells, without the piece of the text that it quotes. */
function placeIn(reason: unknown): string {
  const place = reason instanceof Error ? /\(line (\d+) column (\d+)\)/.exec(reason.message) : null;
  return place ? `: see line ${place[1]}, column ${place[2]}` : "";
}

/** Whether a value contains a number like 1e400, which JSON cannot carry on. */
function hasInfinity(value: Json | undefined): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some((part) => hasInfinity(part));
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];

/** How deep brackets stand in each other, strings aside. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString && code === backslash) i += 1;
    else if (code === quote) inString = !inString;
    else if (inString) continue;
    else if (code === bracket || code === brace) most = Math.max(most, ++depth);
    else if (code === bracket + 2 || code === brace + 2) depth -= 1;
  }
  return most;
}

/** Refuses a body that does not say it is JSON: what says so cannot be sent by a page of another site without being asked for. */
export function requireJson(request: IncomingMessage): void {
  const type = mediaType(request);
  if (type === "application/json" || /^application\/[\w.+-]+\+json$/.test(type)) return;
  throw new Refusal(415, "Not JSON", "The body has to have the content type application/json.");
}

/** The content type without its parameters, in lower case. */
export const mediaType = (request: IncomingMessage): string =>
  (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
