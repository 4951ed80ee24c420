import type { Json } from "../../../src/json.ts";

/** A source of random integers below a limit. */
export type RandomIndex = (limit: number) => number;

/** A linear congruential generator. */
export function randomIndexes(seed: number): RandomIndex {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % limit;
  };
}

/** The document of random programs: nested arrays, members that are missing, null, of several types or hostile. */
export const document: Json = JSON.parse(`{
  "name": "Ada", "n": 3, "zero": 0, "flag": true, "nothing": null, "empty": [], "text": "b,a,c", "__proto__": {"a": 1},
  "list": [3, 1, 2], "words": ["b", "a", "c"], "mixed": [1, "a", null, true, [2, [3]], {"a": 1}],
  "orders": [
    {"id": 1, "lines": [{"sku": "A", "price": 10, "qty": 2}, {"sku": "B", "price": 2.5, "qty": 4}]},
    {"id": 2, "lines": {"sku": "A", "price": 10, "qty": 1}},
    {"id": 3, "lines": [], "note": "late"}
  ],
  "a": {"b": {"c": [{"d": 1}, {"d": [2, 3]}, {"e": 4}]}, "b.c": "dotted"}
}`);

/** A random JSONata program over `document`. Variables are assigned only in blocks. */
export function randomProgram(random: RandomIndex, depth = 4): string {
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const sub = (): string => (depth <= 0 ? pick(leaves) : randomProgram(random, depth - 1 - random(2)));
  const list = (most: number): string => Array.from({ length: random(most + 1) }, sub).join(", ");
  const entries = (most: number): string =>
    Array.from(
      { length: random(most + 1) },
      (_, i) => `${pick([`"k${i}"`, `"k${i}"`, sub(), "$string($)"])}: ${sub()}`,
    ).join(", ");
  if (depth <= 0) return pick(leaves);
  const forms: readonly (() => string)[] = [
    () => pick(leaves),
    () => `${pick(paths)}.${pick(names)}`,
    () => `${pick(paths)}.${pick(names)}`,
    () => `${sub()}.${pick([...names, "*", "**", "$", `(${sub()})`, `[${list(2)}]`, `{${entries(2)}}`])}`,
    () => `(${sub()})[${pick(["0", "-1", "1", "$ = 1", "$ > 1", "id = 1", "price > 5", sub()])}]`,
    () => `${pick(paths)}[${sub()}]`,
    () => `${pick(paths)}[]${pick(["", `.${pick(names)}`])}`,
    () => `${pick(paths)}{${pick(["sku", "id", "$string($)", sub()])}: ${sub()}}`,
    () => `${pick(paths)}^(${pick(["", "<", ">"])}${pick(["price", "id", "$", "sku", sub()])})`,
    () => `orders@$o.lines@$l[$o.id = ${random(3)}].{"id": $o.id, "sku": $l.sku}`,
    () => `${pick(paths)}#$i[$i ${pick(["<", "=", ">="])} ${random(3)}]`,
    () => `orders.lines.${pick(["%.id", "{'id': %.id, 'sku': sku}", `(%.note)`, "sku[%.price > 5]"])}`,
    () => `(${sub()} ${pick(operators)} ${sub()})`,
    () => `(${sub()} ${pick(operators)} ${sub()})`,
    () => `(${sub()} ${pick(["and", "or", "in", "&", "="])} ${sub()})`,
    () => `-${pick(["1", "n", "list[0]", `(${sub()})`])}`,
    () => `[${list(3)}]`,
    () => `[${pick(["1", "n", sub()])}..${pick(["3", "n", sub()])}]`,
    () => `{${entries(3)}}`,
    () => `(${sub()} ? ${sub()} : ${sub()})`,
    () => `(${sub()} ${pick(["??", "?:"])} ${sub()})`,
    () => `($x := ${sub()}; ${sub()})`,
    () => `($f := function($v, $i){ ${sub()} }; $f(${list(2)}))`,
    () => `$${pick(["map", "filter"])}(${pick(paths)}, function($v, $i){ ${sub()} })`,
    () => `$reduce(${pick(paths)}, function($x, $v){ ${sub()} }${pick(["", `, ${sub()}`])})`,
    () => `$${pick(["each", "sift"])}(${pick(["$", "a", "orders[0]", sub()])}, function($v, $k){ ${sub()} })`,
    () => `$sort(${pick(paths)}, function($l, $r){ ${pick(["$l > $r", "$l.price < $r.price", sub()])} })`,
    () => `$single(${pick(paths)}, function($v){ ${sub()} })`,
    () => `$${pick(functions)}(${list(2)})`,
    () => `$${pick(functions)}(${sub()})`,
    () => `(${sub()} ~> $${pick(functions)})`,
    () =>
      `(${pick(paths)} ~> |${pick(["$", "lines", "**", sub()])}|{${entries(2)}}${pick(["", ', "id"', ', ["id", "sku"]'])}|)`,
    () =>
      `$${pick(["substring", "pad", "split", "join", "append", "power", "contains", "replace"])}(?, ${sub()})(${sub()})`,
    () =>
      `$${pick(["match", "contains", "split"])}(${pick(["text", "name", sub()])}, /${pick(regexes)}/${pick(["", "i", "m"])})`,
    () =>
      `$replace(${pick(["text", "name", sub()])}, /${pick(regexes)}/, ${pick(['"$0-$1"', "function($m){ $m.match }", sub()])})`,
    () => `$${pick(["formatNumber(n, '#,##0.00')", "formatBase(n, 2)", "fromMillis(0)", "toMillis('2020-01-01')"])}`,
    () => `$${pick(["formatInteger(n, 'w')", "formatNumber(list, '#')", "fromMillis(n, '[Y0001]')", "round(2.5)"])}`,
    () => `($walk := function($n){ $n <= 0 ? ${sub()} : $walk($n - 1) }; $walk(${random(5)}))`,
    () => `($g := $${pick(functions)} ~> $${pick(functions)}; $g(${sub()}))`,
  ];
  return pick(forms)();
}

const leaves = [
  ...["1", "0", "2.5", "-1", '"a"', '""', "true", "false", "null", "[]", "{}", "n", "name", "list", "words", "mixed"],
  ...[
    "text",
    "flag",
    "nothing",
    "missing",
    "empty",
    "orders",
    "$",
    "$$",
    "$x",
    "$v",
    "orders.id",
    "orders.lines.price",
  ],
  ...[
    "a.b.c.d",
    "a.`b.c`",
    "*",
    "**",
    "$f",
    "$i",
    "__proto__",
    "constructor",
    "orders.lines",
    "orders[0]",
    "zero",
    "$uppercase",
  ],
];
const paths = [
  "orders",
  "orders.lines",
  "list",
  "words",
  "mixed",
  "a.b.c",
  "$",
  "$$.orders",
  "orders[id < 3]",
  "n",
  "*",
  "missing",
  "[1..4]",
];
const names = [
  "id",
  "lines",
  "sku",
  "price",
  "a",
  "b",
  "c",
  "d",
  "note",
  "missing",
  "__proto__",
  "toString",
  "length",
  '"id"',
];
const operators = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "=", "!=", "&", "in"];
const regexes = ["a", "[a-c]", "(b),(a)", "(.)", "^A", ",", "x*", "(?:a|b)+", "\\\\w+", "a$"];
const functions = [
  ...["sum", "count", "max", "min", "average", "string", "substring", "substringBefore", "substringAfter", "lowercase"],
  ...["uppercase", "length", "trim", "pad", "contains", "split", "join", "replace", "number", "floor", "ceil", "round"],
  ...[
    "abs",
    "sqrt",
    "power",
    "boolean",
    "not",
    "zip",
    "keys",
    "lookup",
    "append",
    "exists",
    "spread",
    "merge",
    "reverse",
  ],
  ...["type", "sort", "distinct", "base64encode", "base64decode", "encodeUrl", "decodeUrlComponent", "error", "assert"],
  ...[
    "formatBase",
    "formatInteger",
    "parseInteger",
    "toMillis",
    "fromMillis",
    "eval",
    "clone",
    "map",
    "filter",
    "single",
  ],
];
