/**
 * A module that exports a function for each member of `data`, which the first call parses: most runs need none of them.
 * Generated modules are most of the package, where `embeddedData` puts them in compressed files.
 */
export function dataModule(data: object): string {
  const functions = Object.keys(data).map((name) => `export const ${name} = () => (data ??= parse()).${name};\n`);
  return `const parse = () => JSON.parse(${JSON.stringify(JSON.stringify(data))});\nlet data;\n${functions.join("")}`;
}

/** The JSON of a module that `dataModule` wrote, and the rest of its code; undefined for other modules. */
export function readDataModule(code: string): { readonly json: string; readonly rest: string } | undefined {
  const [statement, literal] = /^const parse = \(\) => JSON\.parse\((".*")\);$/m.exec(code) ?? [];
  if (statement === undefined || !code.startsWith(statement)) return undefined;
  return { json: JSON.parse(literal!) as string, rest: code.slice(statement.length) };
}
