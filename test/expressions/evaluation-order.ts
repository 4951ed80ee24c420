/** A program with parts that a test replaces. */
export interface OrderTemplate {
  /** The text between the parts: one string more than parts. */
  readonly text: readonly string[];
  /** The parts: programs with one value. */
  readonly parts: readonly string[];
}

/** Programs in which several parts may fail, by construct. Each part is written as `«value»`. */
export const orderTemplates: { readonly [construct: string]: readonly OrderTemplate[] } = {
  interpolation: templates(`
    "\\(«1»)\\(«2»)"
    "\\(«1») and \\(«2») and \\(«3»)"
    @json "\\(«1»)\\(«2»)"
    @base64 "x\\(«"a"»)\\(«"b"»)"
  `),
  objects: templates(`
    {a: «1», b: «2»}
    {a: «1», b: «2», c: «3»}
    {(«"a"»): «1»}
    {(«"a"»): «1», b: «2»}
    {a: «1», («"b"»): «2»}
    {(«"a"»): «1», («"b"»): «2»}
    {"a\\(«1»)": «2»}
    {a: «1», b: {c: «2», d: «3»}}
  `),
  arrays: templates(`
    [«1», «2»]
    [«1», [«2», «3»]]
    «1», «2», «3»
    [«1»] + [«2»]
  `),
  operators: templates(`
    «1» + «2»
    «1» - «2»
    «1» * «2»
    «1» / «2»
    «1» % «2»
    «1» == «2»
    «1» != «2»
    «1» < «2»
    «1» <= «2»
    «1» > «2»
    «1» >= «2»
    «1» + «2» + «3»
    «1» + «2» * «3»
    (-«1») - «2»
    «true» and «true»
    «false» or «true»
    «true» and «1» < «2»
    «null» // «2»
    «1» // «2»
    («1» + «2») // «3»
    «"a"» + «"b"» + «"c"»
  `),
  "access keys": templates(`
    «{"a": 1}» | .a
    («{"a": 1}»)[«"a"»]
    («[[1]]»)[«0»][«0»]
    («{"a": {"b": 1}}»)[«"a"»][«"b"»]
    («{"a": 1}»)[«"a"»]?
    [[1, 2]] | .[«0»][«1»]
    {"ab": 1} | ."a\\(«"b"»)"
    («[1, 2]»)[]
    [[1], [2]] | .[«0»][]
  `),
  slices: templates(`
    («[1, 2, 3]»)[«0»:«2»]
    («"abc"»)[«0»:«2»]
    («[1, 2, 3]»)[«1»:]
    («[1, 2, 3]»)[:«1»]
    [1, 2, 3] | .[«0»:«2»]
    [[1, 2], 3] | .[«0»:«2»][«0»]
    («[1, 2, 3]»)[«0»:«2»]?
  `),
  bindings: templates(`
    «1» as $x | «2» + $x
    «1» as $x | «2» as $y | [$x, $y]
    («1» as $x | $x) + «2»
    «[1, 2]» as [$x, $y] | «3» + $x
    «{"a": 1}» as {a: $x} | «3» + $x
    «{"ab": 1}» as {"a\\(«"b"»)": $x} | «3» + $x
    «{"ab": 1}» as {(«"ab"»): $x} | «3» + $x
    «1» | . + «2»
    «1» | «2» | «3»
  `),
  conditionals: templates(`
    if «true» then «1» else «2» end
    if «false» then «1» else «2» end
    if «false» then «1» elif «true» then «2» else «3» end
    (if «true» then «1» else «2» end) + «3»
    if «1» < «2» then «3» else «4» end
    if «true» and «true» then «1» else «2» end
  `),
  folds: templates(`
    reduce «1» as $x («0»; . + «2»)
    reduce (1, 2) as $x («0»; . + «$x»)
    reduce («1», «2») as $x («0»; . + $x)
    reduce «[1, 2]»[] as $x («0»; «3» + $x + .)
    foreach «1» as $x («0»; . + «2»)
    foreach (1, 2) as $x («0»; . + «$x»; «3» + .)
    foreach («1», «2») as $x («0»; . + $x; [., $x])
    foreach «[1, 2]»[] as $x («0»; «3» + .; «4» + .)
  `),
  failures: templates(`
    try «1» catch «2»
    (try «1» catch .) + «2»
    [(«1»)?] + [«2»]
    try (error(«"x"») | «1») catch «2»
    [.[]?, «1»] + [«2»]
  `),
  updates: templates(`
    {"a": 1} | .a = «2»
    {"a": 1} | .[«"a"»] = «2»
    {"a": 1} | .[«"a"»] |= «2»
    {"a": 1} | .[«"a"»] += «2»
    {"a": 1} | .[«"a"»] -= «2»
    {"a": null} | .[«"a"»] //= «2»
    {"a": [1, 2]} | .[«"a"»][«0»] = «2»
    {"a": [1, 2]} | .[«"a"»][«0»:«1»] = «[2]»
    {"a": 1} | (.[«"a"»], .[«"b"»]) = «2»
    {"a": 1} | (.[«"a"»], .[«"b"»]) |= «2»
    {"a": 1} | del(.[«"a"»], .[«"b"»])
    {"a": [1, 2]} | path(.[«"a"»][«0»])
    {"a": [1, 2]} | path(.[«"a"»][«0»:«1»])
    {"a": 1} | path(.[«"a"»], .[«"b"»])
    {"a": 1} | to_entries | map(.value += «2»)
  `),
  functions: templates(`
    def f(a; b): a + b; f(«1»; «2»)
    def f($a; $b): $a + $b; f(«1»; «2»)
    def f($a; $b): $a; f(«1»; «2»)
    def f(a; b): [b, a]; f(«1»; «2»)
    def f(a): if . > 2 then . else . + a | f(a) end; «1» | f(«2»)
    label $out | «1», break $out, «2»
    label $out | [«1», (if «true» then «2» else break $out end)]
    recurse(if . < 2 then «3» else empty end; «true»)
  `),
  "arguments of builtins": templates(`
    [range(«0»; «2»)]
    [range(«0»; «4»; «2»)]
    {"a": 1} | setpath(«["a"]»; «2»)
    {"a": 1} | getpath(«["a"]») + «2»
    {"a": 1} | has(«"a"»), «2»
    [limit(«1»; «2», «3»)]
    [skip(«1»; «2», «3»)]
    first(«1», «2»)
    nth(«1»; «2», «3»)
    last(«1», «2»)
    isempty(«1»)
    [until(«true»; «2»)]
    [1 | while(. < «2»; . + «1»)]
    [1 | until(. > «2»; . + «1»)]
    any(«true»; «true»)
    all(«true»; «false»)
    [1, 2] | any(. == «1»)
    [1, 2] | map(. + «1»)
    [1, 2] | map(select(. > «1») | «3»)
    [1, 2] | sort_by(«1», «2»)
    [1, 2] | group_by(«1», «2»)
    [1, 2] | min_by(«1»)
    [[1, «2»], [«3»]] | flatten(«1»)
    add(«1», «2»)
    [«1», «2»] | add
    [«"a"», «"b"»] | join(«","»)
    "a,b" | split(«","») | . + [«1»]
    "abc" | sub(«"b"»; «"x"»)
    "abc" | sub(«"b"»; «"x"»; «"g"»)
    "abcb" | gsub(«"b"»; «"x"»)
    "abc" | startswith(«"a"») and endswith(«"c"»)
    "abc" | ltrimstr(«"a"») + «"d"»
    «"abc"» | index(«"b"»)
    «"abc"» | contains(«"b"»)
    «"b"» | inside(«"abc"»)
    pow(«2»; «3»)
    atan2(«0»; «1»)
    ldexp(«1»; «2»)
    [«1»] | IN([«1»], [«2»])
    IN(«1»; «1», «2»)
    INDEX(«{"a": 1}»; «"a"»)
    «[1, 2]» | map(. + 1) | . + [«3»]
    {"a": 1} | with_entries(.value = «2» | .key = «"b"»)
    error(«"a"»), «1»
    tojson + «"a"»
    {"a": [1]} | walk(if type == "number" then . + «1» else . end)
    {"a": 1} | pick(.[«"a"»]), «1»
    {"a": 1} | delpaths(«[["a"]]»), «1»
    getpath(«["a"]») as $x | «1» + $x
    [1, 2] | combinations(«1»)
    {"a": 1} | to_entries[] | [.key, «1»] + [.value, «2»]
    [.[«0»]?, limit(«1»; «2»)]
    "1 2" | [splits(«" "») | tonumber + «1»]
    [1, 2] | bsearch(«1») + «2»
    tojson | ascii_downcase + «"a"» | ascii_upcase + «"b"»
    ["a"] | implode?, «1»
  `),
};

/** Reads one template per line. */
function templates(lines: string): readonly OrderTemplate[] {
  return lines
    .trim()
    .split(/\n\s*/)
    .map((line) => {
      const pieces = line.split(/[«»]/);
      return { text: pieces.filter((_, i) => i % 2 === 0), parts: pieces.filter((_, i) => i % 2 === 1) };
    });
}

/** Writes a template with other parts. */
export const fill = ({ text }: OrderTemplate, parts: readonly string[]): string =>
  text.map((piece, i) => `${piece}${parts[i] ?? ""}`).join("");
