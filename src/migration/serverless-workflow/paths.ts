import { assumption, noForm } from "../../diagnostics/migration.ts";
import { isParseError, type JsonPath, parseJsonPath, variable } from "../../expressions/index.ts";
import type { Json } from "../../json.ts";
import { isObject } from "../../json.ts";
import { keyOf, wrapped } from "../jq-text.ts";
import type { Filter, Path, Place } from "../model.ts";
import type { ReaderContext } from "./context.ts";
import { pathText } from "./jq.ts";

/** A path of the draft and its program. */
export interface PathProgram {
  /** Of the selected value, or of an array if there may be several. */
  readonly jq: string;
  readonly isDefinite: boolean;
  /** The members that it goes through; undefined if there are others. */
  readonly names: readonly string[] | undefined;
  readonly lastName: string | undefined;
}

/** The program of a path. Reports one that has none. */
export function pathProgram(context: ReaderContext, text: string, place: Place): PathProgram | undefined {
  const path = parseJsonPath(text, variable("data"));
  const jq = isParseError(path) ? undefined : programOf(path);
  if (jq === undefined || isParseError(path)) {
    context.tell(noForm, place, { construct: `the path \`${text}\``, hint: "Write the value as a jq expression." });
    return undefined;
  }
  const { definite, chain, lastName } = path;
  return { jq, isDefinite: definite, names: chain, lastName };
}

function programOf({ query, segments, definite, isRoot }: JsonPath): string | undefined {
  if (isRoot) return ".";
  if (query.kind !== "query") return undefined;
  const selected = pathText(segments, ".");
  return selected === undefined || definite ? selected : `[${selected}]`;
}

/** A path of a name: `.name`, at which something is placed. */
export const placeOf = (context: ReaderContext, text: string, place: Place): Path | undefined => {
  const path = pathProgram(context, text, place);
  return path && path.jq !== "." ? { jq: path.jq, names: path.names } : undefined;
};

/** A filter that selects data, or all data if it selects nothing. */
export function filterAt(context: ReaderContext, owner: object, key: string): Filter | undefined {
  const text = (owner as { readonly [key: string]: string | undefined })[key];
  const place = { owner, key };
  const path = text === undefined ? undefined : pathProgram(context, text, place);
  if (!path || path.jq === ".") return undefined;
  const { jq, isDefinite } = path;
  context.tell(assumption, place, {
    expression: jq,
    assumed: "the path selects something",
    otherwise: `The draft keeps all data otherwise: \`${isDefinite ? `${jq} // .` : `if ${jq} == [] then . else ${jq} end`}\`.`,
  });
  return { jq, place };
}

/** JSON whose strings may be paths. */
export function templateOf(context: ReaderContext, value: Json, place: Place): Json {
  if (typeof value === "string") return textOf(context, value, place);
  if (Array.isArray(value)) return value.map((each, key) => templateOf(context, each, { owner: value, key }));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, templateOf(context, each, { owner: value, key })]),
  );
}

function textOf(context: ReaderContext, text: string, place: Place): Json {
  if (context.options.interpolate && /.\$[.[]/.test(text))
    context.tell(noForm, place, {
      construct: "paths inside of text",
      hint: `Write one expression, such as \`\${ "Hello \\(.name)!" }\`.`,
    });
  if (!/^\$(?:[.[]|$)/.test(text) || isParseError(parseJsonPath(text, variable("data"))))
    return text.replaceAll(/\\\$(?=[.[]|$)/g, "$");
  const path = pathProgram(context, text, place);
  return path === undefined ? null : wrapped(path.jq);
}

/**
 * A program for a value that is merged without a path, if the definition reads it under the name that it gets if it is
 * not an object.
 */
export function namedValue({ definition }: ReaderContext, name: string): string | undefined {
  if (!JSON.stringify(definition).includes(`$.${name}`)) return undefined;
  return `if type == "object" or . == null then . else { ${keyOf(name)}: . } end`;
}
