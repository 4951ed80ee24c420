import { withFix } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import {
  badName,
  looseEvaluation,
  newerProperty,
  preRelease,
  relativeUri,
  shortVersion,
  unknownEvaluation,
  unsupportedVersion,
  versionWithoutParts,
} from "./diagnostics/references.ts";

/** Checks the version of the language, the names, and the expression language. */
export function checkIdentity(context: Context): void {
  const { definition, report } = context;
  const identity = definition.document;
  const span = spanOf(context, identity, "dsl");
  const dsl = String(identity.dsl);
  const [, major = "", minor = "", patch, pre] = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(-.+)?$/.exec(dsl) ?? [];
  if (major !== "1" || (minor !== "0" && minor !== "")) report(unsupportedVersion(span, { version: dsl }));
  else if (pre !== undefined) report(preRelease(span, { version: dsl }));
  else if (patch === undefined) report(withFix(shortVersion(span, { version: dsl }), "'1.0.0'"));
  for (const key of ["namespace", "name"] as const)
    if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(identity[key]))
      report(badName(spanOf(context, identity, key), { key, name: identity[key] }));
  if (!/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/.test(identity.version))
    report(versionWithoutParts(spanOf(context, identity, "version"), { version: identity.version }));
  const { language = "jq", mode } = definition.evaluate ?? {};
  if (language !== "jq") report(unknownEvaluation(spanOf(context, definition.evaluate!, "language"), { language }));
  if (mode === "loose") report(looseEvaluation(spanOf(context, definition.evaluate!, "mode"), {}));
}

/** A patch version of 1.0; 4 stands for what was added after 1.0.3. */
type Patch = 1 | 2 | 3 | 4;

/** Reports a property that was added after the declared version. */
export function checkSince(context: Context, owner: object, key: string, what: string, since: Patch): void {
  const { dsl: version } = context.definition.document;
  if (!Object.hasOwn(owner, key) || !isBefore(version, since)) return;
  const added = since === 4 ? "after 1.0.3" : `in 1.0.${since}`;
  context.report(newerProperty(spanOf(context, owner, key, "key"), { what, version, since: added }));
}

/** Reports a URI without scheme, which is read relative to the definition. */
export function checkRelative({ definition, report }: Context, uri: string, span: Span): void {
  const { dsl: version } = definition.document;
  if (!/^[a-z][a-z\d+.-]*:/i.test(uri) && isBefore(version, 4)) report(relativeUri(span, { version }));
}

/** Whether a version of 1.0 is lower than 1.0.`patch`. */
function isBefore(version: string, patch: Patch): boolean {
  const found = /^1\.0(?:\.(\d+))?$/.exec(version);
  return found !== null && Number(found[1] ?? 0) < patch;
}
