import { own } from "../json.ts";

/** A parsed template in a subset of Handlebars: `{{name}}`, `{{#each names}}`. Values are inserted unescaped. */
export type FileTemplate = readonly FileTemplatePart[];

/** Text, an interpolation, or parts repeated per element. */
export type FileTemplatePart =
  | string
  | { readonly name: string }
  | { readonly each: string; readonly parts: FileTemplate };

/** The values of the interpolations. */
export interface TemplateValues {
  readonly [name: string]: string | readonly TemplateValues[];
}

/** Renders a template: `["a ", { name: "b" }]` with `{ b: "c" }` → `a c`. Throws if a value is missing. */
export function renderTemplate(template: FileTemplate, values: TemplateValues): string {
  return template
    .map((part) => {
      if (typeof part === "string") return part;
      if ("name" in part) return stringValue(values, part.name);
      return listValue(values, part.each)
        .map((each) => renderTemplate(part.parts, each))
        .join("");
    })
    .join("");
}

function stringValue(values: TemplateValues, name: string): string {
  const value = own(values, name);
  if (typeof value !== "string") throw new Error(`A template has no string for ${name}.`);
  return value;
}

function listValue(values: TemplateValues, name: string): readonly TemplateValues[] {
  const value = own(values, name);
  if (value === undefined || typeof value === "string") throw new Error(`A template has no array for ${name}.`);
  return value;
}
