import { functionNames } from "./helpers/index.ts";

/**
 * Binds references to a state's data and to variables that an expression repeats, if that makes it clearly shorter. Their evaluation has
 * no effects and cannot fail.
 *
 *   $type($states.result) = "object" ? $states.result : … → ($r := $states.result; $type($r) = "object" ? $r : …)
 */
export function bindReferences(text: string): string {
  if (text.length < minLength || !repeatsReference(text) || isForeign(text)) return text;
  let body = text;
  const bound: Binding[] = [];
  while (bound.length < maxBound) {
    const best = bestBinding(body, bound);
    if (!best) break;
    body = withName(body, best);
    bound.push(best);
  }
  return bound.length === 0 ? text : inBlock(bound, body);
}

/** Whether an expression has a form that only those of users have: their tokens are not read here. */
function isForeign(text: string): boolean {
  const code = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  return /['\u03bb]|\/\*|[@#]\s*\$|\S:=|:=\S|function\s+\(|function\([^)]*,\S/.test(code);
}

/** Whether a variable with a step occurs twice, even in strings. Most expressions need no closer look. */
function repeatsReference(text: string): boolean {
  const seen = new Set<string>();
  for (const [name] of text.matchAll(/\$\w*[.[]/g)) {
    if (seen.has(name)) return true;
    seen.add(name);
  }
  return false;
}

const root = "$states";

/** Shorter expressions have too few references. */
const minLength = 60;

const maxBound = 4;

/** What a binding has to save, in characters. */
const leastGain = 16;

/** No name is shorter. */
const shortestName = "$v";

interface Binding {
  readonly name: string;
  readonly reference: string;
}

function bestBinding(text: string, bound: readonly Binding[]): Binding | undefined {
  const tokens = tokensOf(text);
  const roots = new Set([root, ...bound.map(({ name }) => name), ...variablesReadFirst(text, tokens)]);
  const counts = new Map<string, number>();
  for (const token of tokens) {
    if (!token.startsWith("$") || !roots.has(rootOf(token))) continue;
    const steps = token.match(step) ?? [];
    for (let i = 1; i <= steps.length; i++) {
      const prefix = token.slice(0, token.length - steps.slice(i).join("").length);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const gainOf = (reference: string, count: number, name: string): number =>
    count * (reference.length - name.length) - `${name} := ${reference}; `.length;
  const repeated = [...counts].filter(
    ([reference, count]) => count > 1 && gainOf(reference, count, shortestName) >= leastGain,
  );
  if (repeated.length === 0) return undefined;
  const block = isBlock(text) || bound.length > 0 ? 0 : "()".length;
  const taken = new Set([...text.matchAll(/\$(\w+)/g)].map(([, name]) => name!));
  const candidates = repeated.map(([reference, count]) => {
    const name = nameFor(reference, taken);
    return { name, reference, gain: gainOf(reference, count, name) - block };
  });
  const best = candidates.reduce((a, b) => (b.gain > a.gain ? b : a), { name: "", reference: "", gain: leastGain - 1 });
  return best.reference === "" ? undefined : best;
}

const rootOf = (token: string): string => /^\$\w+/.exec(token)?.[0] ?? "";

/** Variables of the machine that are read whatever the expression decides. */
function variablesReadFirst(text: string, tokens: readonly string[]): readonly string[] {
  const own = text.match(/\$\w+(?= :=)|(?<=function\()[^)]*/g)?.flatMap((names) => names.split(", ")) ?? [];
  const end = tokens.findIndex((token) => conditionalParts.has(token));
  const first = tokens.slice(0, Math.max(0, end)).filter((token) => token.startsWith("$"));
  return first.map(rootOf).filter((name) => !own.includes(name));
}

/** A choice, and the first letters of `and`, `or` and `function`. */
const conditionalParts: ReadonlySet<string> = new Set(["?", "a", "o", "f"]);

const step = /\.(?:[A-Za-z_]\w*|`[^`]*`)|\[\d+\]/g;

const shortNames: { readonly [reference: string]: string } = {
  "$states.input": "in",
  "$states.result": "r",
  "$states.errorOutput": "e",
  "$states.input.data": "data",
};

/** A short name for a reference, its last member's if that is short itself. */
function nameFor(reference: string, taken: ReadonlySet<string>): string {
  const [, last = ""] = /\.(\w{1,8})(?:\[\d+\])*$/.exec(reference) ?? [];
  const wanted = shortNames[reference] ?? (last === "" ? "v" : last);
  let name = wanted;
  for (let count = 2; taken.has(name) || functionNames.has(name); count++) name = `${wanted}${count}`;
  return `$${name}`;
}

function withName(text: string, { name, reference }: Binding): string {
  const isReference = (token: string) =>
    token.startsWith(reference) && /^$|^[.[]/.test(token.slice(reference.length)) && token.startsWith("$");
  return tokensOf(text)
    .map((token) => (isReference(token) ? name + token.slice(reference.length) : token))
    .join("");
}

/** A block takes the definitions at its start. */
const inBlock = (bound: readonly Binding[], text: string): string => {
  const head = bound.map(({ name, reference }) => `${name} := ${reference}; `).join("");
  return isBlock(text) ? `(${head}${text.slice(1)}` : `(${head}${text})`;
};

/** Whether an expression is one block in parentheses. */
export function isBlock(text: string): boolean {
  if (!text.startsWith("(")) return false;
  let depth = 0;
  const tokens = tokensOf(text);
  for (const [i, token] of tokens.entries()) {
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
    if (depth === 0) return i === tokens.length - 1;
  }
  return false;
}

/** Strings, quoted names, regular expressions, references with their steps, and single characters. */
export function tokensOf(text: string): readonly string[] {
  if (!text.includes("/")) return text.match(token) ?? [];
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

function tokenAt(text: string, at: number): string {
  const sticky = text[at] === '"' ? string : text[at] === "$" ? reference : text[at] === "`" ? quoted : undefined;
  if (sticky) {
    sticky.lastIndex = at;
    return sticky.exec(text)?.[0] ?? text[at]!;
  }
  return text[at] === "/" && /(?:^|[(,:=?])\s*$/.test(text.slice(Math.max(0, at - 3), at))
    ? text.slice(at, endOfRegex(text, at))
    : text[at]!;
}

const string = /"(?:[^"\\]|\\.)*"/y;
const quoted = /`[^`]*`/y;
/** A step before a filter keeps it. */
const reference = /\$\w*(?:(?:\.(?:[A-Za-z_]\w*|`[^`]*`)|\[\d+\])(?![\w{^]|\[(?!\d+\])))*/y;

/** A token of code without regular expressions. */
const token = new RegExp(`${string.source}|${quoted.source}|${reference.source}|[^]`, "g");

/** JSONata ends a regular expression at the first slash outside brackets. */
function endOfRegex(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") {
      at += 1;
      continue;
    }
    if (text[at] === "/" && depth === 0) return at + 1;
    if ("([{".includes(text[at]!)) depth += 1;
    if (")]}".includes(text[at]!)) depth -= 1;
  }
  return text.length;
}
