import type { Json } from "../../json.ts";
import { valueAt } from "./access.ts";
import { absolute, divide, minus, modulo, negate, plus, times } from "./arithmetic.ts";
import * as containers from "./collections.ts";
import * as conversions from "./conversions.ts";
import { fromdate, strptime } from "./date-reader.ts";
import { strflocaltime, strftime, todate } from "./date-text.ts";
import { gmtime, localtime, mktime } from "./dates.ts";
import { base64Decoded, base64Encoded, uriDecoded, uriEncoded } from "./encodings.ts";
import { raise } from "./failure.ts";
import { fromJson } from "./json-reader.ts";
import { toJson, toText } from "./json-text.ts";
import { mathematics } from "./mathematics.ts";
import { equalValues, isGreater, isGreaterOrEqual, isLess, isLessOrEqual, unequalValues } from "./order.ts";
import { deletePaths, getPath, setPath, streamEvents } from "./paths.ts";
import { capturedGroups, matchRegex, replaceMatches, scannedText, splitByMatches, testRegex } from "./regex.ts";
import { type FunctionTable, type LibraryFunction, partial, total, withoutInput } from "./registration.ts";
import * as sorting from "./sorting.ts";
import * as strings from "./strings.ts";
import * as types from "./types.ts";

export { dateFormatError } from "./date-reader.ts";
export { inexactFunctions } from "./mathematics.ts";
export type { LibraryFunction } from "./registration.ts";

const operators: FunctionTable = {
  "_plus/3": withoutInput(partial("arithmetic.ts", { plus })),
  "_minus/3": withoutInput(partial("arithmetic.ts", { minus })),
  "_multiply/3": withoutInput(partial("arithmetic.ts", { times })),
  "_divide/3": withoutInput(partial("arithmetic.ts", { divide })),
  "_mod/3": withoutInput(partial("arithmetic.ts", { modulo }, "number")),
  "_negate/1": partial("arithmetic.ts", { negate }, "number"),
  "_equal/3": withoutInput(total("order.ts", { equalValues }, "boolean")),
  "_notequal/3": withoutInput(total("order.ts", { unequalValues }, "boolean")),
  "_less/3": withoutInput(total("order.ts", { isLess }, "boolean")),
  "_lesseq/3": withoutInput(total("order.ts", { isLessOrEqual }, "boolean")),
  "_greater/3": withoutInput(total("order.ts", { isGreater }, "boolean")),
  "_greatereq/3": withoutInput(total("order.ts", { isGreaterOrEqual }, "boolean")),
};

const basicFunctions: FunctionTable = {
  "abs/1": partial("arithmetic.ts", { absolute }),
  "error/1": partial("failure.ts", { raise }),
  "getpath/2": partial("paths.ts", { getPath }),
  "setpath/3": partial("paths.ts", { setPath }),
  "delpaths/2": partial("paths.ts", { deletePaths }),
  "tojson/1": total("json-text.ts", { toJson }, "string"),
  "tostring/1": total("json-text.ts", { toText }, "string"),
  "fromjson/1": partial("json-reader.ts", { fromJson }),
  "tonumber/1": partial("conversions.ts", { toNumber: conversions.toNumber }, "number"),
  "toboolean/1": partial("conversions.ts", { toBoolean: conversions.toBoolean }, "boolean"),
  "format/2": partial("conversions.ts", { format: conversions.format }, "string"),
  "type/1": total("types.ts", { typeOf: types.typeOf }, "string"),
  "not/1": total("types.ts", { isFalse: types.isFalse }, "boolean"),
  "isfinite/1": total("types.ts", { isFiniteNumber: types.isFiniteNumber }, "boolean"),
  "isinfinite/1": total("types.ts", { isInfiniteNumber: types.isInfiniteNumber }, "boolean"),
  "isnan/1": total("types.ts", { isNotNumber: types.isNotNumber }, "boolean"),
  "isnormal/1": total("types.ts", { isNormalNumber: types.isNormalNumber }, "boolean"),
};

const collectionFunctions: FunctionTable = {
  "length/1": partial("collections.ts", { length: containers.length }, "number"),
  "utf8bytelength/1": partial("collections.ts", { utf8Length: containers.utf8Length }, "number"),
  "keys/1": partial("collections.ts", { keys: containers.keys }, "array"),
  "keys_unsorted/1": partial("collections.ts", { keysInOrder: containers.keysInOrder }, "array"),
  "has/2": partial("collections.ts", { has: containers.has }, "boolean"),
  "in/2": partial("collections.ts", { isIn: containers.isIn }, "boolean"),
  "contains/2": partial("collections.ts", { contains: containers.contains }, "boolean"),
  "inside/2": partial("collections.ts", { inside: containers.inside }, "boolean"),
  "add/1": partial("collections.ts", { add: containers.add }),
  "any/1": partial("collections.ts", { any: containers.any }, "boolean"),
  "all/1": partial("collections.ts", { all: containers.all }, "boolean"),
  "flatten/1": partial("collections.ts", { flatten: containers.flatten }, "array"),
  "flatten/2": partial("collections.ts", { flattenTo: containers.flattenTo }, "array"),
  "reverse/1": partial("collections.ts", { reverse: containers.reverse }, "array"),
  "join/2": partial("collections.ts", { join: containers.join }, "string"),
  "transpose/1": partial("collections.ts", { transpose: containers.transpose }, "array"),
  "to_entries/1": partial("collections.ts", { toEntries: containers.toEntries }, "array"),
  "from_entries/1": partial("collections.ts", { fromEntries: containers.fromEntries }, "object"),
  "first/1": partial("collections.ts", { firstElement: containers.firstElement }),
  "last/1": partial("collections.ts", { lastElement: containers.lastElement }),
  "nth/2": partial("access.ts", { valueAt }),
  "sort/1": partial("sorting.ts", { sort: sorting.sort }, "array"),
  "_sort_by_impl/2": partial("sorting.ts", { sortBy: sorting.sortBy }, "array"),
  "_group_by_impl/2": partial("sorting.ts", { groupBy: sorting.groupBy }, "array"),
  "unique/1": partial("sorting.ts", { unique: sorting.unique }, "array"),
  "_unique_by_impl/2": partial("sorting.ts", { uniqueBy: sorting.uniqueBy }, "array"),
  "min/1": partial("sorting.ts", { min: sorting.min }),
  "max/1": partial("sorting.ts", { max: sorting.max }),
  "_min_by_impl/2": partial("sorting.ts", { minBy: sorting.minBy }),
  "_max_by_impl/2": partial("sorting.ts", { maxBy: sorting.maxBy }),
  "bsearch/2": partial("sorting.ts", { binarySearch: sorting.binarySearch }, "number"),
  "_flatten/2": partial("collections.ts", { flattenBy: containers.flattenBy }, "array"),
};

const stringFunctions: FunctionTable = {
  "startswith/2": partial("strings.ts", { startsWith: strings.startsWith }, "boolean"),
  "endswith/2": partial("strings.ts", { endsWith: strings.endsWith }, "boolean"),
  "ltrimstr/2": partial("strings.ts", { trimPrefix: strings.trimPrefix }, "string"),
  "rtrimstr/2": partial("strings.ts", { trimSuffix: strings.trimSuffix }, "string"),
  "trimstr/2": partial("strings.ts", { trimBoth: strings.trimBoth }, "string"),
  "trim/1": partial("strings.ts", { trim: strings.trim }, "string"),
  "ltrim/1": partial("strings.ts", { trimLeft: strings.trimLeft }, "string"),
  "rtrim/1": partial("strings.ts", { trimRight: strings.trimRight }, "string"),
  "split/2": partial("strings.ts", { split: strings.split }, "array"),
  "explode/1": partial("strings.ts", { explode: strings.explode }, "array"),
  "implode/1": partial("strings.ts", { implode: strings.implode }, "string"),
  "ascii_downcase/1": partial("strings.ts", { asciiDowncase: strings.asciiDowncase }, "string"),
  "ascii_upcase/1": partial("strings.ts", { asciiUpcase: strings.asciiUpcase }, "string"),
  "indices/2": partial("strings.ts", { indices: strings.indices }),
  "_strindices/2": partial("strings.ts", { textIndices: strings.textIndices }, "array"),
  "index/2": partial("strings.ts", { firstIndex: strings.firstIndex }),
  "rindex/2": partial("strings.ts", { lastIndex: strings.lastIndex }),
};

const dateFunctions: FunctionTable = {
  "gmtime/1": partial("dates.ts", { gmtime }, "array"),
  "localtime/1": partial("dates.ts", { localtime }, "array"),
  "mktime/1": partial("dates.ts", { mktime }, "number"),
  "strftime/2": partial("date-text.ts", { strftime }, "string"),
  "strflocaltime/2": partial("date-text.ts", { strflocaltime }, "string"),
  "todate/1": partial("date-text.ts", { todate }, "string"),
  "todateiso8601/1": partial("date-text.ts", { todate }, "string"),
  "strptime/2": partial("date-reader.ts", { strptime }, "array"),
  "fromdate/1": partial("date-reader.ts", { fromdate }, "number"),
  "fromdateiso8601/1": partial("date-reader.ts", { fromdate }, "number"),
};

/** The compiler's patterns are always valid. */
const withPattern = (member: object) => member as { readonly [name: string]: (...values: readonly Json[]) => Json };

/** `_match(input; regex; global)` and `_captured(match)`. */
const regexFunctions: FunctionTable = {
  "_test/2": partial("regex.ts", withPattern({ testRegex }), "boolean"),
  "_match/3": partial("regex.ts", withPattern({ matchRegex }), "array"),
  "_captured/1": total("regex.ts", { capturedGroups }, "object"),
  "_scanned/1": total("regex.ts", { scannedText }),
  "_between/2": partial("regex.ts", { splitByMatches }, "array"),
  "_replaced/3": partial("regex.ts", { replaceMatches }, "array"),
};

/**
 * The functions of jq 1.8.2 with one result, by name and number of parameters including the input: `length/1`, `has/2`.
 * Operators have jq's internal names, such as `_plus/3`; like `pow/3`, they ignore their input.
 */
export const library: ReadonlyMap<string, LibraryFunction> = new Map(
  [operators, basicFunctions, collectionFunctions, stringFunctions, dateFunctions, regexFunctions, mathematics].flatMap(
    (table) => Object.entries(table),
  ),
);

/** Functions with many results, returned as an array. */
export const listFunctions: ReadonlyMap<string, LibraryFunction> = new Map(
  Object.entries({
    "tostream/1": total("paths.ts", { streamEvents }, "array"),
    "combinations/1": partial("collections.ts", { combinations: containers.combinations }, "array"),
  }),
);

/** jq's formats by name, as in `@csv`. */
export const formats: ReadonlyMap<string, LibraryFunction> = new Map(
  Object.entries({
    text: total("json-text.ts", { toText }, "string"),
    json: total("json-text.ts", { toJson }, "string"),
    csv: partial("conversions.ts", { csvRow: conversions.csvRow }, "string"),
    tsv: partial("conversions.ts", { tsvRow: conversions.tsvRow }, "string"),
    html: total("conversions.ts", { htmlText: conversions.htmlText }, "string"),
    sh: partial("conversions.ts", { shellWords: conversions.shellWords }, "string"),
    uri: total("encodings.ts", { uriEncoded }, "string"),
    urid: partial("encodings.ts", { uriDecoded }, "string"),
    base64: total("encodings.ts", { base64Encoded }, "string"),
    base64d: partial("encodings.ts", { base64Decoded }, "string"),
  }),
);

/** The files of the functions behind jq's syntax and definitions. */
export const internals: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "access.ts": ["valueAt", "setAt", "elementsOf", "slice"],
    "collections.ts": ["sum"],
    "failure.ts": ["EvaluationError", "raise", "raiseOne", "raiseTwo", "raiseLimit"],
    "json-text.ts": ["toText", "toJson", "numberText", "excerpt"],
    "order.ts": ["compareValues", "compareStrings", "equalValues"],
    "regex.ts": ["testRegex", "matchRegex", "capturedGroups", "scannedText", "splitByMatches", "replaceMatches"],
    "types.ts": ["isTrue", "isList", "isRecord", "hasKey", "putMember", "typeOf"],
  }).flatMap(([file, names]) => names.map((name) => [name, file] as const)),
);
