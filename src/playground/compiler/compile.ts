import { targets } from "../../../targets/index.ts";
import { compileWith } from "../../compile.ts";
import { printProgram } from "../../ir/print.ts";
import { languages } from "../../languages/index.ts";
import { languageOf, readForEditor } from "../../lsp/definition.ts";
import type { OutputFile } from "../../target/contract.ts";
import type { Source } from "../../text/source.ts";
import type { Compiled, Output, Requests, TextFile } from "../protocol.ts";
import { problemsOf } from "./problems.ts";

/** Checks a definition as the language server does, and produces what a view shows. */
export async function compile({ definition, view, workflow }: Requests["compile"]): Promise<Compiled> {
  const began = performance.now();
  const source: Source = { ...definition };
  const reading = readForEditor(source);
  const target = targets.find(({ name }) => name === view);
  const input = { sources: [source], readings: new Map([[source, reading]]), options: {} };
  const { program, files, diagnostics } = await compileWith(input, languages, target);
  const language = reading.documents.flatMap((document) => languageOf(document, languages) ?? [])[0];
  let output: Output | undefined;
  if (view === "picture") output = await (await import("./picture.ts")).pictureOf(source, reading, workflow);
  else if (view === "ir") output = program && fileOutput([{ path: "program.txt", text: printProgram(program) }]);
  else if (files.length > 0) output = fileOutput(inOrder(files));
  const problems = problemsOf(source, diagnostics);
  return { problems, language: language?.summary, output, took: performance.now() - began };
}

const fileOutput = (files: readonly TextFile[]): Output => ({
  kind: "files",
  files: files.map(({ path, text }) => ({ path, text })),
});

/** The files of workflows first, among them those that have the most to read. */
const inOrder = (files: readonly OutputFile[]): readonly OutputFile[] =>
  files.toSorted((a, b) => Number(b.workflow !== undefined) - Number(a.workflow !== undefined));
