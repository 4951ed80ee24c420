/** Numbers between 0 and 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** What a random program can refer to where it is written. */
interface Known {
  readonly depth: number;
  readonly variables: readonly string[];
  readonly labels: readonly string[];
  readonly functions: readonly (readonly [name: string, parameters: number])[];
}

/** A random jq program: every construct of the language in any place, so that most run and some fail. */
export function randomProgram(random: () => number, depth = 4): string {
  return program(random, { depth, variables: [], labels: [], functions: [] });
}

const scalars = ["null", "true", "false", "0", "1", "2", "-1", "3.5", '"a"', '"b"', '"x,y"', '""', '"é"', "infinite", "nan"];
const leaves = [
  ".",
  ".",
  ".",
  ".a",
  ".b",
  ".a.b",
  ".[0]",
  ".[1]",
  ".[-1]",
  '.["a"]',
  ".a?",
  ".[0]?",
  ".[]",
  ".[]?",
  ".a[]?",
  ".b[]?",
  "..",
  "[]",
  "{}",
];
const unary = [
  "length",
  "keys",
  "type",
  "not",
  "tostring",
  "tojson",
  "add",
  "reverse",
  "sort",
  "unique",
  "floor",
  "tonumber",
  "to_entries",
  "first",
  "last",
  "ascii_downcase",
  "min",
  "max",
  "flatten",
  "any",
  "all",
  "explode",
  "values",
  "scalars",
  "arrays",
  "strings",
  "numbers",
  "isempty(.[]?)",
  "error",
  "abs",
  "utf8bytelength",
  "transpose",
  "from_entries",
  "paths",
  "tostream",
  "fromjson",
  "@base64",
  "@json",
  "@text",
  "@csv",
  "@html",
  "@sh",
  "@uri",
  "trim",
  'ltrimstr("a")',
  "implode",
  "empty",
  "keys_unsorted",
  "env?",
  "combinations?",
].filter((name) => name !== "env?");

function program(random: () => number, known: Known): string {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const { depth, variables, labels, functions } = known;
  const leaf = () => {
    const chance = random();
    if (variables.length > 0 && chance < 0.3) return `$${pick(variables)}`;
    if (labels.length > 0 && chance < 0.36) return `(break $${pick(labels)})`;
    return chance < 0.6 ? pick(leaves) : chance < 0.85 ? pick(scalars) : pick(unary);
  };
  if (depth <= 0) return leaf();
  const sub = (less = 1, more: Partial<Known> = {}): string => program(random, { ...known, depth: depth - less, ...more });
  const name = () => pick(["u", "v", "w"]);
  const withVariable = (variable: string): Partial<Known> => ({ variables: [...variables, variable] });
  const call = () => {
    const [called, parameters] = pick(functions);
    return parameters === 0 ? called : `${called}(${Array.from({ length: parameters }, () => sub(2)).join("; ")})`;
  };
  const operator = () => pick(["+", "+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">="]);
  const choices: (() => string)[] = [
    leaf,
    leaf,
    () => `(${sub()} | ${sub()})`,
    () => `(${sub()} | ${sub()})`,
    () => `(${sub()}, ${sub()})`,
    () => `(${sub()} ${operator()} ${sub()})`,
    () => `(${sub()} ${operator()} ${sub()})`,
    () => `[${sub()}]`,
    () => `[${sub()}]`,
    () => `{a: ${sub()}, b: ${sub()}}`,
    () => `{(${sub()}): ${sub()}}`,
    () => `{"a": ${sub()}, (${sub()}): ${sub()}}`,
    () => `(if ${sub()} then ${sub()} else ${sub()} end)`,
    () => `(if ${sub()} then ${sub()} end)`,
    () => `(${sub()} and ${sub()})`,
    () => `(${sub()} or ${sub()})`,
    () => `(${sub()} // ${sub()})`,
    () => `(${sub()} // ${sub()})`,
    () => `(try ${sub()} catch ${sub()})`,
    () => `(${sub()})?`,
    () => `(${sub()} | ${pick(unary)})`,
    () => `(${sub()} | ${pick(unary)})`,
    () => `map(${sub()})`,
    () => `map_values(${sub()})`,
    () => `(.[]? | ${sub()})`,
    () => `select(${sub()})`,
    () => `first(${sub()})`,
    () => `limit(${pick(["0", "1", "2", "3", sub(2)])}; ${sub()})`,
    () => `skip(${pick(["0", "1", "2", sub(2)])}; ${sub()})`,
    () => `[range(${pick(["3", "0", sub(2)])})]`,
    () => `range(${pick(["0", "1"])}; ${pick(["2", "3"])}; ${pick(["1", "2", "-1"])})`,
    () => `any(${sub()}; ${sub()})`,
    () => `all(${sub()})`,
    () => `"x\\(${sub()})y\\(${sub()})"`,
    () => `.[${sub()}]?`,
    () => `.[${sub()}:${sub()}]?`,
    () => `.[${pick(["1", "0", "-1"])}:]`,
    () => `(${sub()} | .[${sub()}])`,
    () => `([${sub()}] | .[${pick(["0", "-1", "0,1"])}])`,
    () => `[path(${sub()})]`,
    () => `path(${sub()})`,
    () => `(${sub()} |= ${sub()})`,
    () => `(${pick([".a", ".[0]", ".[]?", ".a[]?", "..", ".[:1]", ".a.b", "(.a, .b)?"])} |= ${sub()})`,
    () => `(${pick([".a", ".[0]", ".[]?", ".a?"])} ${pick(["=", "+=", "-=", "*=", "//="])} ${sub()})`,
    () => `del(${pick([".a", ".[0]", ".[]?", ".[0,1]?", ".[:1]", "..?", sub()])})`,
    () => `getpath(${pick(['["a"]', '["a","b"]', "[0]", sub(2)])})`,
    () => `recurse(${pick([".[]?", ".a?", ".a?, .b?", 'if type == "number" and . < 3 then . + 1 else empty end'])})`,
    () => `[limit(3; repeat(${sub()}))]`,
    () => `with_entries(${pick([".value |= .", "select(.value)", ".key |= tostring", sub(2)])})`,
    () => `group_by(${sub()})`,
    () => `sort_by(${sub()})`,
    () => `min_by(${sub()})`,
    () => `walk(${pick(['if type == "number" then . + 1 else . end', "sort?", "values", sub(2)])})`,
    () => `[splits("${pick(["a", ",", ""])}")?]`,
    () => `until(${pick(["true", 'type == "array"', 'type != "number" or . > 5'])}; ${pick([". + 1", "[.]"])})`,
    () => `error(${sub()})`,
    () => {
      const variable = name();
      return `(${sub()} as $${variable} | ${sub(1, withVariable(variable))})`;
    },
    () => {
      const variable = name();
      return `(${sub()} as [$${variable}, $z] | ${sub(1, { variables: [...variables, variable, "z"] })})`;
    },
    () => {
      const variable = name();
      return `(${sub()} as {a: $${variable}} ?// [$${variable}] | ${sub(1, withVariable(variable))})`;
    },
    () => {
      const variable = name();
      return `reduce ${sub()} as $${variable} (${sub()}; ${sub(1, withVariable(variable))})`;
    },
    () => {
      const variable = name();
      return `foreach ${sub()} as $${variable} (${sub()}; ${sub(1, withVariable(variable))}; ${sub(1, withVariable(variable))})`;
    },
    () => {
      const label = pick(["out", "end1"]);
      return `(label $${label} | ${sub(1, { labels: [...labels, label] })})`;
    },
    () => {
      const own = pick(["f", "g", "h"]);
      return `(def ${own}: ${sub()}; ${sub(1, { functions: [...functions, [own, 0]] })})`;
    },
    () => {
      const own = pick(["f", "g", "h"]);
      return `(def ${own}(p): ${sub(1, { functions: [...functions, ["p", 0]] })}; ${sub(1, { functions: [...functions, [own, 1]] })})`;
    },
    () => {
      const own = pick(["f", "g"]);
      const body = `if type == "array" then .[] | ${own} else ${sub(2)} end`;
      return `(def ${own}: ${body}; ${sub(1, { functions: [...functions, [own, 0]] })})`;
    },
    () => {
      const own = pick(["f", "g"]);
      const body = `if type == "array" then (.[0], .[1:]) | ${own}(p) else p end`;
      return `(def ${own}(p): if . == [] then empty else (${body}) end; ${sub(1, { functions: [...functions, [own, 1]] })})`;
    },
    () => (functions.length > 0 ? call() : leaf()),
    () => (functions.length > 0 ? call() : leaf()),
  ];
  return pick(choices)();
}

const texts = ["a", "b", "ab", "x,y", "", "é😀", "1", "2024-01-01", "__proto__", "null"];

/** A random JSON value. */
export function randomValue(random: () => number, depth = 3): unknown {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const chance = random();
  if (depth <= 0 || chance < 0.3) return pick([null, true, false, 0, 1, 2, -1, 3.5, 10, pick(texts), pick(texts)]);
  const size = Math.floor(random() * 4);
  if (chance < 0.6) return Array.from({ length: size }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: size }, () => [pick(["a", "b", "c", "d", "key", "value"]), randomValue(random, depth - 1)]),
  );
}
