import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Options } from "../../src/options.ts";
import type { Source } from "../../src/text/source.ts";

/** File contents by path relative to a folder. */
export interface FileContents {
  readonly [path: string]: string;
}

/** A folder `golden/<language>/<case>`: the input of the compiler and the expected output. */
export interface Golden {
  /** `<language>/<case>`. */
  readonly name: string;
  readonly folder: string;
  /** The definitions, by name. */
  readonly sources: readonly Source[];
  /** The files in `schemas`, which the definitions refer to. */
  readonly schemas: readonly Source[];
  /** The files in `functions`, which the configuration refers to. */
  readonly modules: readonly Source[];
  readonly settings: GoldenSettings;
  readonly configuration: Source | undefined;
  readonly scenarios: Source | undefined;
  /** The expected output files. */
  readonly kept: FileContents;
}

/** The contents of `options.yaml`: command line options. */
export interface GoldenSettings {
  readonly from?: string | undefined;
  readonly options?: Options | undefined;
  readonly maximumBytes?: number | undefined;
}

const root = join(import.meta.dirname, "../../golden");
const definition = /^[^/]+\.(?:ya?ml|json)$/;
const schema = /^schemas\//;
const module = /^functions\//;
const special = {
  settings: "options.yaml",
  configuration: "waybill.config.yaml",
  scenarios: "scenarios.yaml",
} as const;

/** Returns the names of all goldens, sorted. */
export function goldenNames(): readonly string[] {
  const folders = (path: string) => readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory());
  return folders(root)
    .sort()
    .flatMap((language) =>
      folders(join(root, language))
        .sort()
        .map((name) => `${language}/${name}`),
    );
}

/** Reads a golden. `parse` parses YAML. */
export function readGolden(name: string, parse: (text: string) => unknown): Golden {
  const folder = join(root, name);
  const texts = readFiles(folder);
  const inputs = Object.keys(texts).filter((path) => definition.test(path) || schema.test(path) || module.test(path));
  const specials: readonly string[] = Object.values(special);
  const source = (path: string): Source => ({ path, text: texts[path]! });
  const optional = (path: string): Source | undefined => (path in texts ? source(path) : undefined);
  return {
    name,
    folder,
    sources: inputs.filter((path) => !specials.includes(path) && definition.test(path)).map(source),
    schemas: inputs.filter((path) => schema.test(path)).map(source),
    modules: inputs.filter((path) => module.test(path)).map(source),
    settings: special.settings in texts ? (parse(texts[special.settings]!) as GoldenSettings) : {},
    configuration: optional(special.configuration),
    scenarios: optional(special.scenarios),
    kept: Object.fromEntries(Object.entries(texts).filter(([path]) => !inputs.includes(path))),
  };
}

/** Replaces the expected output of a golden. */
export const rewriteGolden = ({ folder, kept }: Golden, output: FileContents): void => writeFiles(folder, kept, output);

/** Writes files to a folder and deletes the other files in `kept`. */
export function writeFiles(folder: string, kept: FileContents, output: FileContents): void {
  for (const path of Object.keys(kept)) if (!(path in output)) rmSync(join(folder, path));
  for (const [path, text] of Object.entries(output)) {
    if (kept[path] === text) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Reads all files under a folder. */
export function readFiles(folder: string): FileContents {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll("\\", "/"))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
