import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { configurationNames } from "../configuration/file-names.ts";
import { describeErrno } from "../errno.ts";

/**
 * Commands that read no definitions, so that the code of plug-ins does not run. Editors open folders that the user may
 * not trust.
 */
const withoutPlugins: ReadonlySet<string> = new Set(["completion", "eval", "explain", "help", "init", "lsp"]);

/**
 * The configurations with plug-ins at or above the current folder, and of the files and folders among the arguments.
 */
export function filesWithPlugins(args: readonly string[], cwd: string): readonly string[] {
  const [command = "-"] = args;
  const isHelp = args.some((arg) => arg === "--help" || arg === "-h");
  if (isHelp || command.startsWith("-") || withoutPlugins.has(command)) return [];
  const values = args.map((arg) => /^--config=(.*)$/s.exec(arg)?.[1] ?? arg);
  const places = ["configuration", ...values.filter(isPath)].map((each) => resolve(cwd, each));
  const files = new Set(places.flatMap((place) => nearestConfiguration(place) ?? []));
  return [...files].filter(mayHavePlugins);
}

const isPath = (arg: string): boolean => arg !== "" && !arg.startsWith("-") && !arg.includes("\0");

/** A configuration itself, or the nearest one at or above a place. */
function nearestConfiguration(place: string): string | undefined {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat?.isFile() && /config[^\\/]*\.(?:ya?ml|jsonc?)$/i.test(place)) return place;
  for (let folder = stat?.isDirectory() ? place : dirname(place); ; folder = dirname(folder)) {
    const found = configurationNames.map((name) => resolve(folder, name)).find((file) => existsSync(file));
    if (found !== undefined || dirname(folder) === folder) return found;
  }
}

/** Whether a configuration names plug-ins, or extends others. The command reports unreadable files later. */
function mayHavePlugins(file: string): boolean {
  try {
    return statSync(file).isFile() && /\b(?:plugins|extends)\b/.test(readFileSync(file, "utf8"));
  } catch (error) {
    if (describeErrno(error) === undefined) throw error;
    return false;
  }
}
