import { fill } from "../../../src/code/index.ts";
import { templates } from "../../../src/generated/typescript-templates.js";
import type { Program } from "../../../src/program.ts";

/** What a reader of the folder has to know. */
export const readmeText = ({ workflows }: Program): string =>
  fill(templates["README.md"], {
    workflows: workflows.map(({ id, name }) => ({ id: plain(id), name: plain(name) })),
    first: shellWord(workflows[0]?.id ?? "workflow"),
  });

/** A text in which nothing has a meaning for Markdown. */
const plain = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);

const shellWord = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replace(/[\p{C}\s]+/gu, " ").replaceAll("'", "'\\''")}'`;
