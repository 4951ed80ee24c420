import { brotliCompressSync, constants } from "node:zlib";

/**
 * A module that exports a function for each member of `data`, which the first call parses: most runs need none of them.
 * Generated modules are most of the package, so `compressData` shrinks them when it is bundled.
 */
export function dataModule(data: object): string {
  const functions = Object.keys(data).map((name) => `export const ${name} = () => (data ??= parse()).${name};\n`);
  return `const parse = () => JSON.parse(${JSON.stringify(JSON.stringify(data))});\nlet data;\n${functions.join("")}`;
}

/** Compresses the data of a module; undefined if `dataModule` did not write it. */
export function compressData(code: string): string | undefined {
  const [statement, literal] = /^const parse = \(\) => JSON\.parse\((".*")\);$/m.exec(code) ?? [];
  if (statement === undefined || !code.startsWith(statement)) return undefined;
  const bytes = Buffer.from(JSON.parse(literal!) as string);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const text = brotliCompressSync(bytes, { params }).toString("base64");
  return `const decompress = (bytes) => process.getBuiltinModule("node:zlib").brotliDecompressSync(bytes);
const parse = () => JSON.parse(decompress(Buffer.from("${text}", "base64")).toString());
${code.slice(statement.length)}`;
}
