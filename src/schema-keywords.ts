/**
 * Keywords from which types follow. With `untypedKeywords`, they are all that restrict values in the form of
 * `SchemaRules`: `schemaRules` produces no others, checks enforce each, and types rely on no others.
 */
export const typedKeywords = [
  ...(["$ref", "type", "enum", "allOf", "anyOf", "oneOf"] as const),
  ...(["properties", "patternProperties", "additionalProperties", "required"] as const),
  ...(["prefixItems", "items"] as const),
] as const;

/** Keywords that restrict values in ways that types do not express. */
export const untypedKeywords = [
  ...(["not", "if", "then", "else"] as const),
  ...(["propertyNames", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties"] as const),
  ...(["contains", "minContains", "maxContains", "uniqueItems", "minItems", "maxItems"] as const),
  ...(["minLength", "maxLength", "pattern"] as const),
  ...(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const),
] as const;

/** A keyword from which types follow. */
export type TypedKeyword = (typeof typedKeywords)[number];

/** A keyword that restricts values. */
export type RuleKeyword = TypedKeyword | (typeof untypedKeywords)[number];
