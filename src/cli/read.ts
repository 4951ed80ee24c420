import { isUtf8 } from "node:buffer";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Source } from "../text/source.ts";
import { reasonOf } from "./output/system-errors.ts";
import { failure, type Terminal } from "./terminal.ts";

/** Texts longer than this many bytes are not read to their end; compiling refuses them. */
const usualMaximum = 4 * 1024 * 1024;

/** Reads a file, or standard input for `-`; a text that cannot be read ends the command. */
export async function readSource(
  path: string,
  terminal: Pick<Terminal, "stdin" | "cwd">,
  maximum?: number,
): Promise<Source> {
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
    const bytes =
      path === "-" ? await readStream(terminal.stdin, maximum) : await readFile(resolve(terminal.cwd, path), maximum);
    const reason = noText(bytes, bytes.length <= maximum);
    return reason === undefined ? { path: path === "-" ? "<stdin>" : path, text: bytes.toString("utf8") } : { reason };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

/** Opens without waiting for someone to write: a pipe that nobody writes to is empty. */
async function readFile(place: string, maximum: number): Promise<Buffer> {
  const file = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return await readUpTo(file, maximum + 1);
  } finally {
    closeSync(file);
  }
}

async function readUpTo(file: number, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, most - length));
    const count = tryRead(file, chunk);
    if (count === 0) break;
    if (count === undefined) await setTimeout(5);
    else chunks.push(chunk.subarray(0, count));
    length += count ?? 0;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** How many bytes were read; undefined where a pipe will have more later. */
function tryRead(file: number, chunk: Buffer): number | undefined {
  try {
    return readSync(file, chunk, 0, chunk.length, null);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return undefined;
    throw error;
  }
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

/** Why bytes are not the text of a definition, if they are not. Where only a part was read, its end may be half a character. */
function noText(bytes: Buffer, isComplete: boolean): string | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return "it is text in UTF-16, and has to be in UTF-8";
  if (bytes.includes(0)) return "it has zero bytes, so it is not text in UTF-8";
  return isComplete && !isUtf8(bytes) ? "it is not text in UTF-8" : undefined;
}
