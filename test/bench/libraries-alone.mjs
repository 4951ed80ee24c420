// What every process that emits TypeScript has to load, doing the least with it: one interface, one line laid out.
import { parsers } from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import { Project } from "ts-morph";

const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
const file = project.createSourceFile("module.ts");
file.addInterface({ name: "Order", isExported: true, properties: [{ name: "id", type: "string" }] });
await format(file.getFullText(), { parser: "babel-ts", plugins: [{ parsers }, estree] });
