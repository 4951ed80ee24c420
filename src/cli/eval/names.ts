/** The languages that an expression can be in. */
export const languagesOfExpressions = ["jq", "jsonpath", "boolean"] as const;

/** What an expression can become. */
export const targetsOfExpressions = ["js", "ts", "jsonata"] as const;
