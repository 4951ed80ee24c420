import { defineError, defineInfo, defineWarning } from "../text/diagnostics.ts";
import { truncate } from "../text/messages.ts";

// WB07xx: migration to another language

/** A construct that the language of the result cannot express; it is omitted. */
export const noForm = defineError("WB0701", (a: { construct: string; hint: string }) => ({
  message: `Serverless Workflow 1.0 cannot express ${a.construct}; it is omitted.`,
  hint: a.hint,
}));

/** A construct with a similar form. */
export const similarForm = defineWarning("WB0702", (a: { construct: string; form: string; difference: string }) => ({
  message: `${a.construct} becomes ${a.form}: ${a.difference}.`,
}));

/** An expression that is exact under an assumption. */
export const assumption = defineInfo("WB0703", (a: { expression: string; assumed: string; otherwise: string }) => ({
  message: `\`${truncate(a.expression)}\` assumes that ${a.assumed}.`,
  hint: a.otherwise,
}));

/** A name that is invalid in the language of the result. */
export const changedName = defineInfo("WB0704", (a: { what: string; name: string; created: string }) => ({
  message: `${a.what} \`${truncate(a.name)}\` becomes \`${truncate(a.created)}\`.`,
}));

/** A property that does not change runs, and has no place in the language of the result. */
export const withoutEffect = defineInfo("WB0706", (a: { property: string; noun: string }) => ({
  message: `\`${truncate(a.property)}\` of ${a.noun === "workflow" ? "the" : a.noun === "event" || a.noun === "action" ? "an" : "a"} ${a.noun} is omitted; it has no effect on runs.`,
}));

/** A definition in a language that has no migration. */
export const noMigration = defineError("WB0705", (a: { language: string; known: readonly string[] }) => ({
  message: `A definition in ${a.language} cannot be migrated.`,
  hint: `Languages with a migration: ${a.known.map((name) => `\`${name}\``).join(", ")}.`,
}));
