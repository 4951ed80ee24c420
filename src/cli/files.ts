import { globSync, lstatSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "../output/system-errors.ts";
import { failure } from "./terminal.ts";

/** A file that arguments name. */
export interface FoundFile {
  /** As shown to people: as the user gave it, with what was found below it. `-` is standard input. */
  readonly path: string;
  /** Whether it was found in a folder that was named, where there may be files of all kinds. */
  readonly inFolder: boolean;
}

/**
 * The files that arguments name: files themselves, all YAML and JSON files in folders and the folders in them (by name; not in those
 * called `node_modules` or with a dot in front, nor through links), and what patterns such as `flows/*.yaml` match. Each file once.
 */
export function findFiles(paths: readonly string[], cwd: string): readonly FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const file of paths.flatMap((path) => filesOf(path, cwd))) {
    const place = file.path === "-" ? "-" : resolve(cwd, file.path);
    if (!found.has(place)) found.set(place, file);
  }
  return [...found.values()];
}

function filesOf(path: string, cwd: string): readonly FoundFile[] {
  if (path === "-") return [{ path, inFolder: false }];
  const kind = kindOf(resolve(cwd, path), path);
  if (kind === "folder") return filesIn(path, cwd);
  if (kind === "file" || !/[*?[{]/.test(path)) return [{ path, inFolder: false }];
  const matches = globSync(path, { cwd }).sort();
  if (matches.length === 0) throw failure(`No file matches \`${path}\`.`);
  return matches.flatMap((match) => filesOf(match.replaceAll("\\", "/"), cwd));
}

function kindOf(place: string, path: string): "folder" | "file" | undefined {
  try {
    return statSync(place).isDirectory() ? "folder" : "file";
  } catch (error) {
    if (/[*?[{]/.test(path)) return undefined;
    throw unreadable(path, error);
  }
}

function filesIn(folder: string, cwd: string): readonly FoundFile[] {
  const base = folder.replace(/[\\/]+$/, "");
  const entries = entriesOf(folder, cwd).map((name) => (base === "" ? `/${name}` : base === "." ? name : `${base}/${name}`));
  return entries.flatMap((path) => {
    const entry = lstatSync(resolve(cwd, path), { throwIfNoEntry: false });
    if (entry?.isDirectory()) return filesIn(path, cwd);
    return entry?.isFile() && /\.(ya?ml|json)$/i.test(path) ? [{ path, inFolder: true }] : [];
  });
}

function entriesOf(folder: string, cwd: string): readonly string[] {
  try {
    return readdirSync(resolve(cwd, folder))
      .filter((name) => !name.startsWith(".") && name !== "node_modules")
      .sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function unreadable(path: string, error: unknown): unknown {
  const reason = reasonOf(error);
  return reason === undefined ? error : failure(`\`${path}\` cannot be read: ${reason}.`);
}
