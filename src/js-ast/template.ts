import { own } from "../json.ts";

/**
 * A file of fixed shape with holes: Handlebars' language, of which there is nothing but `{{name}}` and `{{#each names}}`, parsed when Waybill is built.
 * What is put in is put in as it is: it has to be escaped for the format of the file before.
 */
export type FileTemplate = readonly TemplatePart[];

/** Text, a hole, or parts that are there once for each element of a list. */
export type TemplatePart = string | { readonly hole: string } | { readonly each: string; readonly parts: FileTemplate };

/** What is put into the holes of a template. */
export interface TemplateValues {
  readonly [name: string]: string | readonly TemplateValues[];
}

/** The text of a file: `fill(["a ", { hole: "b" }], { b: "c" })` → `a c`. A hole for which there is no value is a bug. */
export function renderTemplate(template: FileTemplate, values: TemplateValues): string {
  return template
    .map((part) => {
      if (typeof part === "string") return part;
      if ("hole" in part) return stringValue(values, part.hole);
      return listValue(values, part.each)
        .map((each) => renderTemplate(part.parts, each))
        .join("");
    })
    .join("");
}

function stringValue(values: TemplateValues, name: string): string {
  const value = own(values, name);
  if (typeof value !== "string") throw new Error(`A template has no text for ${name}.`);
  return value;
}

function listValue(values: TemplateValues, name: string): readonly TemplateValues[] {
  const value = own(values, name);
  if (value === undefined || typeof value === "string") throw new Error(`A template has no list for ${name}.`);
  return value;
}
