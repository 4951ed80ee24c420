import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { type RuleKeyword, typedKeywords, untypedKeywords } from "../schema-keywords.ts";

/** Keywords that restrict values, but schemas of definitions do not use. */
const unsupported: ReadonlySet<string> = new Set<RuleKeyword>([
  "propertyNames",
  "dependentSchemas",
  "prefixItems",
  "contains",
  "minContains",
  "maxContains",
  "uniqueItems",
  "multipleOf",
]);

/** The keywords by which definitions are checked. */
export const checkedKeywords: readonly string[] = [
  ...[...typedKeywords, ...untypedKeywords].filter((keyword) => !unsupported.has(keyword)),
  ..."const discriminator".split(" "),
];

const supportedKeywords: ReadonlySet<string> = new Set([
  ...checkedKeywords,
  ..."$schema $id $comment $defs title description default examples format".split(" "),
  ..."x-aliases x-words x-fold x-fold-keys x-meant x-remedies x-interpolated x-empty x-short x-seconds".split(" "),
]);

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
