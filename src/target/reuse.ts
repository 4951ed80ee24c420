import type { Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import type { Settings } from "./contract.ts";

/** A result of a target for a group of workflows (see `joinedWorkflows`), and what it depends on besides them. */
export interface ReusedPart {
  /** Unique in the target. */
  readonly stage: string;
  readonly workflows: readonly Workflow[];
  /** Besides the workflows, their configurations and the settings. */
  readonly facts: readonly Json[];
}

/** What was made of a part, and what was reported meanwhile. */
export interface MadePart<Result = unknown> {
  readonly result: Result;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds a part that an earlier compilation made of the same, or makes it. */
export type Reuse = <Result>(part: ReusedPart, make: () => Promise<MadePart<Result>>) => Promise<MadePart<Result>>;

/** Makes a part, unless it is known; reports the same in both cases. */
export async function reusePart<Result>(
  part: ReusedPart,
  { reuse }: Settings,
  report: Report,
  make: (report: Report) => Result | Promise<Result>,
): Promise<Result> {
  if (!reuse) return make(report);
  const { result, diagnostics } = await reuse(part, async () => {
    const reported: Diagnostic[] = [];
    return { result: await make((diagnostic) => reported.push(diagnostic)), diagnostics: reported };
  });
  for (const diagnostic of diagnostics) report(diagnostic);
  return result;
}
