import { stepsOf } from "../../ir/walk.ts";
import type { Reference, Workflow } from "../../ir/workflow.ts";
import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { subflowVersion } from "./diagnostics/kinds.ts";

/** The version that a reference requires. */
interface RequiredVersion {
  readonly version: string;
  readonly span: Span;
}

/** By the reference in the IR, which has no versions. */
const required = new WeakMap<Reference, RequiredVersion>();

/** The reference to a workflow, whose version is checked later. */
export function subflowReference(
  reading: Pick<ReadContext, "document">,
  written: { readonly workflowId: string; readonly version?: string },
): Reference {
  const reference = { name: written.workflowId, span: spanOf(reading, written, "workflowId") };
  const { version } = written;
  if (version !== undefined) required.set(reference, { version, span: spanOf(reading, written, "version") });
  return reference;
}

/** Reports workflows of the program whose version is not the one that a reference requires. */
export function checkVersions(workflows: readonly Workflow[], program: readonly Workflow[], report: Report): void {
  const versions = new Map(program.map(({ id, version }) => [id, version]));
  for (const step of workflows.flatMap(stepsOf)) {
    if (step.kind !== "invoke") continue;
    const wanted = required.get(step.workflow);
    const { name } = step.workflow;
    const found = versions.get(name);
    if (wanted && found !== undefined && found !== wanted.version)
      report(subflowVersion(wanted.span, { name, version: found, wanted: wanted.version }));
  }
}
