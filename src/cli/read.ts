import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "../output/system-errors.ts";
import type { Source } from "../source.ts";
import { failure, type Terminal } from "./terminal.ts";

/** Texts longer than this many bytes are not read to their end; compiling refuses them. */
const usualMaximum = 4 * 1024 * 1024;

/** Reads a file, or standard input for `-`; a text that cannot be read ends the command. */
export async function readSource(path: string, terminal: Pick<Terminal, "stdin" | "cwd">, maximum?: number): Promise<Source> {
  const read = await tryReading(path, terminal, maximum);
  if ("text" in read) return read;
  throw failure(`\`${path === "-" ? "<stdin>" : path}\` cannot be read: ${read.reason}.`);
}

/**
 * Reads a file, or standard input for `-`, or tells why that is not possible. Of a text above the limit only as much is read as shows
 * that it is: a device that never ends stops nobody.
 */
export async function tryReading(
  path: string,
  terminal: Pick<Terminal, "stdin" | "cwd">,
  maximum = usualMaximum,
): Promise<Source | { readonly reason: string }> {
  try {
    const bytes = path === "-" ? await readStream(terminal.stdin, maximum) : readFile(resolve(terminal.cwd, path), maximum);
    const text = decode(bytes, bytes.length <= maximum);
    return text === undefined ? { reason: "it is not text in UTF-8" } : { path: path === "-" ? "<stdin>" : path, text };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

function readFile(place: string, maximum: number): Buffer {
  const file = openSync(place, "r");
  try {
    return readUpTo(file, maximum + 1);
  } finally {
    closeSync(file);
  }
}

function readUpTo(file: number, most: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, most - length));
    const count = readSync(file, chunk, 0, chunk.length, null);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

async function readStream(stream: Terminal["stdin"], maximum: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    chunks.push(bytes);
    length += bytes.length;
    if (length > maximum) break;
  }
  return Buffer.concat(chunks);
}

/** The text of bytes; undefined when they are no UTF-8. Where only a part was read, its end may be half a character. */
function decode(bytes: Buffer, isComplete: boolean): string | undefined {
  return isComplete && !isUtf8(bytes) ? undefined : bytes.toString("utf8");
}
