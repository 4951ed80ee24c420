/** Returns a seeded generator of numbers between 0 and 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** The names in scope. */
interface NamesInScope {
  readonly depth: number;
  readonly variables: readonly string[];
  readonly labels: readonly string[];
  readonly functions: readonly (readonly [name: string, parameters: number])[];
}

/** A random jq program with any construct in any position, so that most programs run and some fail. */
export function randomProgram(random: () => number, depth = 4): string {
  return program(random, { depth, variables: [], labels: [], functions: [] });
}

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const scalars = words('null true false 0 1 2 -1 3.5 "a" "b" "x,y" "" "é" infinite nan');
const leaves = words('. . . .a .b .a.b .[0] .[1] .[-1] .["a"] .a? .[0]? .[] .[]? .a[]? .b[]? .. [] {}');
const unary = words(`
  length keys type not tostring tojson add reverse sort unique floor tonumber to_entries first last ascii_downcase min max flatten any all explode values
  scalars arrays strings numbers isempty(.[]?) error abs utf8bytelength transpose from_entries paths tostream fromjson @base64 @json @text @csv @html @sh @uri
  trim ltrimstr("a") implode empty keys_unsorted combinations? finites normals toarray ascii @base64d @base32 tojson|fromjson to_entries|from_entries
  getpath(["a","b"])? first(.[]?) last(.[]?) fromstream(tostream) with_entries(.) add(.[]?) abs splits(",")? tostream limit(2;.[]?) any(.[]?;.)
`);

/**
 * `§` is any program, `¤` a smaller one, and `‹…¦…›` one of several strings.
 * A repeated form is more likely.
 */
const forms = `
  (§ | §)
  (§ | §)
  (§, §)
  (§ ‹+¦+¦-¦*¦/¦%¦==¦!=¦<¦<=¦>¦>=› §)
  (§ ‹+¦+¦-¦*¦/¦%¦==¦!=¦<¦<=¦>¦>=› §)
  [§]
  [§]
  {a: §, b: §}
  {(§): §}
  {"a": §, (§): §}
  (if § then § else § end)
  (if § then § end)
  (§ and §)
  (§ or §)
  (§ // §)
  (§ // §)
  (try § catch §)
  (§)?
  (§ | ¶)
  (§ | ¶)
  map(§)
  map_values(§)
  (.[]? | §)
  select(§)
  first(§)
  limit(‹0¦1¦2¦3¦¤›; §)
  skip(‹0¦1¦2¦¤›; §)
  [range(‹3¦0¦¤›)]
  range(‹0¦1›; ‹2¦3›; ‹1¦2¦-1›)
  any(§; §)
  all(§)
  "x\\(§)y\\(§)"
  .[§]?
  .[§:§]?
  .[‹1¦0¦-1›:]
  (§ | .[§])
  ([§] | .[‹0¦-1¦0,1›])
  [path(§)]
  path(§)
  (§ |= §)
  (‹.a¦.[0]¦.[]?¦.a[]?¦..¦.[:1]¦.a.b¦(.a, .b)?› |= §)
  (‹.a¦.[0]¦.[]?¦.a?› ‹=¦+=¦-=¦*=¦//=› §)
  del(‹.a¦.[0]¦.[]?¦.[0,1]?¦.[:1]¦..?¦§›)
  getpath(‹["a"]¦["a","b"]¦[0]¦¤›)
  recurse(‹.[]?¦.a?¦.a?, .b?¦if type == "number" and . < 3 then . + 1 else empty end›)
  [limit(3; repeat(§))]
  with_entries(‹.value |= .¦select(.value)¦.key |= tostring¦¤›)
  group_by(§)
  sort_by(§)
  min_by(§)
  walk(‹if type == "number" then . + 1 else . end¦sort?¦values¦¤›)
  [splits("‹a¦,¦›")?]
  until(‹true¦type == "array"¦type != "number" or . > 5›; ‹. + 1¦[.]›)
  [limit(‹1.5¦0.5¦2.5¦"a"¦null¦-1¦true¦§›; §)]
  [skip(‹1.5¦0.5¦null¦"a"¦-1¦§›; §)]
  [nth(‹1.5¦0¦1¦-1¦0, 1›; §)]
  .[‹0.5¦1.5¦-0.5¦-1.5¦null¦true¦"a", "b"¦[1]›]?
  .[‹0.5¦-1.5¦null›:‹1.5¦null¦-1›]?
  [limit(4; range(‹§¦0, 1¦null¦"a"¦nan›; ‹§¦3¦"b"›; ‹1¦§¦-1, 1¦0.5›))]
  del(‹.[0, 2, -1]¦.[-1], .[0]¦.[§]¦.[1:], .[0]¦.[], .a¦.[0.5]›)
  delpaths([§])
  delpaths([[], §])
  setpath(‹["a"]¦[0]¦[]¦["a", 0]¦§›; §)
  getpath(§)
  [paths(§)]
  pick(‹.a¦.[0]¦.a.b¦.a, .b¦§›)
  INDEX(.[]?; §)
  IN(§; §)
  unique_by(§)
  max_by(§)
  indices(§)
  has(§)
  contains(§)
  (§ | inside(§))
  join(‹","¦§›)
  flatten(‹0¦1¦-1¦§›)
  ltrimstr(§)
  @json "v(§)"
  @csv "(§)"
  [match("‹a¦[a-c]*¦¦(?<x>.)b?›"; "g") | .offset, .string]
  test("‹^a¦.$¦é›")
  sub("‹a¦^¦(?<x>.)›"; "‹b¦(.x)›")
  [foreach ‹(1, 2)¦([1], [2])¦(.[]?, 1)› as $x (§; ‹. + $x¦§¦$x¦empty¦., $x›; ‹.¦[$x, .]¦empty›)]
  reduce ‹(1, 2)¦([1], [2])¦(.[]?, 1)› as $x (§; ‹. + $x¦§¦[$x, .]¦.[$x | tostring]? += 1¦. + {a: $x}¦. + [$x]¦empty¦., $x›)
  (‹(foreach (1, 2) as $x (.; .; .a?))¦first(.a?, .b?)¦getpath(["a"])¦(.a? // .b?)¦(select(.a?) | .a)¦limit(1; .[]?)¦recurse(.a?; . != null)› |= §)
  error(§)
`
  .trim()
  .split(/\n\s*/);

type Random = () => number;

const pick = <T>(items: readonly T[], random: Random): T => items[Math.floor(random() * items.length)]!;

function program(random: Random, known: NamesInScope): string {
  if (known.depth <= 0) return leaf(random, known);
  const form = Math.floor(random() * (forms.length + binders.length + 4));
  if (form < forms.length) return filled(forms[form]!, random, known);
  const binder = binders[form - forms.length];
  if (binder) return binder(random, known);
  return form % 2 === 0 && known.functions.length > 0 ? call(random, known) : leaf(random, known);
}

function filled(form: string, random: Random, known: NamesInScope): string {
  const chosen = form.replace(/‹([^›]*)›/g, (_, choices: string) => pick(choices.split("¦"), random));
  return chosen.replace(/[§¤¶]/g, (mark) =>
    mark === "¶" ? pick(unary, random) : sub(random, known, {}, mark === "§" ? 1 : 2),
  );
}

const sub = (random: Random, known: NamesInScope, more: Partial<NamesInScope> = {}, less = 1): string =>
  program(random, { ...known, ...more, depth: known.depth - less });

function leaf(random: Random, { variables, labels }: NamesInScope): string {
  const chance = random();
  if (variables.length > 0 && chance < 0.3) return `$${pick(variables, random)}`;
  if (labels.length > 0 && chance < 0.36) return `(break $${pick(labels, random)})`;
  return pick(chance < 0.6 ? leaves : chance < 0.85 ? scalars : unary, random);
}

function call(random: Random, known: NamesInScope): string {
  const [called, parameters] = pick(known.functions, random);
  const args = Array.from({ length: parameters }, () => sub(random, known, {}, 2));
  return parameters === 0 ? called : `${called}(${args.join("; ")})`;
}

/** A form in which some parts see another variable, each `§` in order. */
function binding(random: Random, known: NamesInScope, form: string, names: readonly string[] = []): string {
  const variable = pick(["u", "v", "w"], random);
  const inner = { variables: [...known.variables, variable, ...names] };
  return form.replace(/[§£@]/g, (mark) => (mark === "@" ? variable : sub(random, known, mark === "£" ? inner : {})));
}

/** A definition, and a program that calls it. */
function defining(random: Random, known: NamesInScope, form: string, parameters: 0 | 1): string {
  const own = pick(["f", "g", "h"], random);
  const [inner, outer] = [["p", 0] as const, [own, parameters] as const];
  return form.replace(/[§¤£¥@]/g, (mark) => {
    if (mark === "@") return own;
    const more = mark === "£" ? [outer] : mark === "¥" ? [inner] : [];
    return sub(random, known, { functions: [...known.functions, ...more] }, mark === "¤" ? 2 : 1);
  });
}

function labelled(random: Random, known: NamesInScope): string {
  const label = pick(["out", "end1"], random);
  return `(label $${label} | ${sub(random, known, { labels: [...known.labels, label] })})`;
}

/** Constructs that bind variables, labels and functions. `£` sees the names, `¥` the parameters. */
const binders: readonly ((random: Random, known: NamesInScope) => string)[] = [
  (random, known) => binding(random, known, "(§ as $@ | £)"),
  (random, known) => binding(random, known, "(§ as [$@, $z] | £)", ["z"]),
  (random, known) => binding(random, known, "(§ as {a: $@} ?// [$@] | £)"),
  (random, known) => binding(random, known, "(§ as {a: {(§): $@}} | £)"),
  (random, known) => binding(random, known, '(§ as {("a", "b"): $@} | £)'),
  (random, known) => binding(random, known, '(§ as {"\\(.a)": $@, b: [$z]} | £)', ["z"]),
  (random, known) => binding(random, known, "(§ as [[$@], {a: $z}] | £)", ["z"]),
  (random, known) => binding(random, known, "({u: §, v: §, w: §} as {$@} | £)"),
  (random, known) => binding(random, known, "reduce (§, §) as $@ (§; £)"),
  (random, known) => binding(random, known, 'reduce § as {(.b // "a"): $@} (§; £)'),
  (random, known) => binding(random, known, "foreach (§, §) as [$@, $z] (§; £; £)", ["z"]),
  (random, known) => binding(random, known, "reduce § as $@ (§; £)"),
  (random, known) => binding(random, known, "foreach § as $@ (§; £; £)"),
  labelled,
  (random, known) => defining(random, known, "(def @: §; £)", 0),
  (random, known) => defining(random, known, "(def @(p): ¥; £)", 1),
  (random, known) => defining(random, known, '(def @: if type == "array" then .[] | @ else ¤ end; £)', 0),
  (random, known) =>
    defining(
      random,
      known,
      '(def @(p): if . == [] then empty else (if type == "array" then (.[0], .[1:]) | @(p) else p end) end; £)',
      1,
    ),
];

const texts = ["a", "b", "ab", "x,y", "", "é😀", "\uffff", "1", "2024-01-01", "__proto__", "null"];
/** Excludes numbers that jq prints as in the input and others as doubles, such as 1e17 and 0.00001. */
const numbers = [0, 1, 2, -1, 3.5, 10, 0.1, 123456789012345680000];
const keys = ["a", "a", "b", "b", "c", "d", "key", "value", "__proto__", "é"];

/** A random JSON value. Keys such as `1` are excluded because JavaScript moves them to the front. */
export function randomValue(random: Random, depth = 3): unknown {
  const chance = random();
  if (depth <= 0 || chance < 0.3)
    return pick<unknown>(
      [null, true, false, ...numbers.slice(0, 6), pick(numbers, random), pick(texts, random)],
      random,
    );
  const size = Math.floor(random() * 4);
  if (chance < 0.6) return Array.from({ length: size }, () => randomValue(random, depth - 1));
  return Object.fromEntries(Array.from({ length: size }, () => [pick(keys, random), randomValue(random, depth - 1)]));
}
