import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { Read, Resource } from "../program.ts";
import type { Source } from "../text/source.ts";
import { reasonOf } from "./output/system-errors.ts";

/** Files longer than this many bytes are not read. */
const usualMaximum = 4 * 1024 * 1024;

/**
 * Reads the files that definitions refer to, each once. Only YAML, JSON and .proto files in the current folder or beside the definitions and
 * the configuration (and in the folders there): a definition from elsewhere must not make its reader show what else is on the disk. Nothing is fetched from the network: of a remote URI
 * nothing is known.
 */
export function resourcesFor(sources: readonly Source[], cwd: string, maximum = usualMaximum): Read {
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
    const reason = reasonOf(error);
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
