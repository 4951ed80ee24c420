import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describeErrno } from "../errno.ts";
import { copySource, type Source, type Span } from "../text/source.ts";
import type { Resource, ResourceReader } from "../text/uris.ts";
import { commandFailure, type Terminal } from "./terminal.ts";

/** Larger files are truncated, and then rejected by the compiler. */
const defaultMaxBytes = 4 * 1024 * 1024;

/** Reads a file, or standard input for `-`; throws if it fails. */
export async function readSource(
  path: string,
  terminal: Pick<Terminal, "stdin" | "cwd">,
  maximum?: number,
): Promise<Source> {
  const read = await tryReadSource(path, terminal, maximum);
  if ("text" in read) return read;
  throw commandFailure(`Cannot read \`${path === "-" ? "<stdin>" : path}\`: ${read.reason}.`);
}

/** Why a file cannot be read, and at which position if its content is invalid. */
export interface ReadFailure {
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly at?: Span | undefined;
}

/**
 * Reads a file, or standard input for `-`. Reads at most one byte beyond the limit, so that endless devices do not
 * block.
 */
export async function tryReadSource(
  path: string,
  terminal: Pick<Terminal, "stdin" | "cwd" | "unsaved">,
  maximum = defaultMaxBytes,
): Promise<Source | ReadFailure> {
  const unsaved = path === "-" ? undefined : terminal.unsaved?.(resolve(terminal.cwd, path));
  if (unsaved) return unsaved;
  try {
    const bytes =
      path === "-"
        ? await readStream(terminal.stdin, maximum)
        : await readFileBytes(resolve(terminal.cwd, path), maximum);
    const source = copySource({ path: path === "-" ? "<stdin>" : path, text: bytes.toString("utf8") });
    return checkEncoding(bytes, source, bytes.length <= maximum) ?? source;
  } catch (error) {
    const reason = describeErrno(error);
    if (reason === undefined) throw error;
    return { reason };
  }
}

/** Opens without blocking: a pipe without a writer is empty. */
async function readFileBytes(place: string, maximum: number): Promise<Buffer> {
  const file = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    return await readUpTo(file, maximum + 1);
  } finally {
    closeSync(file);
  }
}

async function readUpTo(file: number, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(64 * 1024, limit - length));
    const count = tryRead(file, chunk);
    if (count === 0) break;
    if (count === undefined) await setTimeout(5);
    else chunks.push(chunk.subarray(0, count));
    length += count ?? 0;
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Returns undefined if a pipe has no data yet. */
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

/** A truncated file may end within a character. */
function checkEncoding(bytes: Buffer, source: Source, isComplete: boolean): ReadFailure | undefined {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    return { reason: "it is UTF-16, not UTF-8", hint: utf8Hint };
  if (bytes.includes(0)) return { reason: "it contains zero bytes, so it is not UTF-8 text", hint: utf8Hint };
  return isComplete && !isUtf8(bytes) ? findInvalidByte(bytes, source) : undefined;
}

const utf8Hint = "Save it as UTF-8.";

/** The first U+FFFD of the decoded string that is not in the file. */
function findInvalidByte(bytes: Buffer, source: Source): ReadFailure {
  const replacement = Buffer.from("\uFFFD");
  let [at, offset] = [-1, 0];
  do {
    const start = at + 1;
    at = source.text.indexOf("\uFFFD", start);
    offset += Buffer.byteLength(source.text.slice(start, at)) + (start > 0 ? replacement.length : 0);
  } while (replacement.equals(bytes.subarray(offset, offset + replacement.length)));
  const byte = bytes[offset]!.toString(16).toUpperCase().padStart(2, "0");
  const span = { source, start: at, end: at + 1 };
  return { reason: `the byte ${byte} is not valid UTF-8`, hint: utf8Hint, at: span };
}

/**
 * Reads referenced YAML, JSON, .proto and template files, each once. Only files in the current folder and in folders of
 * definitions are readable, so that untrusted definitions cannot reveal others.
 */
export function createResourceReader(
  sources: readonly Source[],
  cwd: string,
  maximum = defaultMaxBytes,
): ResourceReader {
  const known = new Map<string, Resource>();
  const folders = [cwd, ...sources.map(({ path }) => dirname(resolve(cwd, path)))];
  return (path) => {
    if (/^[a-z][a-z\d+.-]+:/i.test(path)) return undefined;
    const found = known.get(path) ?? readResource(path, folders, resolve(cwd, path), maximum);
    known.set(path, found);
    return found;
  };
}

/** Whether definitions may refer to a file, by its extension. */
export const isReadable = (path: string): boolean => /\.(?:json|ya?ml|proto|asl|tpl|tftpl)$/i.test(path);

/** Why other files are not read. */
export const unreadableExtension = "its extension is not .json, .yaml, .yml, .proto, .asl, .tpl or .tftpl";

function readResource(path: string, folders: readonly string[], place: string, maximum: number): Resource {
  if (!isReadable(path)) return { path, reason: unreadableExtension };
  try {
    const real = realpathSync(place);
    if (!folders.some((folder) => isIn(real, realpathSync(folder))))
      return { path, reason: "it is neither in the current folder nor in that of the definition" };
    return readText(path, real, maximum);
  } catch (error) {
    const reason = describeErrno(error);
    if (reason === undefined) throw error;
    return { path, reason };
  }
}

const isIn = (place: string, folder: string): boolean => place.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Opens without blocking, to reject pipes. */
function readText(path: string, place: string, maximum: number): Resource {
  const file = openSync(place, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return { path, reason: "it is not a file" };
    if (stats.size > maximum) return { path, reason: `it is larger than ${maximum} bytes` };
    const bytes = Buffer.alloc(stats.size);
    const text = bytes.subarray(0, readSync(file, bytes, 0, stats.size, 0));
    return isUtf8(text) ? { path, text: text.toString("utf8") } : { path, reason: "it is not UTF-8 text" };
  } finally {
    closeSync(file);
  }
}
