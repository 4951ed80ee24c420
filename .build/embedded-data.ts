// Puts the data of generated modules in compressed files of the package.

import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import type { Plugin } from "rolldown";
import { readDataModule } from "./data-module.ts";

/** Modules with much in common share a file, where they are compressed together. Others have their own. */
const sharedFiles: { readonly [module: string]: string } = {
  "asl-runtime": "runtimes",
  "typescript-runtime": "runtimes",
  "openwhisk-minified": "openwhisk",
  "openwhisk-runtime": "openwhisk",
};

/** The evaluator of JSONata, which is a module of its own that is loaded as it is. */
export const evaluatorFile = "jsonata-evaluator.cjs";

/** A statement of this module's text alone. */
export const evaluatorExport = "\nexports.jsonata = jsonata;\n";

const reader = "\0embedded data";

/** Reads a file once: its modules are parsed together. The evaluator is in no compressed file. */
const readerText = `
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
const folder = fileURLToPath(new URL(".", import.meta.url));
const files = {};
export const read = (file, module) => (files[file] ??= JSON.parse(brotliDecompressSync(readFileSync(join(folder, file)))))[module];
export function readWithEvaluator(file, module) {
  const data = read(file, module);
  const text = readFileSync(join(folder, ${JSON.stringify(evaluatorFile)}), "utf8");
  data.runtime.jsonata.text = text.slice(0, -${evaluatorExport.length});
  return data;
}
`;

/** Replaces the data of modules by calls that read it from files, which `write` writes to a folder. */
export function embeddedData(): { readonly plugin: Plugin; write(folder: string): void } {
  const files = new Map<string, Map<string, string>>();
  const plugin: Plugin = {
    name: "embedded data",
    resolveId: (id) => (id === reader ? id : null),
    load: (id) => (id === reader ? readerText : null),
    transform(code, id) {
      const data = id.includes("/src/generated/") ? readDataModule(code) : undefined;
      if (!data) return null;
      const module = basename(id, ".js");
      const file = `${sharedFiles[module] ?? module}.br`;
      const { json, read } = withoutEvaluator(data.json);
      files.set(file, (files.get(file) ?? new Map<string, string>()).set(module, json));
      const given = `${JSON.stringify(file)}, ${JSON.stringify(module)}`;
      return `import { ${read} } from ${JSON.stringify(reader)};\nconst parse = () => ${read}(${given});${data.rest}`;
    },
  };
  return {
    plugin,
    write(folder) {
      for (const [file, modules] of files) {
        const members = [...modules].sort().map(([module, json]) => `${JSON.stringify(module)}:${json}`);
        writeFileSync(join(folder, file), compress(`{${members.join(",")}}`));
      }
    },
  };
}

/** Takes the evaluator out of the functions that expressions call. */
function withoutEvaluator(json: string): { readonly json: string; readonly read: "read" | "readWithEvaluator" } {
  const data: { readonly runtime?: { readonly jsonata?: { text: string } } } = JSON.parse(json);
  const { runtime: { jsonata } = {} } = data;
  if (!jsonata) return { json, read: "read" };
  jsonata.text = "";
  return { json: JSON.stringify(data), read: "readWithEvaluator" };
}

function compress(text: string): Buffer {
  const bytes = Buffer.from(text);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}
