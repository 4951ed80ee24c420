import manifest from "../../package.json" with { type: "json" };
import { targets } from "../../targets/index.ts";
import { languages } from "../languages/index.ts";
import type { Registry } from "../plugins/plugin.ts";

export type { Registry } from "../plugins/plugin.ts";

/** The languages and targets of Waybill. */
export const standardRegistry: Registry = { languages, targets };

/** The names of languages or targets. */
export const namesOf = (known: readonly { readonly name: string }[]): readonly string[] =>
  known.map(({ name }) => name);

/** The languages of `waybill eval --in`. */
export const expressionLanguages = ["jq", "jsonata", "jsonpath", "boolean"] as const;

/** The languages of `waybill eval --as`. */
export const expressionForms = ({ targets }: Registry): readonly string[] => [
  "js",
  ...targets.flatMap(({ printExpression }) => printExpression?.as ?? []),
];

/** The version of Waybill. */
export const version: string = manifest.version;

/** Waybill as the tool in reports. */
export const tool = { name: "waybill", version, home: manifest.homepage } as const;
