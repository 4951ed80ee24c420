import fc from "fast-check";

/** A change of a string; positions are fractions, so that it fits every string. */
interface Change {
  readonly unit: "word" | "character";
  readonly kind: "delete" | "insert" | "replace" | "swap" | "repeat";
  readonly place: number;
  readonly other: number;
  readonly word: string;
  readonly character: string;
}

/** Strings a few changes away from given ones: words or characters deleted, inserted or exchanged. */
export function mutants(texts: readonly string[]): fc.Arbitrary<string> {
  const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const change = fc.record<Change>({
    unit: fc.constantFrom("word", "word", "character"),
    kind: fc.constantFrom("delete", "insert", "replace", "swap", "repeat"),
    place: fraction,
    other: fraction,
    word: fc.constantFrom(...words),
    character: fc.constantFrom(...characters),
  });
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  return fc.tuple(fc.constantFrom(...texts), changes).map(([text, all]) => all.reduce(changed, text));
}

function changed(text: string, { unit, kind, place, other, word, character }: Change): string {
  const parts = unit === "word" ? (text.match(wordsOfText) ?? []) : [...text];
  const piece = unit === "word" ? word : character;
  const [at, to] = [Math.floor(place * parts.length), Math.floor(other * parts.length)];
  const [here, there] = [parts[at], parts[to]];
  if (here === undefined || there === undefined) return piece;
  const replacements = { delete: [], insert: [piece, here], replace: [piece], swap: [there], repeat: [there, here] };
  if (kind === "swap") parts[to] = here;
  return parts.toSpliced(at, 1, ...replacements[kind]).join("");
}

const wordsOfText = /\s+|#[^\n]*|[.$@]?[A-Za-z_]\w*|\d+(?:\.\d*)?|\\\(|\\u?.|\?\/\/|\/\/=?|[-+*/%|=!<>]=|\.\.|[\s\S]/g;

const words: readonly string[] = [
  ..."as import include module def if then else elif and or end reduce foreach try catch label break".split(" "),
  ...". .. .a .b ?// ? // //= |= += = == != < >= + - * / % | , ; : :: ( ) [ ] { } $ @".split(" "),
  ...'$x $given $__loc__ __loc__ $a::b a::b not first empty map null true f 0 .5 1. 1e5 0x1 @base64 "a" " \\('.split(
    " ",
  ),
  ...'\\u00e9 \\ud83d \\ude00 \\n \\x # ! & ~ [] {} .[] .[1:2] {(1):2} {$x} {a:1} (1) "\\(1)"'.split(" "),
  ...[" ", "\n", "\r", "\t", "\f", "\u00a0", "#\\\n", "#\r\n", "é", "😀", " as $x | ", " | ", "; "],
];

const characters: readonly string[] = [...".?/|=+-*%,;:()[]{}$@\"'\\#!<>&_ \n\r\tabuxeE019"];
