import { js, type TypeNode } from "../../js-ast/index.ts";

/**
 * A name that the printer makes up. Its text in the tree is unique (`item:order#12`), so that statements can be moved; `nameTemporaries` replaces it by the first
 * of its words that is free where the name is visible.
 */
export interface Temporary {
  /** The words that it may be called, the preferred one first. */
  readonly words: readonly string[];
  /** The type of its declaration, where TypeScript cannot infer it. */
  readonly type: TypeNode | undefined;
}

/** What a made-up name holds. */
export type TemporaryKind = keyof typeof kinds;

const json = js.type("Json");
const path = js.arrayType(json);
const unknown = js.keyword("unknown");
const copyState = js.union([js.keyword("boolean"), js.keyword("undefined")]);
const mutableArray = { ...path, readonly: false };

const callback = js.functionType([{ name: "value", type: json }], unknown);
const pathCallback = js.functionType(
  [
    { name: "value", type: json },
    { name: "path", type: js.union([path, js.keyword("undefined")]) },
    { name: "at", type: json },
    { name: "copied", type: copyState },
  ],
  unknown,
);

const closure = js.functionType(
  [
    { name: "input", type: json },
    { name: "yields", type: callback },
  ],
  unknown,
);

const pathClosure = js.functionType([...pathCallback.parameters, { name: "yields", type: pathCallback }], unknown);

/** The words for each kind, and its type. */
const kinds = {
  value: { words: ["value", "result", "current", "other"], type: json },
  item: { words: ["item", "element", "entry", "part"], type: json },
  optional: { words: ["found", "result", "match", "value"], type: js.union([json, js.keyword("undefined")]) },
  key: { words: ["key", "name", "index"], type: json },
  list: { words: ["values", "results", "items", "outputs"], type: mutableArray },
  draft: { words: ["draft", "copy", "changed"], type: undefined },
  deleted: { words: ["deleted", "removed"], type: mutableArray },
  flag: { words: ["isFound", "isDone", "isKnown"], type: undefined },
  reduction: { words: ["reduction", "reduced"], type: undefined },
  state: { words: ["state", "total", "accumulator"], type: json },
  owned: { words: ["owned", "own"], type: undefined },
  path: { words: ["path", "place", "route"], type: path },
  optionalPath: { words: ["path", "place", "route"], type: js.union([path, js.keyword("undefined")]) },
  at: { words: ["at", "original"], type: json },
  copied: { words: ["copied", "isCopy"], type: copyState },
  count: { words: ["left", "remaining"], type: json },
  bound: { words: ["bound", "limit"], type: undefined },
  index: { words: ["i", "j", "k"], type: undefined },
  failure: { words: ["failure", "problem"], type: js.union([json, js.keyword("undefined")]) },
  error: { words: ["error", "cause"], type: undefined },
  label: { words: ["search", "scan", "outer"], type: undefined },
  exit: { words: ["exit", "left"], type: undefined },
  action: { words: ["use", "visit", "next"], type: undefined },
  callback: { words: ["yields", "emit", "give"], type: callback },
  closure: { words: ["apply", "run", "call"], type: closure },
  pathClosure: { words: ["apply", "run", "call"], type: pathClosure },
  stack: { words: ["open", "inner"], type: { ...js.arrayType(unknown), readonly: false } },
  pathCallback: { words: ["yields", "emit", "give"], type: pathCallback },
} as const satisfies { readonly [kind: string]: Temporary };

/** A temporary of a kind, called after something in the source if it has a name for it. */
export const temporaryOf = (kind: TemporaryKind, wanted: string | undefined): Temporary =>
  wanted === undefined ? kinds[kind] : { words: [wanted, ...kinds[kind].words], type: kinds[kind].type };
