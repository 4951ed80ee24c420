import { isObject, type Json, type JsonObject } from "../json.ts";

/** What a project needs in its package.json. */
export interface ManifestParts {
  readonly scripts: { readonly [name: string]: string };
  readonly devDependencies: { readonly [name: string]: string };
}

/**
 * Returns a new package.json, or an existing one with the scripts and dependencies that it lacks, in its indentation. Of
 * its own scripts only the `test` that `npm init` writes is replaced. Returns undefined if the text is not a JSON object.
 */
export function completeManifest(text: string | undefined, parts: ManifestParts): string | undefined {
  if (text === undefined) return `${JSON.stringify({ private: true, type: "module", ...parts }, null, 2)}\n`;
  const manifest = parseObject(text);
  if (!manifest) return undefined;
  const missing = withoutKeys(parts.devDependencies, objectAt(manifest, "dependencies"));
  const devDependencies = withMissing(objectAt(manifest, "devDependencies"), missing);
  const completed = {
    ...manifest,
    scripts: withMissing(withoutPlaceholder(objectAt(manifest, "scripts")), parts.scripts),
    ...(Object.keys(devDependencies).length > 0 && { devDependencies }),
  };
  if (JSON.stringify(completed) === JSON.stringify(manifest)) return text;
  const [, indentation] = /\n([ \t]+)"/.exec(text) ?? [];
  return `${JSON.stringify(completed, null, indentation ?? 2)}\n`;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectAt(manifest: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(manifest, name) ? manifest[name] : undefined;
  return isObject(value) ? value : {};
}

const withMissing = (existing: JsonObject, wanted: JsonObject): JsonObject => ({
  ...existing,
  ...withoutKeys(wanted, existing),
});

const withoutKeys = (object: JsonObject, excluded: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !Object.hasOwn(excluded, name)));

/** `npm init` writes a `test` script that fails. */
const withoutPlaceholder = (scripts: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(scripts).filter(
      ([name, value]) => name !== "test" || !/^echo .*no test specified/.test(String(value)),
    ),
  );
