import { dataMergeError } from "../../../src/expressions/builtins/merge.ts";
import { errorCall } from "./errors.ts";
import { stringText } from "./text.ts";

/** A function that expressions define at their head when they use it. */
interface Helper {
  readonly name: string;
  readonly body: string;
}

const failsAs = (name: string, message: string): string => errorCall(stringText(`${name}: ${message}`));
const fails = (message: string): string => failsAs(dataMergeError.name, message);
const numeral = "/^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?$/";
const timestamp = "/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[-+]([01][0-9]|2[0-3]):[0-5][0-9])$/";

/**
 * What JSONata does not do as exactly: its paths go into arrays by themselves, its lists of one become their element, its merges are
 * shallow. A stream is an array of boxes `{"v": value}`, so that values that are arrays stay whole. A helper comes after those it uses.
 */
const helpers: readonly Helper[] = [
  { name: "get", body: 'function($v, $k) { $type($v) = "object" ? $lookup($v, $k) }' },
  { name: "member", body: 'function($v, $k) { $type($v) = "object" ? ($k in $keys($v) ? $lookup($v, $k)) }' },
  { name: "path", body: 'function($v, $ks) { $type($v) = "object" ? $reduce($ks, $get, $v) }' },
  { name: "at", body: 'function($v, $i) { $type($v) = "array" ? $v[$i] }' },
  { name: "default", body: "function($v, $d) { $exists($v) ? $v : $d }" },
  { name: "truthy", body: "function($v) { $exists($v) ? ($v != null and $v != false) : false }" },
  { name: "box", body: 'function($v) { $exists($v) ? {"v": $v} }' },
  {
    name: "items",
    body: 'function($v) { $type($v) = "array" ? [$map($v, function($x) { {"v": $x} })] : $type($v) = "object" ? [$each($v, function($x) { {"v": $x} })] : [] }',
  },
  {
    name: "slice",
    body: 'function($v, $i, $j) { $type($v) = "array" ? ($n := $count($v); $lo := $i < 0 ? $n + $i : $i; $hi := $j = null ? $n : $j < 0 ? $n + $j : $j; [$map($v, function($x, $p) { $p >= $lo and $p < $hi ? {"v": $x} })]) : [] }',
  },
  { name: "children", body: "function($s) { $reduce($s, function($a, $b) { $append($a, $items($b.v)) }, []) }" },
  { name: "descend", body: "function($s) { $reduce($s, function($a, $b) { $append($append($a, [$b]), $descend($items($b.v))) }, []) }" },
  { name: "list", body: 'function($s) { $reduce($s, function($a, $b) { $append($a, $type($b.v) = "array" ? [[$b.v]] : [$b.v]) }, []) }' },
  { name: "head", body: "function($s) { $count($s) > 0 ? $s[0].v }" },
  { name: "only", body: "function($s) { $count($s) < 2 ? $head($s) : $list($s) }" },
  { name: "same", body: "function($a, $b) { $exists($a) ? ($exists($b) ? $a = $b : false) : $not($exists($b)) }" },
  { name: "differ", body: "function($a, $b) { $exists($a) ? ($exists($b) ? $a != $b : $a = null) : $exists($b) and $b = null }" },
  {
    name: "numeral",
    body: `function($v) { $type($v) = "number" ? $v : $type($v) = "string" ? ($contains($v, ${numeral}) ? $number($v)) }`,
  },
  {
    name: "time",
    body: `function($v) { $type($v) = "string" ? ($contains($v, ${timestamp}) ? ($t := $toMillis($v); $t = $t and $substring($fromMillis($t, "[Y0001]-[M01]-[D01]T[H01]:[m01]:[s01]", $contains($v, "Z") ? "+0000" : $replace($substring($v, $length($v) - 6), ":", "")), 0, 19) = $substring($v, 0, 19) ? $t)) }`,
  },
  { name: "sign", body: "function($a, $b) { $a < $b ? -1 : $a > $b ? 1 : 0 }" },
  {
    name: "order",
    body: 'function($a, $b) { ($m := $numeral($a); $n := $numeral($b); $exists($m) and $exists($n) ? $sign($m, $n) : ($s := $time($a); $t := $time($b); $exists($s) and $exists($t) ? $sign($s, $t) : $type($a) = "string" and $type($b) = "string" ? $sign($a, $b))) }',
  },
  {
    name: "nodeOrder",
    body: `function($a, $b) { $type($a) = "number" and $type($b) = "number" ? $sign($a, $b) : $type($a) = "string" and $type($b) = "string" ? ($contains($a & $b, /[\\uD800-\\uDFFF]/) ? ${failsAs("LimitError", "Texts with characters beyond U+FFFF cannot be ordered here.")} : $sign($a, $b)) : $a = $b ? 0 }`,
  },
  {
    name: "blend",
    body: 'function($a, $b) { $type($a) = "object" and $type($b) = "object" ? $merge($append([$a], $each($b, function($x, $k) { {$k: $blend($lookup($a, $k), $x)} }))) : $b }',
  },
  {
    name: "merged",
    body: `function($a, $b) { $type($b) = "object" and $type($a) != "object" ? ${fails(dataMergeError.merge)} : $blend($a, $b) }`,
  },
  { name: "absorb", body: 'function($a, $v, $k) { $v = null ? $a : $merged($a, $type($v) = "object" ? $v : {$k: $v}) }' },
  { name: "object", body: 'function($v) { $type($v) = "object" ? $v : {} }' },
  { name: "put", body: `function($a, $k, $v) { $type($a) = "object" ? $merge([$a, {$k: $v}]) : ${fails(dataMergeError.place)} }` },
  {
    name: "changes",
    body: 'function($v, $b) { $type($v) = "object" and $type($b) = "object" ? $merge($append([{}], $each($v, function($x, $k) { ($o := $member($b, $k); $exists($o) ? ($x != $o ? {$k: $type($x) = "object" and $type($o) = "object" ? $changes($x, $o) : $x}) : {$k: $x}) }))) : $v = $b ? null : $v }',
  },
  {
    name: "text",
    body: `function($v) { $type($v) = "string" ? $v : ($t := $string($v); $parse($t) = $v ? $t : ${failsAs("LimitError", "A number has more digits than can be written here.")}) }`,
  },
  {
    name: "add",
    body: `function($a, $b) { $a = null ? $b : $b = null ? $a : $type($a) != $type($b) ? ${failsAs("ExpressionError", "Values of these types cannot be added.")} : $type($a) = "number" ? $a + $b : $type($a) = "string" ? $a & $b : $type($a) = "array" ? $append($a, $b) : $type($a) = "object" ? $merge([$a, $b]) : ${failsAs("ExpressionError", "Values of these types cannot be added.")} }`,
  },
];

/** The definitions of the helpers that are used, and of those that these use, in the order in which they must stand. */
export function definitions(names: ReadonlySet<string>): string {
  const wanted = new Set(names);
  const needed = helpers.toReversed().filter(({ name, body }) => {
    if (!wanted.has(name)) return false;
    for (const used of body.matchAll(/\$([A-Za-z]+)/g)) wanted.add(used[1]!);
    return true;
  });
  return needed
    .toReversed()
    .map(({ name, body }) => `$${name} := ${body}; `)
    .join("");
}

/** Names that variables of a machine must not have: expressions use them for functions. */
export const functionNames: ReadonlySet<string> = new Set([
  ...helpers.map(({ name }) => name),
  ..."sum count max min average string substring substringBefore substringAfter lowercase uppercase length trim pad match contains replace".split(
    " ",
  ),
  ..."split join formatNumber formatBase formatInteger parseInteger number floor ceil round abs sqrt power random boolean not map zip".split(
    " ",
  ),
  ..."filter single reduce foldLeft sift keys lookup append exists spread merge reverse each error assert type sort shuffle distinct".split(
    " ",
  ),
  ..."base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis fromMillis clone now millis eval".split(
    " ",
  ),
  ..."partition range hash uuid parse states failure law".split(" "),
]);
