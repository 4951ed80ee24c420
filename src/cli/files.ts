import { globSync, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { reasonOf } from "./output/system-errors.ts";
import { failure, usage } from "./terminal.ts";

/** A file that arguments name. */
export interface FoundFile {
  /** As shown to people: as the user gave it, with what was found below it. `-` is standard input. */
  readonly path: string;
  /** Whether it was found in a folder that was named, where there may be files of all kinds. */
  readonly inFolder: boolean;
}

/**
 * The files that arguments name: files themselves, all YAML and JSON files in folders and the folders in them (by name; not in those
 * called `node_modules` or with a dot in front, nor in folders behind links), and what patterns such as `flows/*.yaml` match. Each file
 * once, also where a folder has a link to it.
 */
export function findFiles(paths: readonly string[], cwd: string): readonly FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const file of paths.flatMap((path) => filesOf(path, cwd))) {
    const place = file.path === "-" ? "-" : placeOf(resolve(cwd, file.path));
    if (!found.has(place)) found.set(place, file);
  }
  return [...found.values()];
}

/** The same for all ways to a file; for what is not there its path. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function filesOf(path: string, cwd: string): readonly FoundFile[] {
  if (path === "") throw usage("One of the paths is empty.");
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
  const entries = entriesOf(folder, cwd).map((name) =>
    base === "" ? `/${name}` : base === "." ? name : `${base}/${name}`,
  );
  return entries.flatMap((path) => {
    const entry = lstatSync(resolve(cwd, path), { throwIfNoEntry: false });
    if (entry?.isDirectory()) return filesIn(path, cwd);
    return /\.(ya?ml|json)$/i.test(path) && (entry?.isFile() || (entry?.isSymbolicLink() && leadsToFile(path, cwd)))
      ? [{ path, inFolder: true }]
      : [];
  });
}

function leadsToFile(path: string, cwd: string): boolean {
  try {
    return statSync(resolve(cwd, path)).isFile();
  } catch (error) {
    throw unreadable(path, error);
  }
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
