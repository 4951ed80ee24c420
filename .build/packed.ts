import { brotliCompressSync, constants } from "node:zlib";

/** A module that exports the members of some data, which it has compressed: all together, as they are shorter so. It is most of what the package carries. */
export function packed(names: readonly string[], data: object): string {
  const given = Buffer.from(JSON.stringify(data));
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: given.length };
  const text = brotliCompressSync(given, { params }).toString("base64");
  return `import { brotliDecompressSync } from "node:zlib";
export const { ${names.join(", ")} } = JSON.parse(brotliDecompressSync(Buffer.from("${text}", "base64")).toString());
`;
}
