import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../json.ts";
import { attempt, OutputFailure } from "./failure.ts";
import { placeOf } from "./place.ts";

/** The file in an output folder that lists the files that Waybill has written there: only those does it ever replace or remove. */
export const manifestName = ".waybill.json";

const format = 1;

/** The files that were written last, as paths relative to the folder; none where nothing was. */
export function readManifest(folder: string): readonly string[] {
  const place = placeOf(folder, manifestName);
  if (place === "nothing") return [];
  if (place !== "file") throw notUnderstood();
  const text = attempt(manifestName, "read", () => readFileSync(join(folder, manifestName), "utf8"));
  const files = filesIn(text);
  if (!files) throw notUnderstood();
  return files;
}

/** The text of a manifest. The order of the paths has no meaning and is always the same. */
export function manifestText(paths: readonly string[]): string {
  return `${JSON.stringify({ format, files: [...paths].sort() }, null, 2)}\n`;
}

function filesIn(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value["format"] !== format || !Array.isArray(value["files"])) return undefined;
    return value["files"].every(isSafe) ? value["files"] : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a path stays in the folder, whatever the system. */
function isSafe(path: unknown): path is string {
  if (typeof path !== "string" || path === manifestName || /[\\:\0]/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

function notUnderstood(): OutputFailure {
  return new OutputFailure(
    manifestName,
    "is not a list of files that this version of Waybill understands; remove it, or choose another folder",
  );
}
