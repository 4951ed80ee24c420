import type { IncomingMessage } from "node:http";
import type { Json } from "../json.ts";
import { JsonViolation, parseStrictJson } from "../strict-json.ts";
import { Refusal } from "./refusal.ts";

/** Reads the body of a request as a string. Refuses bodies that are too long, before reading if their length is known, or not UTF-8. */
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

/** Decodes bytes. Refuses other encodings than UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, "Not UTF-8", "The body is not UTF-8.");
  }
}

/** Parses a body as JSON. Refuses what `parseStrictJson` rejects. */
export function parse(text: string): Json {
  try {
    return parseStrictJson(text);
  } catch (thrown) {
    if (!(thrown instanceof JsonViolation)) throw thrown;
    throw new Refusal(400, thrown.title, `The body ${thrown.message}.`);
  }
}

/** Refuses bodies whose content type is not JSON: pages of other sites cannot send that type without permission. */
export function requireJson(request: IncomingMessage): void {
  const type = mediaType(request);
  if (type === "application/json" || /^application\/[\w.+-]+\+json$/.test(type)) return;
  throw new Refusal(415, "Not JSON", "The body has to have the content type application/json.");
}

/** The content type without its parameters, in lower case. */
export const mediaType = (request: IncomingMessage): string =>
  (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase();
