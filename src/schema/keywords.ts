import { isObject, type Json, type JsonObject, own } from "../json.ts";

const supportedKeywords: ReadonlySet<string> = new Set(
  (
    "$schema $id $comment $defs $ref title description default examples type enum const properties patternProperties additionalProperties required " +
    "dependentRequired minProperties maxProperties items minItems maxItems minLength maxLength pattern " +
    "format minimum maximum exclusiveMinimum exclusiveMaximum allOf anyOf oneOf not if then else discriminator " +
    "x-aliases x-words x-fold x-fold-keys x-meant x-remedies x-interpolated x-empty x-short x-seconds"
  ).split(" "),
);

/** Lists keywords that explanations would ignore. */
export function unknownKeywords(schema: Json): readonly string[] {
  const unknown = new Set<string>();
  visit(schema, (keyword) => {
    if (!supportedKeywords.has(keyword)) unknown.add(keyword);
  });
  return [...unknown];
}

function visit(schema: Json, keywordFound: (keyword: string) => void): void {
  if (!isObject(schema)) return;
  for (const keyword of Object.keys(schema)) keywordFound(keyword);
  for (const inner of innerSchemas(schema)) visit(inner, keywordFound);
}

function innerSchemas(schema: JsonObject): readonly Json[] {
  const named = ["properties", "patternProperties", "$defs"].flatMap((keyword) =>
    Object.values((own(schema, keyword) ?? {}) as JsonObject),
  );
  const listed = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => (own(schema, keyword) ?? []) as readonly Json[]);
  const single = ["items", "additionalProperties", "not", "if", "then", "else"].flatMap(
    (keyword) => own(schema, keyword) ?? [],
  );
  return [...named, ...listed, ...single];
}
