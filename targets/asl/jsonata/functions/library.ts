import { type Expression, formOf } from "../../../../src/expressions/index.ts";
import type { Json } from "../../../../src/json.ts";
import { blockText, type Code, callCode, code, constantCode, infix, lambda, precedence, stringText } from "../code.ts";
import {
  bindName,
  callHelper,
  freshName,
  inferredType,
  isAlways,
  type JsonataPrinter,
  typeNameIn,
} from "../context.ts";
import { type FunctionPrinters, helper, unsupported, value } from "./descriptor.ts";

/** jq's numeric functions. */
export const numbers: FunctionPrinters = {
  "_negate/1": helper("negateOf"),
  "abs/1": helper("absoluteOf"),
  "ceil/1": helper("ceilOf"),
  "fabs/1": helper("sizeOf"),
  "floor/1": value(({ args }, [x], printer) =>
    typeNameIn(args[0]!, printer) === "number" ? callCode("floor", x!) : callHelper(printer, "floorOf", x!),
  ),
  "round/1": helper("roundOf"),
  "trunc/1": helper("wholeOf"),
  ...unsupported("_plus/2 _minus/2 _multiply/2 _divide/2 _mod/2"),
  ...unsupported("_equal/2 _notequal/2 _less/2 _lesseq/2 _greater/2 _greatereq/2"),
};

/** jq's string functions. */
export const strings: FunctionPrinters = {
  "ascii_downcase/1": helper("lowerOf"),
  "ascii_upcase/1": helper("upperOf"),
  "endswith/2": helper("endsWith"),
  "join/2": helper("joinBy"),
  "ltrim/1": helper("trimStartOf"),
  "ltrimstr/2": helper("withoutStart"),
  "rtrim/1": helper("trimEndOf"),
  "rtrimstr/2": helper("withoutEnd"),
  "split/2": helper("splitBy"),
  "startswith/2": helper("startsWith"),
  "trim/1": helper("trimOf"),
  "trimstr/2": helper("withoutEnds"),
  "utf8bytelength/1": helper("bytesIn"),
  ...unsupported("explode/1 implode/1 _strindices/2"),
};

/** jq's array and object functions. */
export const collections: FunctionPrinters = {
  "add/1": helper("sumOf"),
  "contains/2": helper("containsPart"),
  "flatten/1": value((_, [list], printer) => callHelper(printer, "flattenTo", list!, constantCode("1e9"))),
  "flatten/2": helper("flattenTo"),
  "from_entries/1": helper("fromEntries"),
  "_group_by_impl/2": helper("groupedBy"),
  "has/2": helper("hasKey"),
  "index/2": helper("firstIndex"),
  "indices/2": helper("indicesOf"),
  "keys/1": helper("keysOf"),
  "keys_unsorted/1": helper("keysInOrder"),
  "length/1": value((call, [item], printer) => {
    const type = typeNameIn(call.args[0]!, printer);
    if (type === "array" || type === "string") return callCode(type === "array" ? "count" : "length", item!);
    return callHelper(printer, "lengthOf", item!);
  }),
  "max/1": value((_, [list], printer) =>
    bindName(list!, printer, "list", (item) => callHelper(printer, "greatestBy", item, item)),
  ),
  "_max_by_impl/2": helper("greatestBy"),
  "min/1": value((_, [list], printer) =>
    bindName(list!, printer, "list", (item) => callHelper(printer, "leastBy", item, item)),
  ),
  "_min_by_impl/2": helper("leastBy"),
  "reverse/1": helper("reverseOf"),
  "rindex/2": helper("lastIndex"),
  "sort/1": helper("sortOf"),
  "_sort_by_impl/2": helper("sortedBy"),
  "to_entries/1": helper("entriesOf"),
  "unique/1": helper("uniqueOf"),
  "_unique_by_impl/2": helper("uniqueBy"),
  ...unsupported("in/2 inside/2 nth/2 bsearch/2 transpose/1 combinations/1 tostream/1 _flatten/2"),
};

/** jq's path functions. */
export const paths: FunctionPrinters = {
  "delpaths/2": value(
    ({ args }, [from, paths], printer) =>
      withoutMembers(args, from!, printer) ?? callHelper(printer, "withoutPaths", from!, paths!),
  ),
  "getpath/2": helper("getPath"),
  "setpath/3": helper("setPath"),
};

/** `delpaths(.; [["a"], ["b"]])` → `$merge([$sift($states.input, …)])`, for a known object. */
function withoutMembers([of, paths]: readonly Expression[], from: Code, printer: JsonataPrinter): Code | undefined {
  const names = memberNames(paths!, printer);
  if (!names || names.length === 0 || !isAlways(inferredType(of!, printer), "object")) return undefined;
  const [item, key] = [freshName(printer, "x"), freshName(printer, "k")];
  const list = code(`[${names.map(stringText).join(", ")}]`);
  const isOther = callCode("not", infix("in", precedence.comparison, code(key), list));
  return code(`$merge([$sift(${blockText(from)}, ${lambda([item, key], isOther)})])`);
}

function memberNames(paths: Expression, { dotType }: JsonataPrinter): readonly string[] | undefined {
  const all = paths.kind === "literal" ? paths.value : literalPaths(paths, isAlways(dotType, "object"));
  if (!Array.isArray(all)) return undefined;
  const names = all.flatMap((path: Json) => (Array.isArray(path) && path.length === 1 ? [path[0]!] : [null]));
  return names.every((name) => typeof name === "string") ? names : undefined;
}

/** `[path(.a, .b)]` → `[["a"], ["b"]]`. */
function literalPaths(paths: Expression, isObject: boolean): Json | undefined {
  const items = paths.kind === "array" ? paths.items : undefined;
  const form = items?.kind === "call" ? formOf(items) : undefined;
  const body = form?.name === "path" ? form.args[0] : undefined;
  if (!body || !isObject) return undefined;
  return (body.kind === "comma" ? body.items : [body]).map((each) =>
    each.kind === "access" && each.source.kind === "identity" && each.key.kind === "literal" ? [each.key.value] : null,
  );
}

/** jq's date functions. None of JSONata's date formats matches jq's exactly. */
export const dates: FunctionPrinters = unsupported(
  "gmtime/1 localtime/1 mktime/1 strftime/2 strflocaltime/2 strptime/2 todate/1 todateiso8601/1 fromdate/1 " +
    "fromdateiso8601/1",
);

/** jq's mathematical functions without exact JSONata counterparts. */
export const mathematics: FunctionPrinters = unsupported(
  [
    "acos/1 acosh/1 asin/1 asinh/1 atan/1 atan2/2 atanh/1 cos/1 cosh/1 sin/1 sinh/1 tan/1 tanh/1 hypot/2 cbrt/1",
    "exp/1 exp10/1 exp2/1 expm1/1 log/1 log10/1 log1p/1 log2/1 logb/1 gamma/1 frexp/1 ldexp/2 modf/1 scalb/2 scalbln/2",
    "copysign/2 drem/2 fdim/2 fmax/2 fmin/2 fmod/2 nearbyint/1 nextafter/2 nexttoward/2 remainder/2 rint/1 significand/1 pow/2 sqrt/1",
  ].join(" "),
);
