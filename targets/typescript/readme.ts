import type { Program } from "../../src/ir/workflow.ts";
import { runtimePackage } from "./emit/runtime-imports.ts";

/** Values that the README templates of all hosts use. */
export interface ReadmeData {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly runtime: string;
}

/** The values for a program that imports a runtime module. */
export const readmeData = ({ workflows }: Program, runtime: string): ReadmeData => ({
  workflows: workflows.map(({ id, name }) => ({ id: escapeMarkdown(id), name: escapeMarkdown(name) })),
  runtime: runtime === runtimePackage ? `the package \`${runtimePackage}\`` : "`runtime.js`",
});

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);

/** The retention of events on hosts that keep them for retried runs. */
export const eventsKeptForRetries =
  "Events that no run can wait for are kept for a week, for failed runs that are\n  retried (`serve --keep-events P30D`); only servers and `prune` delete them.";
