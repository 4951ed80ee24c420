import fc from "fast-check";

/** Random schemas, including invalid ones. */
export const schemas = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      {},
      true,
      null,
      1,
      "x",
      { $ref: "#/components/schemas/A" },
      { $ref: "#/x" },
      { type: "string" },
      { enum: ["*/", 1] },
      { const: null },
    ),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.string(), tie("schema")),
      required: fc.array(fc.string()),
    }),
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { maxLength: 3 }), nullable: fc.boolean() }),
  ),
})).schema;
