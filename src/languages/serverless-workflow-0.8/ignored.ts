import { schema } from "../../generated/serverless-workflow-0.8.js";
import { isObject, type Json, own } from "../../json.ts";
import { didYouMean } from "../../text/messages.ts";
import { spanOf } from "../shared/properties.ts";
import type { Context } from "./context.ts";
import { ignoredProperty, outputSchemaOfSonataflow, unknownName } from "./diagnostics/kinds.ts";
import { outputSchemaExtension } from "./schemas.ts";

/** Reports properties of a definition that change no run: unknown ones, authentication and extensions. */
export function reportIgnored(context: Context): void {
  reportUnknown(context);
  reportAuthentication(context);
  reportExtensions(context);
}

/** 0.8 allows other properties at the top level as metadata. */
function reportUnknown(context: Context): void {
  const { definition, report } = context;
  const known = knownProperties();
  for (const name of Object.keys(definition))
    if (!known.includes(name) && !/^(?:x-|\$schema$)/.test(name))
      report(
        ignoredProperty(spanOf(context, definition, name, "key"), {
          name,
          why: "it is not a property of 0.8, which allows others as metadata",
          hint: didYouMean(name, known),
        }),
      );
}

function knownProperties(): readonly string[] {
  const root = schema();
  const properties = isObject(root) ? (own(root, "properties") ?? null) : null;
  return isObject(properties) ? Object.keys(properties) : [];
}

/** 0.8 uses authentication to read documents, not in calls. */
function reportAuthentication(context: Context): void {
  const { definition, functions, report } = context;
  if (definition.auth === undefined) return;
  report(
    ignoredProperty(spanOf(context, definition, "auth", "key"), {
      name: "auth",
      why: "0.8 uses it to read documents, not in calls",
      hint: "Configure the credentials of functions in their bindings.",
    }),
  );
  if (!Array.isArray(definition.auth)) return;
  const names = (definition.auth as readonly Json[]).map((each) => (isObject(each) ? own(each, "name") : undefined));
  const known = names.filter((name) => typeof name === "string");
  for (const each of functions.values())
    if (typeof each.authRef === "string" && !known.includes(each.authRef))
      report(
        unknownName(spanOf(context, each, "authRef"), {
          noun: "authentication",
          name: each.authRef,
          known,
          under: "auth",
        }),
      );
}

function reportExtensions(context: Context): void {
  const { extensions } = context.definition;
  if (extensions === undefined) return;
  const span = spanOf(context, context.definition, "extensions", "key");
  const list = Array.isArray(extensions) ? (extensions as readonly Json[]) : [extensions];
  for (const each of list) {
    const id = isObject(each) ? String(own(each, "extensionid") ?? "") : "";
    if (id === outputSchemaExtension) {
      if (context.dialect === "spec") context.report(outputSchemaOfSonataflow(span, {}));
    } else if (id !== "workflow-uri-definitions")
      context.report(ignoredProperty(span, { name: "extensions", why: `the extension \`${id}\` is unknown` }));
  }
}
