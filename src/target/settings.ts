import type { Workflow } from "../ir/workflow.ts";
import type { Note } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import type { TargetSettings } from "./contract.ts";

/** A workflow and its settings. */
export interface ConfiguredWorkflow {
  readonly workflow: Workflow;
  readonly settings: TargetSettings;
}

/** Locates a diagnostic about settings that differ: at the key of `other`, otherwise at that of `first`. */
export function locateConflict(
  names: readonly string[],
  first: ConfiguredWorkflow,
  other: ConfiguredWorkflow,
): readonly [span: Span, notes: readonly Note[]] {
  const [expected, found] = [first, other].map(({ settings }) =>
    names.flatMap((name) => settings.spanOf(name) ?? []).at(0),
  );
  if (!expected || !found) return [found ?? expected ?? other.workflow.span, []];
  return [found, [{ message: `The setting of \`${truncate(first.workflow.id)}\` is here.`, span: expected }]];
}

/** A note on a setting, unless it comes from `--set`. */
export function settingNotes({ spanOf }: Pick<TargetSettings, "spanOf">, name: string): readonly Note[] {
  const span = spanOf(name);
  return span ? [{ message: `\`${name}\` is set here.`, span }] : [];
}
