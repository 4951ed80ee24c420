import fc from "fast-check";
import type { Json } from "../../src/json.ts";

const scalars: readonly Json[] = [
  null,
  true,
  false,
  0,
  1,
  2,
  7,
  -3,
  1.5,
  100,
  "",
  "x",
  "abc",
  "10",
  "a,b",
  "é😀",
  "2",
  'q"{}%',
];
/** Excludes numbers whose digits jq may keep from the input: 1e17 and 0.00001. */
const odd: readonly Json[] = [0.1, 123456789012345680000, "a".repeat(40), [], {}, [[]], [null]];

/** Values of any type, with member names that programs use. */
const any: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    { weight: 3, arbitrary: fc.constantFrom(...scalars) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
    { weight: 1, arbitrary: fc.array(tie("value"), { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.constantFrom("a", "b", "o", "k l", "items"), tie("value"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    },
  ),
})).value;

const small = fc.integer({ min: -3, max: 9 }) as fc.Arbitrary<Json>;
const word = fc.constantFrom<Json>("x", "yy", "", "a b", "é");

/** Mostly a value of one type, otherwise any value. */
const mostly = (usual: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: any });

const record = (
  members: { readonly [name: string]: fc.Arbitrary<Json> },
  requiredKeys: string[] = [],
): fc.Arbitrary<Json> => fc.record(members, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<Json>;

const item = record(
  {
    a: small,
    b: fc.constantFrom<Json>("x", "y", "é", null, 3),
    c: fc.boolean(),
    list: fc.array(small, { maxLength: 2 }),
  },
  ["a"],
);

const inner = record({ a: small, b: word, o: record({ a: small }) }, ["a"]);
const [flag, items, smalls] = [
  fc.constantFrom<Json>(true, false, null),
  fc.array(item, { maxLength: 4 }),
  fc.array(small, { maxLength: 4 }),
];

/** Members of certain types under the names that programs use, with some missing. */
const loose = record(
  {
    a: mostly(small),
    b: mostly(word),
    c: mostly(flag),
    o: mostly(inner),
    "k l": any,
    items: mostly(items),
    list: mostly(smalls),
  },
  ["a", "b", "list"],
);
const strict = record({ a: small, b: word, c: flag, o: inner, "k l": any, items, list: smalls }, [
  "a",
  "b",
  "c",
  "o",
  "items",
  "list",
]);

/** Inputs that mostly suit programs. */
export const document: fc.Arbitrary<Json> = fc.oneof(strict, loose);

/** An input of a program: mostly a document, otherwise any value. */
export const input: fc.Arbitrary<Json> = fc.oneof({ weight: 9, arbitrary: document }, { weight: 1, arbitrary: any });

const list = (texts: string): readonly string[] => texts.trim().split(/\s\s+/);

const numbers = list(
  ".a  .o.a  .items[0].a  .list[-1]  .list[0]  0  1  2  10  -1  0.5  (.list | add)  (.a // 1)  .o.o.a",
);
const texts = list('.b  .o.b  ""  "x"  "a"  ", "  "é"  (.a | tojson)  (.c | tostring)  (.b // "none")  .items[0].b');
const lists = list(".items  .list  .list[1:]  []  [1, 2]  .items[:-1]  [.a, .b]  [.items[].a]  (.list // [])");
const paths = list(
  '.  .a  .b  .c  .o  .o.a  .o.b  ."k l"  .items  .list  .a?  .o.a?  .b[:1]  .[0]  .missing  .o.missing  .items[0].b?',
);
const streams = list(".items[]  .items[].a  .list[]  .[]  .items[]?.b  .list[]?  .o[]  ..  .items[].list[]?");
const places = list(
  '.a  .b  .o.a  .o  .list  ."k l"  .missing  .items[0].a  .list[0]  .items[].a  .list[]  (.a, .o.b)  .o.x.y  .o[]',
);
const conditions = list(
  '.c  .a > 1  .b == "x"  (.list | length) > 2  .c == true  .missing  .o.a != null  .a < 5 and .c  (.c | not)',
);

type Programs = {
  number: string;
  text: string;
  list: string;
  any: string;
  condition: string;
  program: string;
  wide: string;
};

/** A fragment of a program. */
type Part = fc.Arbitrary<string>;
type Parts = { readonly [kind in keyof Programs]: Part };

const of = (choices: readonly string[]): Part => fc.constantFrom(...choices);
const { tuple } = fc;

/** A template of a program with `$1`, `$2`… for its parts. */
const written = (form: string, ...parts: readonly Part[]): Part =>
  tuple(...parts).map((made) => form.replace(/\$(\d)/g, (_, index: string) => made[Number(index) - 1]!));

const numeric = ({ number, text, list: items, any: value, condition }: Parts): readonly Part[] => [
  tuple(number, of(list("+  -  *  /  %  +")), number).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
  written("($1 | length)", fc.oneof(items, text, value)),
  written("($1 | map($2) | add)", items, number),
  written("(if $1 then $2 else $3 end)", condition, number, number),
  written("($1 // $2)", number, number),
];

const textual = ({ text, number, any: value, list: items }: Parts): readonly Part[] => [
  written("($1 + $2)", text, text),
  written('"n=\\($1) \\($2)."', fc.oneof(text, value), fc.oneof(number, value)),
  written("($1 | tojson)", value),
  written('($1 | map(tostring) | join(","))', items),
  written("($1 | join($2))", items, fc.oneof(text, of(list('", "  ""  null  1')))),
];

const listed = ({ list: items, any: value, condition, number }: Parts): readonly Part[] => [
  written("($1 | map($2))", items, value),
  written("($1 | map(select($2)))", of(list(".items  .list  .  .o  [.]")), condition),
  written("[$1]", of(streams)),
  written("[$1 | $2]", of(streams), value),
  written("[$1, $2]", value, number),
  written("($1 + $2)", items, items),
  written("($1 - $2)", items, items),
  written("[$1 // $2]", of(streams), value),
];

const tested = ({ any: value, number, text, condition }: Parts): readonly Part[] => [
  tuple(number, of(list("==  !=  <  <=  >  >=")), number).map(([a, sign, b]) => `${a} ${sign} ${b}`),
  tuple(value, of(list("==  !=  <  >=")), fc.oneof(value, text)).map(([a, sign, b]) => `${a} ${sign} ${b}`),
  tuple(condition, of(["and", "or"]), condition).map(([a, word_, b]) => `(${a}) ${word_} (${b})`),
];

const common = ({ number, text, list: items, any: value, condition, program: inner }: Parts): readonly Part[] => [
  number,
  text,
  items,
  written("{a: $1, y: ($2)}", value, value),
  written('{"k l": $1, n: ($2 | length)}', value, items),
  of(list('{a, b}  {o: .o.a, b}  {(.b): .a}  {"n": (.items | length)}  {a, items: [.items[] | {a, c}]}')),
  tuple(of(places), of(list("+=  =  |=  -=  *=  +=")), number).map(([at, sign, a]) => `(${at} ${sign} ${a})`),
  tuple(of(places), of(list("+=  =  |=")), value).map(([at, sign, a]) => `(${at} ${sign} ${a})`),
  written("($1 | add)", fc.oneof(items, value)),
  written("($1 // $2)", value, value),
  tuple(value, of(list("+  -  *  /  +")), value).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
  written("(if $1 then $2 else $3 end)", condition, value, value),
  written("(if $1 then $2 elif $3 then $4 else . end)", condition, inner, condition, value),
  written("($1 | $2)", inner, value),
];

const functions = list(`
  length  keys  keys_unsorted  to_entries  from_entries  sort  unique  min  max  any  all  flatten  reverse  type  not  tostring  tonumber  floor  ceil
  round  sqrt  abs  trim  ltrim  rtrim  ascii_downcase  ascii_upcase  add  first  last  tojson  values  -(.)  @text  @json  @html  @uri  toboolean  trunc  fabs
`);
const closures = list(
  "map  map_values  sort_by  group_by  unique_by  min_by  max_by  any  all  with_entries  select  first  last  isempty  add  walk  paths",
);
const ofText = list(
  "startswith  endswith  ltrimstr  rtrimstr  trimstr  split  index  rindex  indices  contains  inside  has",
);

const rarer = ({ number, text, list: items, any: value, condition, program: inner, wide }: Parts): readonly Part[] => [
  ...usual,
  written("($1 | $2)", fc.oneof(items, value), of(functions)),
  written("($1 | $2)", wide, of(functions)),
  written("[$1 | $2($3)]", fc.oneof(items, value), of(closures), fc.oneof(of(paths), value, condition)),
  written("($1 | $2($3))", fc.oneof(text, items), of(ofText), fc.oneof(text, value)),
  written("($1 | has($2))", value, fc.oneof(of(list('"a"  0  -1  null')), value)),
  written("[del($1), path($2)]", of(places), of(places)),
  written("(try ($1) catch ($2))", value, value),
  written("[($1)?]", inner),
  written("[try ($1 | $2) catch .]", of(streams), value),
  written("[($1 | $2) // $3]", of(streams), value, value),
  written("(reduce $1 as $n ($2; . + ($n | $3)))", of(streams), of(list('0  ""  null  []')), value),
  written("[foreach $1 as $n (0; . + 1; [., $n, ($n | $2)])]", of(streams), value),
  written("[limit($1; $2 | $3)]", of(list("0  1  2  -1")), of(streams), value),
  written("first($1 | select($2))", of(streams), condition),
  written("($1 |= ($2))", of(places), fc.oneof(value, of(["empty", "select(. != 1)"]))),
  written("($1 | $2)", wide, value),
  written("(. as {a: $n, $b} | [$n, $b, $1])", number),
];

/** Other programs that people write. */
const usual: readonly Part[] = [
  ". as [$n, $m] | {n: $n, $m}",
  ".a as $n | .b as $m | [$n, $m, ($n == $m)]",
  "[range(5)]",
  "[range(-2; 10; 3)]",
  '[.list[] | if . > 2 then error("big") else . end]',
  "try error({a: 1}) catch .a",
  "def f: . + 1; [.list[] | f | f]",
  "def f(g): g | g; f(.o?)",
  "[.list[] | until(. > 10; . * 2 + 9)]",
  'walk(if type == "number" then . + 1 else . end)',
  '[recurse(if type == "array" then .[] else empty end)]',
  "error(.a)",
  "(.items[] | select(.a == 1)) |= {z: 1}",
  'setpath(["a", "b"]; 1), getpath(["o", "a"])',
  '.. |= (if type == "number" then . * 2 else . end)',
  '[paths(type == "number")]',
  "[skip(1; .list[])], nth(1; .list[])",
  "del(.list[0, 1]), del(.items[] | select(.c))",
  'delpaths([["a"], ["o", "a"]])',
  "INDEX(.items[]?; .a)",
  "[.items[]? | {a, n: .list[]?}]",
  '"a\\(.a, 1)b\\(.b, 2)"',
  "[label $out | .list[] | if . > 1 then break $out else . end]",
  '(.b | test("^[a-z]+$")), [.items[]? | select(.b | strings | test("X"; "i"))]',
  ".a as [$x] ?// $x | $x",
  "(.c // .missing) = 5",
].map((text): Part => fc.constant(text));

/**
 * Terminating programs over paths, construction, arithmetic, interpolation, `length`, `+=`, `map`, `select`, `join`,
 * `add`, `tojson`, `//` and `if` (`program`), and those with more of jq (`wide`).
 */
export const { program, wide: wideProgram } = fc.letrec<Programs>((tie) => {
  const parts: Parts = {
    number: tie("number"),
    text: tie("text"),
    list: tie("list"),
    any: tie("any"),
    condition: tie("condition"),
    program: tie("program"),
    wide: tie("wide"),
  };
  const some = { depthSize: "xsmall", withCrossShrink: true } as const;
  return {
    number: fc.oneof(some, of(numbers), ...numeric(parts)),
    text: fc.oneof(some, of(texts), ...textual(parts)),
    list: fc.oneof(some, of(lists), ...listed(parts)),
    condition: fc.oneof(some, of(conditions), ...tested(parts)),
    any: fc.oneof(some, of(paths), of(paths), parts.number, parts.text, parts.list, parts.program),
    program: fc.oneof({ depthSize: "xsmall" }, of(paths), ...common(parts)),
    wide: fc.oneof({ depthSize: "small" }, ...rarer(parts)),
  };
});
