import type { Web, WebTable } from "../../src/cfg/webs.ts";
import type { Step } from "../../src/ir/workflow.ts";
import { names } from "./scopes.ts";

/** Stores values by variable or by web. */
export interface Memory {
  read(step: Step, variable: string): unknown;
  set(step: Step, variable: string, value: unknown, handler?: number): void;
  /** Saves variables; returns a function that restores them. */
  keep(entry: Step, variables: readonly string[]): () => void;
}

/** Stores values by variable, as the workflow does. */
export function byVariable(): Memory {
  const values = new Map<string, unknown>(names.map((each) => [each, `first ${each}`]));
  return {
    read: (_, variable) => values.get(variable),
    set: (_, variable, value) => values.set(variable, value),
    keep(_, variables) {
      const kept = variables.map((each) => [each, values.get(each)] as const);
      return () => {
        for (const [each, value] of kept) values.set(each, value);
      };
    },
  };
}

/** Stores a value for each web. */
export function byWeb(webs: WebTable): Memory {
  const values = new Map<Web, unknown>();
  for (const each of names) {
    const web = webs.initial(each);
    if (web) values.set(web, `first ${each}`);
  }
  return {
    read: (step, variable) => values.get(webs.read(step.id, variable)!),
    set(step, variable, value, handler) {
      const web = webs.defined(step.id, variable, handler);
      if (web) values.set(web, value);
    },
    keep(entry, variables) {
      const kept = variables
        .flatMap((each) => webs.read(entry.id, each) ?? [])
        .map((web) => [web, values.get(web)] as const);
      return () => {
        for (const [web, value] of kept) values.set(web, value);
      };
    },
  };
}
