import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { readDocuments } from "../../src/documents/index.ts";
import type { Json } from "../../src/json.ts";
import type { Language } from "../../src/language.ts";
import { findSchemaErrors } from "../../src/schema/check.ts";
import { compileSchema } from "../../src/schema/compile.ts";
import { mutateAnywhere, randomFrom } from "../languages/mutants.ts";
import { languages } from "../languages.ts";

const root = join(import.meta.dirname, "../..");

const ignore = (): void => undefined;

/** The definitions of the goldens in a language, in its canonical spelling. */
function definitionsIn(language: Language): readonly Json[] {
  const files = globSync(`golden/${language.name}/*/*.{yaml,json}`, { cwd: root }).sort();
  const documents = files.flatMap((file) =>
    readDocuments({ path: file, text: readFileSync(join(root, file), "utf8") }, ignore),
  );
  return documents.map((document) => language.canonicalize(document, ignore).value);
}

const compileWithAjv = (schema: Json) =>
  new Ajv2020({ strict: false, discriminator: true, allowUnionTypes: true }).compile(
    JSON.parse(JSON.stringify(schema, (key, value) => (key === "$schema" ? undefined : value))),
  );

describe.each(languages.filter(({ schema }) => schema))("the compiled schema of $name", (language) => {
  const schema = language.schema!();
  const validate = compileSchema(schema);
  const original = compileWithAjv(schema);
  const definitions = definitionsIn(language);

  it("accepts what ajv accepts, and what has no errors", () => {
    const random = randomFrom(20200601);
    let accepted = 0;
    let count = 0;
    for (const definition of definitions.slice(0, 40))
      for (let round = 0; round < 40; round += 1) {
        let value = definition;
        for (let change = 0; change < round % 4; change += 1) value = mutateAnywhere(value, random);
        const isValid = validate(value);
        expect(isValid, JSON.stringify(value)).toBe(original(value));
        const site = { value, owner: undefined, key: undefined };
        expect(isValid, JSON.stringify(value)).toBe(findSchemaErrors(schema, schema, site).length === 0);
        accepted += isValid ? 1 : 0;
        count += 1;
      }
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(count);
  });
});

describe("a compiled schema", () => {
  it("does not read inherited properties", () => {
    const validate = compileSchema({ required: ["toString"], properties: { constructor: { type: "string" } } });
    expect(validate({})).toBe(false);
    expect(validate({ toString: 1 })).toBe(true);
    expect(compileSchema({ additionalProperties: false })(JSON.parse('{"__proto__": 1}'))).toBe(false);
  });

  it("counts characters, not UTF-16 code units", () => {
    const validate = compileSchema({ minLength: 2, maxLength: 2 });
    expect(["😀", "😀a", "😀ab"].map(validate)).toEqual([false, true, false]);
  });

  it("compiles schemas that refer to themselves", () => {
    const list = { type: "object", properties: { next: { $ref: "#" } }, additionalProperties: false };
    const validate = compileSchema(list);
    expect(validate({ next: { next: {} } })).toBe(true);
    expect(validate({ next: { next: { last: true } } })).toBe(false);
  });
});
