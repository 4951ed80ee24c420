import { join } from "node:path";
import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";
import { local } from "./local.ts";

/** The time in seconds since 1970 (UTC), with a fraction. */
export const clock = local(async (): Promise<Json> => Date.now() / 1000);

/** A random number from 0 (inclusive) to 1 (exclusive). */
export const random = local(async (): Promise<Json> => Math.random());

/** A unique string. */
export const id = local(async (): Promise<Json> => globalThis.crypto.randomUUID());

/**
 * Reads a secret from the environment variable `SECRET_<ID>_<KEY>` (upper case, `_` for anything but letters and
 * digits), or else from the file `<id>/<key>` in the folder that the environment variable `SECRETS` names. A version
 * is appended to the names of the variable and of the file.
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

/** The contents of a secret's file without the line break at the end; undefined if the file does not exist. */
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
