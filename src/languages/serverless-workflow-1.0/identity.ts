import { withFix } from "../../text/diagnostics.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import {
  badName,
  looseEvaluation,
  newerProperty,
  preRelease,
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

/** Reports a property that was added after the declared version: in `1.0.<since>`, or after 1.0.3. */
export function checkSince(context: Context, owner: object, key: string, what: string, since: 1 | 2 | 3 | 4): void {
  const version = String(context.definition.document.dsl);
  const [, patch] = /^1\.0(?:\.(\d+))?$/.exec(version) ?? [];
  const isDeclared = version === "1.0" || patch !== undefined;
  if (!isDeclared || !Object.hasOwn(owner, key) || Number(patch ?? 0) >= since) return;
  const added = since === 4 ? "after 1.0.3" : `in 1.0.${since}`;
  context.report(newerProperty(spanOf(context, owner, key, "key"), { what, version, since: added }));
}
