import { readdirSync, readFileSync } from "node:fs";
import Handlebars from "handlebars";
import { describe, expect, test } from "vitest";
import { templates } from "../../src/generated/asl-templates.js";
import { renderTemplate, type FileTemplate, type TemplatePart, type TemplateValues } from "../../src/js-ast/index.ts";

test("holes take texts as they are, and lists their parts once for each element", () => {
  const template: FileTemplate = ["<", { hole: "a" }, ">\n", { each: "list", parts: ["- ", { hole: "b" }, "\n"] }];
  expect(renderTemplate(template, { a: "{{b}} & '", list: [{ b: "1" }, { b: "2" }] })).toBe("<{{b}} & '>\n- 1\n- 2\n");
});

test("a hole without a value is a bug, and no member of a prototype is one", () => {
  expect(() => renderTemplate([{ hole: "a" }], {})).toThrow("A template has no text for a.");
  expect(() => renderTemplate([{ hole: "constructor" }], {})).toThrow("A template has no text for constructor.");
  expect(() => renderTemplate([{ each: "a", parts: [] }], { a: "text" })).toThrow("A template has no list for a.");
});

describe("every template gives what Handlebars makes of it", () => {
  const folder = new URL("../../targets/asl/templates/", import.meta.url);
  test.each(readdirSync(folder))("%s", (file) => {
    const template: FileTemplate = templates[file.replace(/\.hbs$/, "") as keyof typeof templates];
    const values = valuesFor(template);
    const compiled = Handlebars.compile(readFileSync(new URL(file, folder), "utf8"), { noEscape: true, strict: true });
    expect(renderTemplate(template, values)).toBe(compiled(values));
  });
});

/** Something for each hole, and two elements for each list. */
function valuesFor(template: FileTemplate): TemplateValues {
  return Object.fromEntries(template.flatMap((part) => valueFor(part)));
}

function valueFor(part: TemplatePart): readonly (readonly [string, TemplateValues[string]])[] {
  if (typeof part === "string") return [];
  if ("hole" in part) return [[part.hole, `<${part.hole} & "more">\n`]];
  return [[part.each, [valuesFor(part.parts), valuesFor(part.parts)]]];
}
