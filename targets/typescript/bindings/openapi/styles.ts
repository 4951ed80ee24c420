import { isObject, own } from "../../../../src/json.ts";
import { type OpenapiDocument, resolved } from "./document.ts";
import type { FoundParameter } from "./operations.ts";

/** How lists and objects are written in a parameter, as the runtime takes it: empty for the usual way; undefined for ways that it does not know. */
export function styleOf(
  { root }: OpenapiDocument,
  { place, parameter }: FoundParameter,
): "" | "joined" | "deepObject" | "members" | undefined {
  if (Object.hasOwn(parameter, "content")) return undefined;
  const style = own(parameter, "style");
  if (place === "query")
    return queryStyle(style ?? "form", own(parameter, "explode"), isObjectParameter(root, parameter));
  if (place === "cookie") return style === undefined || style === "form" ? "" : undefined;
  return (place === "path" || place === "header") && (style === undefined || style === "simple") ? "" : undefined;
}

function queryStyle(style: unknown, explode: unknown, isObjectValue: boolean) {
  if (style === "deepObject") return "deepObject";
  if (style !== "form") return undefined;
  if (explode === false) return isObjectValue ? undefined : "joined";
  return isObjectValue ? "members" : "";
}

function isObjectParameter(root: OpenapiDocument["root"], parameter: OpenapiDocument["root"]): boolean {
  const schema = resolved(root, own(parameter, "schema"));
  return isObject(schema) && (own(schema, "type") === "object" || Object.hasOwn(schema, "properties"));
}
