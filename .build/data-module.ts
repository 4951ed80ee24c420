import { brotliCompressSync, constants } from "node:zlib";

/** A module that exports the members of `data`. Generated modules are most of the package, so `compressData` shrinks them when it is bundled. */
export const dataModule = (names: readonly string[], data: object): string =>
  `export const { ${names.join(", ")} } = JSON.parse(${JSON.stringify(JSON.stringify(data))});\n`;

/** Compresses the statement of `dataModule` in a module; undefined if the module does not begin with one. */
export function compressData(code: string): string | undefined {
  const [statement, names, literal] = /^export const \{ (.*) \} = JSON\.parse\((".*")\);$/m.exec(code) ?? [];
  if (statement === undefined || !code.startsWith(statement)) return undefined;
  const bytes = Buffer.from(JSON.parse(literal!) as string);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const text = brotliCompressSync(bytes, { params }).toString("base64");
  return `import { brotliDecompressSync } from "node:zlib";
export const { ${names} } = JSON.parse(brotliDecompressSync(Buffer.from("${text}", "base64")).toString());
${code.slice(statement.length)}`;
}
