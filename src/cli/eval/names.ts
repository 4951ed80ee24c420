import type { Registry } from "../registry.ts";

/** The languages that an expression can be in. */
export const languagesOfExpressions = ["jq", "jsonpath", "boolean"] as const;

/** What an expression can become: JavaScript, which several targets are made of, and what each target has of its own. */
export const formsOfExpressions = ({ targets }: Registry): readonly string[] => [
  "js",
  ...targets.flatMap(({ printExpression }) => printExpression?.as ?? []),
];
