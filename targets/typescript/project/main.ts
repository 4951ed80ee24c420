import { type Expression, importsOf, js, printProgram } from "../../../src/code/index.ts";
import type { Program } from "../../../src/program.ts";
import { exportedName } from "../emit/module.ts";
import { finished } from "../emit/names.ts";

/** The entry of the program: what it is made of, given to its command line. */
export function mainText({ workflows }: Program, modules: ReadonlyMap<string, string>, hasSinks: boolean): string {
  const functions = (name: string) => js.imported(name, "./functions.ts");
  const program = js.record({
    workflows: js.array(workflows.map(({ id }) => js.imported(exportedName(id), `./${modules.get(id)}.ts`))),
    functions: functions("functions"),
    sinks: hasSinks ? functions("sinks") : undefined,
    open: js.imported("openEngine", "./runtime/sqlite.ts"),
    location: js.member(moduleMeta, "url"),
  });
  const run = js.awaited(js.call(js.imported("main", "./runtime/main/main.ts"), [program]));
  const statements = finished([js.assign(js.member(js.name("process"), "exitCode"), run)], new Set());
  const head = js.comment("Runs the workflows: `node main.ts --help` tells how.");
  return printProgram([head, ...importsOf(statements), ...statements], { types: true });
}

/** `import.meta` */
const moduleMeta: Expression = js.member(js.name("import"), "meta");
