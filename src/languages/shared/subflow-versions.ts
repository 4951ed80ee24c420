import { mapKeeping, mapScopes, stepsOf, withSteps } from "../../ir/walk.ts";
import type { Reference, Step, Workflow } from "../../ir/workflow.ts";
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

/**
 * Gives each of several versions of a workflow an id with its version, and leads references to the version that they
 * require, or to the highest one. Reports references to other versions.
 */
export function separateVersions(
  workflows: readonly Workflow[],
  report: (span: Span, other: OtherVersion) => void,
): readonly Workflow[] {
  const several = new Map(
    [...Map.groupBy(workflows, ({ id }) => id)].flatMap(([id, all]) => {
      const versions = all.map(({ version }) => version).toSorted(compareVersions);
      return versions.length > 1 && new Set(versions).size === versions.length ? [[id, versions] as const] : [];
    }),
  );
  if (several.size === 0) return workflows;
  const redirected = (step: Step): Step => {
    const { name, span } = step.kind === "invoke" ? step.workflow : { name: "", span: undefined };
    const versions = several.get(name);
    if (step.kind !== "invoke" || !versions) return step;
    const [highest] = versions.toReversed() as [string];
    const wanted = required.get(step.workflow);
    const isKnown = !wanted || versions.includes(wanted.version);
    if (!isKnown) report(wanted.span, { name, version: highest, wanted: wanted.version });
    const version = isKnown && wanted ? wanted.version : highest;
    return { ...step, workflow: { name: `${name}@${version}`, span: span! } };
  };
  return workflows.map((workflow) => {
    const { id, version } = workflow;
    const mapped = mapScopes(workflow, (scope) => withSteps(scope, mapKeeping(scope.steps, redirected)));
    return several.has(id) ? { ...mapped, id: `${id}@${version}` } : mapped;
  });
}

const collator = new Intl.Collator("en", { numeric: true });

/** Compares semantic versions; a pre-release is lower than its release. */
function compareVersions(one: string, other: string): number {
  const [[release = "", ...pre], [otherRelease = "", ...otherPre]] = [one.split("-"), other.split("-")] as const;
  return (
    collator.compare(release, otherRelease) ||
    Number(otherPre.length > 0) - Number(pre.length > 0) ||
    collator.compare(one, other)
  );
}
