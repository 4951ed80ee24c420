import { stepsOf } from "../../ir/walk.ts";
import type { Reference, Workflow } from "../../ir/workflow.ts";
import type { Span } from "../../text/source.ts";
import { type ReadContext, spanOf } from "./properties.ts";

/** The version that a reference requires. */
interface RequiredVersion {
  readonly version: string;
  readonly span: Span;
}

/** By the reference in the IR, which has no versions. */
const required = new WeakMap<Reference, RequiredVersion>();

/** A reference to the workflow `id` at a key, whose version is checked once the program is known. */
export function subflowReference(
  reading: Pick<ReadContext, "document">,
  id: string,
  written: { readonly version?: string | undefined },
  key: string,
): Reference {
  const { version } = written;
  const reference = { name: id, span: spanOf(reading, written, key) };
  if (version !== undefined) required.set(reference, { version, span: spanOf(reading, written, "version") });
  return reference;
}

/** A workflow of the program whose version is not the one that a reference requires. */
export interface OtherVersion {
  readonly name: string;
  readonly version: string;
  readonly wanted: string;
}

/** Reports workflows of the program whose version is not the one that a reference requires. */
export function checkVersions(
  workflows: readonly Workflow[],
  program: readonly Workflow[],
  report: (span: Span, other: OtherVersion) => void,
): void {
  const versions = new Map(program.map(({ id, version }) => [id, version]));
  for (const step of workflows.flatMap(stepsOf)) {
    if (step.kind !== "invoke") continue;
    const wanted = required.get(step.workflow);
    const { name } = step.workflow;
    const version = versions.get(name);
    if (wanted && version !== undefined && version !== wanted.version)
      report(wanted.span, { name, version, wanted: wanted.version });
  }
}
