import { awaitsCallback } from "../../src/ir/callbacks.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Program, Workflow } from "../../src/ir/workflow.ts";
import { runtimePackage } from "./emit/runtime-imports.ts";
import { readmePicture } from "./graphs.ts";

/** Values that the README templates of all hosts use. */
export interface ReadmeData {
  readonly workflows: readonly { readonly id: string; readonly name: string }[];
  readonly runtime: string;
  /** One entry if workflows have timers. */
  readonly timers: readonly { readonly [name: string]: string }[];
  /** One entry if workflows wait for tasks. */
  readonly tasks: readonly { readonly [name: string]: string }[];
  readonly pictures: readonly { readonly name: string; readonly picture: string }[];
}

/** The values for a program that imports a runtime module. */
export const readmeData = ({ workflows }: Program, runtime: string): ReadmeData => ({
  workflows: workflows.map(({ id, name }) => ({ id: escapeMarkdown(id), name: escapeMarkdown(name) })),
  timers: workflows.some(({ start }) => start.timers) ? [{}] : [],
  tasks: workflows.some((workflow) => stepsOf(workflow).some(awaitsCallback)) ? [{}] : [],
  pictures: workflows.length > maxPictures ? [] : workflows.flatMap(pictureOf),
  runtime: runtime === runtimePackage ? `the package \`${runtimePackage}\`` : "`runtime.js`",
});

/** More pictures are too much for a page. */
const maxPictures = 10;

const pictureOf = (workflow: Workflow): ReadmeData["pictures"] => {
  const picture = readmePicture(workflow);
  return picture === undefined ? [] : [{ name: escapeMarkdown(workflow.name), picture }];
};

const escapeMarkdown = (text: string): string =>
  text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, "\\$&")
    .slice(0, 200);

/** The retention of events on hosts that keep them for retried runs. */
export const eventsKeptForRetries =
  "Events that no run can wait for are kept for a week, for failed runs that are\n  retried (`serve --keep-events P30D`); only servers and `prune` delete them.";
