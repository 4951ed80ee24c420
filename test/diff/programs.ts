import { diffPrograms } from "../../src/diff/compare.ts";
import type { Change, ProgramDiff } from "../../src/diff/model.ts";
import { renderDiff } from "../../src/diff/text.ts";
import type { Program } from "../../src/ir/workflow.ts";
import { lowerDefinitions } from "../../src/library/ir.ts";
import { hostOf } from "../host.ts";

/** An OpenAPI document for definitions that require one. */
const desk = {
  path: "desk.yaml",
  text: `openapi: 3.0.3
info: { title: Desk, version: "1" }
servers: [{ url: "https://desk.example.com" }]
paths:
  /charge: { post: { operationId: charge, responses: { "200": { description: Done } } } }
`,
};

/** The program of a definition without errors. */
export async function programOf(text: string, path = "flow.yaml"): Promise<Program> {
  const { program, diagnostics } = await lowerDefinitions({ sources: [{ path, text }], host: hostOf(desk) });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return program;
}

/** The differences between two definitions. */
export async function diffOf(old: string, created: string): Promise<ProgramDiff> {
  return diffPrograms(await programOf(old, "old.yaml"), await programOf(created, "new.yaml"));
}

/** The changes of the only workflow. */
export const changesOf = ({ workflows }: ProgramDiff): readonly Change[] => workflows[0]!.changes;

/** The lines of a report, without the header and the summary, and without positions. */
export async function linesOf(old: string, created: string): Promise<readonly string[]> {
  const lines = renderDiff(await diffOf(old, created))
    .trimEnd()
    .split("\n");
  return lines.slice(1, -1).map((line) => line.replace(/ {2}(?:\S+\.yaml:\d+( → )?)+$| {2}line .*$/, "").slice(2));
}
