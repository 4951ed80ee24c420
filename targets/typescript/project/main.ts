import type { Program } from "../../../src/program.ts";
import type { Emission } from "../bindings/index.ts";
import { exportedName } from "../emit/module.ts";
import { namesWith } from "../emit/names.ts";

/** The entry of the program: what it is made of, given to its command line. */
export function mainText({ workflows }: Program, modules: ReadonlyMap<string, string>, { text }: Emission): string {
  const names = namesWith(["functions", "sinks", "main", "openEngine"]);
  const imported = workflows.map(({ id }) => {
    const exported = exportedName(id);
    const name = names.fresh(exported);
    return {
      name,
      line: `import { ${exported === name ? name : `${exported} as ${name}`} } from "./${modules.get(id)!}.ts";`,
    };
  });
  const hasSinks = /^export const sinks\b/m.test(text);
  return `// Runs the workflows: \`node main.ts --help\` tells how.

import { functions${hasSinks ? ", sinks" : ""} } from "./functions.ts";
${imported.map(({ line }) => `${line}\n`).join("")}import { main } from "./runtime/main/main.ts";
import { openEngine } from "./runtime/sqlite.ts";

process.exitCode = await main({
  workflows: [${imported.map(({ name }) => name).join(", ")}],
  functions,
${hasSinks ? "  sinks,\n" : ""}  open: openEngine,
  location: import.meta.url,
});
`;
}
