import { expect, test } from "vitest";
import { createSignatureReader, type FoundSignature } from "../../src/signatures/index.ts";
import { printDefinitions, printType } from "../../src/types/index.ts";
import { readerOfModules } from "../host.ts";

/** Exports of one module, and the types of their parameter and result as JSON. */
const cases: readonly (readonly [code: string, parameter: string | undefined, result: string])[] = [
  ["() => 'x' as string", undefined, "string"],
  ["async (x: number) => x > 1", "number", "boolean"],
  ["(x: string | null) => x", "null | string", "null | string"],
  // Where a value must be, undefined becomes null.
  ["(): void => undefined", undefined, "null"],
  ["(x?: string): string | undefined => x", "string", "null | string"],
  ["(): (string | undefined)[] => []", undefined, "(null | string)[]"],
  // In objects, members that are undefined are absent.
  ["(): { a: string | undefined; b?: number } => ({ a: '' })", undefined, "{ a?: string, b?: number, … }"],
  ["(x: { readonly a: 'x' | 'y'; b: 1 | 2 }): true => true", '{ a: "x" | "y", b: 1 | 2, … }', "true"],
  ["(): [number, string] => [1, 'a']", undefined, "(number | string)[]"],
  ["(x: readonly string[]): string[][] => [[...x]]", "string[]", "string[][]"],
  // Other members must have the type of the index signature, if it is that of all strings.
  [
    "(x: Record<string, number>): Record<'a' | 'b', string> => ({ a: '', b: '' })",
    "{ …: number }",
    "{ a: string, b: string, … }",
  ],
  ["(): { [key: Prefixed]: number } => ({})", undefined, "any"],
  ["(): Partial<{ a: string }> & { b: number } => ({ b: 1 })", undefined, "{ a?: string, b: number, … }"],
  // A number can be assigned to an enum of numbers.
  ["(x: Color): Level => Level.Low", '"red" | "green"', "number"],
  ["(x: any): unknown => x", "any", "any"],
  ["(x: object): {} => x", "any[] | { … }", "any"],
  ["(x: string & { __brand: 'id' }): Prefixed => (x.length === 0 ? 'x-1' : 'x-2')", "string", "string"],
  [
    "(x: Shape): Shape => x",
    '{ kind: "circle", r: number, … } | { kind: "square", a: number, … }',
    '{ kind: "circle", r: number, … } | { kind: "square", a: number, … }',
  ],
  ["<T extends { id: string }>(x: T): T[] => [x]", "{ id: string, … }", "{ id: string, … }[]"],
  ["<T>(x: T): T => x", "any", "any"],
  ["(...x: [string, number]): number => x[1]", "string", "number"],
  ["(): Tree => ({ value: 1, children: [] })", undefined, "Tree; Tree = { value: number, children: Tree[], … }"],
  ["(): PromiseLike<string> => Promise.resolve('')", undefined, "string"],
  // A function that never returns has no result to rely on.
  ["(): never => { throw new Error(); }", undefined, "any"],
  ["over", "number | string", "number | string"],
];

const declarations = `
export enum Color { Red = "red", Green = "green" }
export enum Level { Low, High }
export type Shape = { kind: "circle"; r: number } | { kind: "square"; a: number };
export type Prefixed = \`x-\${string}\`;
export interface Tree { value: number; children: Tree[] }
function over(x: string): string;
function over(x: number): number;
function over(x: string | number) { return x; }
`;

const nameOf = (index: number): string => `f${index}`;

function read(text: string, names: readonly string[], path = "functions.ts"): readonly FoundSignature[] {
  const sources = [{ path, text }];
  const exports = names.map((name) => ({ module: `./${path}`, name, from: "waybill.config.yaml" }));
  return createSignatureReader({ read: readerOfModules(sources) })(exports);
}

test("types become those of their JSON", () => {
  const text = declarations + cases.map(([code], i) => `export const ${nameOf(i)} = ${code};\n`).join("");
  const found = read(
    text,
    cases.map((_, i) => nameOf(i)),
  );
  const printed = found.map((each, i) => {
    if ("reason" in each) return [cases[i]![0], each.reason];
    const result = [printType(each.result), ...printDefinitions(each.result)].join("; ");
    expect(each.error?.message).toBeUndefined();
    return [cases[i]![0], each.parameter && printType(each.parameter), result];
  });
  expect(printed).toEqual(cases);
});

test("parts that are not JSON are named, and any value is assumed there", () => {
  const text = `
class Money { constructor(readonly amount: number) {} get cents() { return this.amount * 100; } format() { return ""; } }
export const f = (x: { when: Date; ids: Set<string> }) => ({
  big: 1n, deep: [{ at: new Date(0) }], act() {}, money: new Money(1), symbol: Symbol.iterator as symbol, fine: "x",
});
export const g = async () => () => 1;
`;
  const [f, g] = read(text, ["f", "g"]) as readonly Exclude<FoundSignature, { readonly reason: string }>[];
  expect(f!.inexact.map(({ of, path, what }) => `${of} ${path}: ${what}`)).toEqual([
    "parameter when: a `Date`",
    "parameter ids: a `Set`",
    "result big: a `bigint`",
    "result deep[].at: a `Date`",
    "result act: a function",
    "result money.cents: an accessor of a class",
    "result money.format: a function",
    "result symbol: a `symbol`",
  ]);
  expect(printType(f!.result)).toBe(
    "{ big?: any, deep: { at?: any, … }[], act?: any, money: { amount: number, cents?: any, format?: any, … }, symbol?: any, fine: string, … }",
  );
  expect(g!.inexact).toEqual([{ of: "result", path: "", what: "a function" }]);
});

test("large and unbounded types are widened", () => {
  const wide = `export interface Wide { ${Array.from({ length: 600 }, (_, i) => `m${i}: string`).join("; ")} }`;
  const text = `${wide}
export type Growing<T> = { value: T; left?: Growing<T[]>; right?: Growing<[T]> };
export const f = (): Wide => ({}) as Wide;
export const g = (x: Growing<string>): Growing<string> => x;
`;
  const [f, g] = read(text, ["f", "g"]);
  expect("result" in f! && printType(f.result)).toBe("{ … }");
  expect("result" in g! && printType(g.result)).toMatch(/^\{ value: string, left\?: \{ value: string\[\], /);
});
