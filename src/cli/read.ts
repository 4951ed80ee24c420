import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describeErrno } from "../errno.ts";
import type { Resource, ResourceReader } from "../text/resources.ts";
import type { Source, Span } from "../text/source.ts";
import { failure, type Terminal } from "./terminal.ts";

/** Texts longer than this many bytes are not read to their end, and compiling refuses them; what they refer to is not read at all then. */
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

/** Why a file cannot be read; `at`: the place in its text, as far as it is one. */
export interface Refusal {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly at?: Span | undefined;
}

/**
 * Reads a file, or standard input for `-`, or tells why that is not possible. Of a text above the limit only as much is read as shows
 * that it is: a device that never ends stops nobody.
 */
export async function tryReading(
  path: string,
  terminal: Pick<Terminal, "stdin" | "cwd">,
  maximum = usualMaximum,
): Promise<Source | Refusal> {
  try {
    const bytes =
      path === "-" ? await readStream(terminal.stdin, maximum) : await readFile(resolve(terminal.cwd, path), maximum);
    const source = { path: path === "-" ? "<stdin>" : path, text: bytes.toString("utf8") };
    return noText(bytes, source, bytes.length <= maximum) ?? source;
  } catch (error) {
    const reason = describeErrno(error);
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
function noText(bytes: Buffer, source: Source, isComplete: boolean): Refusal | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { reason: "it is text in UTF-16, and has to be in UTF-8", hint: savedAsUtf8 };
  if (bytes.includes(0)) return { reason: "it has zero bytes, so it is not text in UTF-8", hint: savedAsUtf8 };
  return isComplete && !isUtf8(bytes) ? strayByte(bytes, source) : undefined;
}

const savedAsUtf8 = "Save it as UTF-8.";

/** The first byte that is no text in UTF-8: decoding writes U+FFFD for it, which stands in a text for itself too. */
function strayByte(bytes: Buffer, source: Source): Refusal {
  const replacement = Buffer.from("\uFFFD");
  let [at, offset] = [-1, 0];
  do {
    const start = at + 1;
    at = source.text.indexOf("\uFFFD", start);
    offset += Buffer.byteLength(source.text.slice(start, at)) + (start > 0 ? replacement.length : 0);
  } while (replacement.equals(bytes.subarray(offset, offset + replacement.length)));
  const byte = bytes[offset]!.toString(16).toUpperCase().padStart(2, "0");
  const place = { source, start: at, end: at + 1 };
  return { reason: `the byte ${byte} here is not text in UTF-8`, hint: savedAsUtf8, at: place };
}

/**
 * Reads the files that definitions refer to, each once. Only YAML, JSON and .proto files in the current folder or beside the definitions and
 * the configuration (and in the folders there): a definition from elsewhere must not make its reader show what else is on the disk. Nothing is fetched from the network: of a remote URI
 * nothing is known.
 */
export function resourcesFor(sources: readonly Source[], cwd: string, maximum = usualMaximum): ResourceReader {
  const known = new Map<string, Resource>();
  const folders = [cwd, ...sources.map(({ path }) => dirname(resolve(cwd, path)))];
  return (path) => {
    if (/^[a-z][a-z\d+.-]+:/i.test(path)) return undefined;
    const found = known.get(path) ?? readResource(path, folders, resolve(cwd, path), maximum);
    known.set(path, found);
    return found;
  };
}

function readResource(path: string, folders: readonly string[], place: string, maximum: number): Resource {
  if (!/\.(?:json|ya?ml|proto)$/i.test(path))
    return { path, reason: "its name does not end in .json, .yaml, .yml or .proto" };
  try {
    const real = realpathSync(place);
    if (!folders.some((folder) => isIn(real, realpathSync(folder))))
      return { path, reason: "it is neither in the current folder nor beside the definition" };
    return readText(path, real, maximum);
  } catch (error) {
    const reason = describeErrno(error);
    if (reason === undefined) throw error;
    return { path, reason };
  }
}

const isIn = (place: string, folder: string): boolean => place.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Opens without waiting for someone to write, so that a pipe is refused at once. */
function readText(path: string, place: string, maximum: number): Resource {
  const file = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { path, reason: "it is no file" };
    if (stats.size > maximum) return { path, reason: `it is longer than ${maximum} bytes` };
    const bytes = Buffer.alloc(stats.size);
    const text = bytes.subarray(0, readSync(file, bytes, 0, stats.size, 0));
    return isUtf8(text) ? { path, text: text.toString("utf8") } : { path, reason: "it is not text in UTF-8" };
  } finally {
    closeSync(file);
  }
}
