import { readdirSync, readFileSync } from "node:fs";
import Handlebars from "handlebars";
import { describe, expect, test } from "vitest";
import { templates } from "../../src/generated/asl-templates.js";
import {
  type FileTemplate,
  type FileTemplatePart,
  renderTemplate,
  type TemplateValues,
} from "../../src/js-ast/index.ts";

test("interpolations insert strings unescaped, and arrays repeat their parts", () => {
  const template: FileTemplate = ["<", { name: "a" }, ">\n", { each: "list", parts: ["- ", { name: "b" }, "\n"] }];
  expect(renderTemplate(template, { a: "{{b}} & '", list: [{ b: "1" }, { b: "2" }] })).toBe("<{{b}} & '>\n- 1\n- 2\n");
});

test("a missing value is a bug, even if the prototype has a member of that name", () => {
  expect(() => renderTemplate([{ name: "a" }], {})).toThrow("A template has no string for a.");
  expect(() => renderTemplate([{ name: "constructor" }], {})).toThrow("A template has no string for constructor.");
  expect(() => renderTemplate([{ each: "a", parts: [] }], { a: "text" })).toThrow("A template has no array for a.");
});

describe("every template renders as with Handlebars", () => {
  const folder = new URL("../../targets/asl/templates/", import.meta.url);
  test.each(readdirSync(folder))("%s", (file) => {
    const template: FileTemplate = templates[file.replace(/\.hbs$/, "") as keyof typeof templates];
    const values = valuesFor(template);
    const compiled = Handlebars.compile(readFileSync(new URL(file, folder), "utf8"), { noEscape: true, strict: true });
    expect(renderTemplate(template, values)).toBe(compiled(values));
  });
});

/** A value for each interpolation, and two elements for each array. */
function valuesFor(template: FileTemplate): TemplateValues {
  return Object.fromEntries(template.flatMap((part) => valueFor(part)));
}

function valueFor(part: FileTemplatePart): readonly (readonly [string, TemplateValues[string]])[] {
  if (typeof part === "string") return [];
  if ("name" in part) return [[part.name, `<${part.name} & "more">\n`]];
  return [[part.each, [valuesFor(part.parts), valuesFor(part.parts)]]];
}
