import { join } from "node:path";
import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";
import { local } from "./local.ts";

/** The time in seconds since 1970 (UTC), with their fraction. */
export const clock = local(async (): Promise<Json> => Date.now() / 1000);

/** A random number, from 0 up to 1. */
export const random = local(async (): Promise<Json> => Math.random());

/** A text that no other call gives. */
export const id = local(async (): Promise<Json> => globalThis.crypto.randomUUID());

/**
 * The text of a secret: that of the environment variable `SECRET_<ID>_<KEY>` (upper case, anything but letters and digits as `_`), else that of the file
 * `<id>/<key>` in the folder that the environment variable `SECRETS` names. With a version, the names of the variable and of the file end in that.
 */
export const secret = local(async (name: Json): Promise<Json> => {
  const [id = "", key = "", ...version] = isObject(name)
    ? [name["id"], name["key"], name["version"]].flatMap(textOf)
    : [];
  const variable = ["SECRET", id, key, ...version]
    .join("_")
    .replaceAll(/[^A-Za-z0-9]/g, "_")
    .toUpperCase();
  const text = process.env[variable] ?? (await textIn(process.env["SECRETS"], id, [key, ...version].join(".")));
  if (text !== undefined) return text;
  const message = `There is no secret ${id} with a key ${key}: set the environment variable ${variable}.`;
  throw new WorkflowError("SecretNotFound", message);
});

const textOf = (part: Json | undefined): readonly string[] => (typeof part === "string" ? [part] : []);

/** What stands in the file of a secret; undefined where there is none. A line break at the end is no part of it. */
async function textIn(folder: string | undefined, ...path: readonly string[]): Promise<string | undefined> {
  if (folder === undefined || !path.every((part) => /^[\w-][\w.-]*$/.test(part))) return undefined;
  try {
    return (await process.getBuiltinModule("node:fs/promises").readFile(join(folder, ...path), "utf8")).replace(
      /\r?\n$/,
      "",
    );
  } catch {
    return undefined;
  }
}
