import { describe, expect, test } from "vitest";
import { substitute } from "../../../../src/expressions/analysis/substitute.ts";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import {
  binary,
  bind,
  call,
  collect,
  conditional,
  firstOr,
  identity,
  literal,
  member,
  object,
  pipe,
  variable,
} from "../../../../src/expressions/core/build.ts";
import type { Json } from "../../../../src/json.ts";
import { condition, nodes, path, shown, template } from "./readable-jq.ts";

const data = variable("data");
const x = variable("x");
const result = variable("y");
const merge = (target: Expression, value: Expression): Expression => call("merge", target, value);
const place = (names: readonly string[]): Expression => call("place", data, literal(names), result);

const noMerge = '$error("waybill:" & "DataMergeError: An object cannot be merged into a value that is not an object.")';
const noPlace = '$error("waybill:" & "DataMergeError: A value cannot be placed inside a value that is not an object.")';

describe("paths become JSONata paths with guards", () => {
  test.each([
    ["$", "$states.input"],
    ["$.order", '$type($states.input) = "object" and $exists($states.input.order) ? $states.input.order : null'],
    [
      "$.customer.mail",
      '$type($states.input) = "object" and $type($states.input.customer) = "object" and $exists($states.input.customer.mail) ? $states.input.customer.mail : null',
    ],
    ["$['a b']", '$type($states.input) = "object" and $exists($states.input.`a b`) ? $states.input.`a b` : null'],
    ["$['and']", '$type($states.input) = "object" and $exists($states.input.`and`) ? $states.input.`and` : null'],
    ["$['ü']", '$type($states.input) = "object" and $exists($states.input.`ü`) ? $states.input.`ü` : null'],
    ["$['`']", 'get: ($found := $get($states.input, "`"); $exists($found) ? $found : null)'],
    ["$.constructor", 'getOwn: ($found := $getOwn($states.input, "constructor"); $exists($found) ? $found : null)'],
    ["$.a.b.c.d", 'get: ($found := $get($states.input, ["a", "b", "c", "d"]); $exists($found) ? $found : null)'],
    [
      "$.lines[-1]",
      '$type($states.input) = "object" and $type($states.input.lines) = "array" and $exists($states.input.lines[-1]) ? $states.input.lines[-1] : null',
    ],
    ["$.lines[*]", 'childrenOf, unbox: ($unbox($childrenOf($type($states.input) = "object" ? $states.input.lines)))'],
    [
      "$..id",
      'childrenOf, descendantsOf, unbox: ($unbox($descendantsOf($states.input).($type(value) = "object" and $exists(value.id) ? {"value": value.id})))',
    ],
    [
      "$.lines[1:3]",
      'sliceOf, unbox: ($unbox($sliceOf($type($states.input) = "object" ? $states.input.lines, 1, 3, 1)))',
    ],
    [
      "$.lines[::-1]",
      'sliceBack, unbox: ($unbox($sliceBack($type($states.input) = "object" ? $states.input.lines, null, null, 1)))',
    ],
    [
      "$.lines[0,2]",
      'unbox: ($value := $type($states.input) = "object" ? $states.input.lines; $unbox([$type($value) = "array" and $exists($value[0]) ? {"value": $value[0]}, $type($value) = "array" and $exists($value[2]) ? {"value": $value[2]}]))',
    ],
  ])("%s", (text, expected) => expect(shown(path(text))).toBe(expected));

  test.each([
    ["@.open", '$type(value) = "object" and $exists(value.open) and $not(value.open in [null, false])'],
    ["@.open == true", '$type(value) = "object" and value.open = true'],
    ["@.price < 10", '$type(value) = "object" and $type(value.price) = "number" and value.price < 10'],
    ["'b' <= @.name", '$type(value) = "object" and $type(value.name) = "string" and value.name >= "b"'],
    [
      "@.open && @.price > 3",
      '$type(value) = "object" and $exists(value.open) and $not(value.open in [null, false]) and $type(value.price) = "number" and value.price > 3',
    ],
  ])("filter %s", (text, expected) =>
    expect(shown(path(`$.lines[?(${text})]`))).toBe(
      `childrenOf: ([$childrenOf($type($states.input) = "object" ? $states.input.lines)[${expected}].value])`,
    ),
  );
});

describe("conditions", () => {
  test.each([
    ["$.state eq 'RUNNING'", '$type($states.input) = "object" and $states.input.state = "RUNNING"'],
    ["$.state ne null", '$type($states.input) = "object" and $states.input.state != null'],
    [
      "$.open",
      '$type($states.input) = "object" and $exists($states.input.open) and $not($states.input.open in [null, false])',
    ],
    [
      "$.a eq 1 and $.b eq 2 and $.c eq 3",
      '$type($states.input) = "object" and $states.input.a = 1 and $states.input.b = 2 and $states.input.c = 3',
    ],
    [
      "$.name lt 'm'",
      '$type($states.input) = "object" and $type($states.input.name) = "string" and $states.input.name < "m"',
    ],
    [
      "$.age ge 18",
      'numberOf: ($numeral := $numberOf($type($states.input) = "object" ? $states.input.age); $exists($numeral) and $numeral >= 18)',
    ],
    [
      "$.age ge '18'",
      '$type($states.input) = "object" and ($type($states.input.age) = "number" ? $states.input.age >= 18 : $type($states.input.age) = "string" and ($contains($states.input.age, /^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?(?![\\s\\S])/) ? $parse($states.input.age) >= 18 : $states.input.age >= "18"))',
    ],
    [
      "empty($.list)",
      '($value := $type($states.input) = "object" ? $states.input.list; $count($value) = 0 or $value in [null, ""] or $value = {})',
    ],
    [
      "$.lines[*].id eq 3",
      'childrenOf, sideOf, unbox: ($sideOf($childrenOf($type($states.input) = "object" ? $states.input.lines).($type(value) = "object" and $exists(value.id) ? {"value": value.id})) = 3)',
    ],
  ])("%s", (text, expected) => expect(shown(condition(text))).toBe(expected));

  test.each([
    ["$.x", "equals", "7", '$type($states.input) = "object" and $states.input.x in ["7", 7]'],
    [
      "$.x",
      "notequals",
      "seven",
      '$type($states.input) = "object" and $states.input.x != null and $states.input.x != "seven"',
    ],
    [
      "$.x",
      "matches",
      "^[a-c]+$",
      '$type($states.input) = "object" and $type($states.input.x) = "string" and $contains($states.input.x, /^[a-c]+(?![\\s\\S])/)',
    ],
    [
      "$.x",
      "notmatches",
      "\\{%|\\)",
      '$type($states.input) = "object" and $type($states.input.x) = "string" and $not($contains($states.input.x, /\\u007b\\u0025|\\u0029/))',
    ],
    ["$.x", "exists", null, '$type($states.input) = "object" and $exists($states.input.x)'],
    [
      "$.x[*]",
      "equals",
      "seven",
      'childrenOf: ($count($childrenOf($type($states.input) = "object" ? $states.input.x)[value = "seven"]) > 0)',
    ],
    [
      "$.x[*]",
      "notequals",
      "seven",
      'childrenOf: ($values := $childrenOf($type($states.input) = "object" ? $states.input.x); $count($values) > 0 and $count($values[$not(value != null and value != "seven")]) = 0)',
    ],
  ])("%s %s %s", (text, operator, operand, expected) =>
    expect(shown(call("switchCondition", collect(nodes(text)), literal(operator), literal(operand)))).toBe(expected),
  );
});

describe("templates", () => {
  test.each<[Json, string]>([
    ["plain", '"plain"'],
    [{ text: "x" }, '{"text": "x"}'],
    [
      "Hello $.name!",
      'decimalOf, digitsOf, moreDigits, plainDigits, productError, scaledBy, sumOfTwo, textOf, withExponent, withoutZeros: ("Hello " & $textOf($type($states.input) = "object" and $exists($states.input.name) ? $states.input.name : null) & "!")',
    ],
    [
      ["$.a", 1],
      'unbox: ($unbox([{"value": $type($states.input) = "object" and $exists($states.input.a) ? $states.input.a : null}, {"value": 1}]))',
    ],
  ])("%j", (value, expected) => expect(shown(template(value))).toBe(expected));
});

describe("merges use $merge if no member is an object on both sides", () => {
  test.each([
    [
      "a scalar",
      merge(data, object([["done", literal(true)]])),
      `$type($states.input) = "object" ? $merge([$states.input, {"done": true}]) : ${noMerge}`,
    ],
    [
      "twice",
      merge(merge(data, literal({ a: 1 })), literal({ b: 2 })),
      `$type($states.input) = "object" ? $merge([$states.input, {"a": 1, "b": 2}]) : ${noMerge}`,
    ],
    [
      "into an object that is made",
      merge(object([["a", result]]), object([["b", result]])),
      '{"a": $states.result, "b": $states.result}',
    ],
    [
      "an object, then a scalar",
      merge(merge(data, literal({ a: { b: 1 } })), literal({ c: 2 })),
      `$type($states.input) = "object" ? $merge([$states.input, {"a": $merge([$type($states.input.a) = "object" ? $states.input.a, {"b": 1}]), "c": 2}]) : ${noMerge}`,
    ],
    [
      "a member of any type",
      merge(data, object([["o", result]])),
      `blend: ($type($states.input) = "object" ? $blend($states.input, {"o": $states.result}) : ${noMerge})`,
    ],
    ["anything", merge(data, result), "blend, mergeInto: ($mergeInto($states.input, $states.result))"],
    [
      "a result",
      call("mergeResult", data, result, literal("pack")),
      `blend: ($states.result = null ? $states.input : $type($states.input) = "object" ? $blend($states.input, $type($states.result) = "object" ? $states.result : {"pack": $states.result}) : ${noMerge})`,
    ],
    [
      "at a name",
      place(["a"]),
      `$type($states.input) = "object" ? $merge([$states.input, {"a": $states.result}]) : ${noPlace}`,
    ],
    [
      "at a path",
      place(["a", "b"]),
      `$type($states.input) = "object" ? $merge([$states.input, {"a": $merge([$type($states.input.a) = "object" ? $states.input.a, {"b": $states.result}])}]) : ${noPlace}`,
    ],
    [
      "at a long path",
      place(["a", "b", "c", "d"]),
      `setAt: ($type($states.input) = "object" ? $setAt($states.input, ["a", "b", "c", "d"], $states.result) : ${noPlace})`,
    ],
    [
      "a sum of objects",
      binary("+", object([["a", data]]), conditional(binary("==", x, literal(null)), literal({}), object([["x", x]]))),
      '$merge([{"a": $states.input}, $x = null ? {} : {"x": $x}])',
    ],
  ])("%s", (_, expression, expected) => expect(shown(expression)).toBe(expected));
});

describe("common subexpressions are shared", () => {
  const large = merge(data, literal({ a: 1 }));
  const largeText = `$type($states.input) = "object" ? $merge([$states.input, {"a": 1}]) : ${noMerge}`;

  test.each([
    [
      "a large part",
      substitute(firstOr(member(x, "k"), x), new Map([["x", large]])),
      `($value := ${largeText}; $exists($value.k) ? $value.k : $value)`,
    ],
    [
      "a list that is taken when it is not empty",
      conditional(call("exists", nodes("$.l[*]")), collect(nodes("$.l[*]")), data),
      'childrenOf, unbox: ($found := $unbox($childrenOf($type($states.input) = "object" ? $states.input.l)); $found != [] ? $found : $states.input)',
    ],
    [
      "the question whether there is something at a path",
      conditional(
        call("exists", member(x, "a")),
        collect(call("text", firstOr(member(x, "a"), literal(null)))),
        literal([]),
      ),
      'decimalOf, digitsOf, moreDigits, plainDigits, productError, scaledBy, sumOfTwo, textOf, withExponent, withoutZeros: ($type($x) = "object" and $exists($x.a) ? [$textOf($x.a)] : [])',
    ],
    [
      "an object that is only there with its member",
      firstOr(pipe(member(x, "trace"), object([["trace", identity]])), literal({})),
      '$type($x) = "object" and $exists($x.trace) ? {"trace": $x.trace} : {}',
    ],
    ["a call, used once", object([["id", variable("id")]]), '{"id": $uuid()}'],
    [
      "a call, used twice",
      object([
        ["id", variable("id")],
        ["ref", variable("id")],
      ]),
      '($id := $uuid(); {"id": $id, "ref": $id})',
    ],
    [
      "a value that has a name",
      bind(
        "items",
        firstOr(member(data, "l"), literal([])),
        collect(binary("==", variable("items"), variable("items"))),
      ),
      '($items := $type($states.input) = "object" and $exists($states.input.l) ? $states.input.l : []; [$items = $items])',
    ],
  ])("%s", (_, expression, expected) => expect(shown(expression)).toBe(expected));

  test("small integers are added without checks", () => {
    expect(shown(binary("<", binary("+", variable("tries"), literal(1)), literal(3)))).toBe("$tries + 1 < 3");
    expect(shown(binary("+", x, literal(1)))).toBe(
      "add, bytesOf, decimalOf, excerptOf, failTwo, failWith, finite, fittingIn, jsonOf, moreDigits, numberText, plainDigits, productError, quotedText, scaledBy, shownIn, sumOfTwo, withExponent, withoutZeros: ($add($x, 1))",
    );
  });
});
