import manifest from "../../package.json" with { type: "json" };
import { targets } from "../../targets/index.ts";
import type { Language } from "../language.ts";
import { languages } from "../languages/index.ts";
import type { Target } from "../target/contract.ts";

/** The languages and the targets that a command knows, in the order in which they are listed. */
export interface Registry {
  readonly languages: readonly Language[];
  readonly targets: readonly Target[];
}

/** Those of Waybill. */
export const standard: Registry = { languages, targets };

/** The names of languages or targets in a sentence. */
export const namesOf = (known: readonly { readonly name: string }[]): readonly string[] =>
  known.map(({ name }) => name);

/** The languages that an expression can be in. */
export const languagesOfExpressions = ["jq", "jsonpath", "boolean"] as const;

/** What an expression can become: JavaScript, which several targets are made of, and what each target has of its own. */
export const formsOfExpressions = ({ targets }: Registry): readonly string[] => [
  "js",
  ...targets.flatMap(({ printExpression }) => printExpression?.as ?? []),
];

/** The version of Waybill. */
export const version: string = manifest.version;

/** Waybill, as reports name it. */
export const tool = { name: "waybill", version, home: manifest.homepage } as const;
