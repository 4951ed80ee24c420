import { any, equalTypes, type Type, union } from "../../types/index.ts";

/** The types of all visible variables. Immutable; copies share chunks. */
export interface StepTypes {
  get(name: string): Type | undefined;
  readonly chunks: VariableChunks;
  readonly indexes: Map<string, number>;
}

type VariableChunks = readonly (VariableChunk | undefined)[];
type VariableChunk = readonly (Type | undefined)[];

const chunkSize = 32;

/** Creates an empty set. */
export const createVariables = (): StepTypes => variablesOf([], new Map());

const variablesOf = (chunks: VariableChunks, indexes: Map<string, number>): StepTypes => ({
  chunks,
  indexes,
  get(name) {
    const index = indexes.get(name);
    return index === undefined ? undefined : chunks[Math.floor(index / chunkSize)]?.[index % chunkSize];
  },
});

/** Assigns types; undefined names are ignored. */
export function assignTypes(variables: StepTypes, values: readonly (readonly [string | undefined, Type])[]): StepTypes {
  const { indexes } = variables;
  const changed = new Map<number, (Type | undefined)[]>();
  for (const [name, type] of values) {
    if (name === undefined) continue;
    const index = indexes.get(name) ?? indexes.size;
    indexes.set(name, index);
    const chunkIndex = Math.floor(index / chunkSize);
    const chunk = changed.get(chunkIndex) ?? [...(variables.chunks[chunkIndex] ?? [])];
    chunk[index % chunkSize] = type;
    changed.set(chunkIndex, chunk);
  }
  if (changed.size === 0) return variables;
  const chunks = [...variables.chunks];
  for (const [chunkIndex, chunk] of changed) chunks[chunkIndex] = chunk;
  return variablesOf(chunks, indexes);
}

/** The variables where paths join. */
export const joinVariables = (a: StepTypes, b: StepTypes): StepTypes =>
  mergeVariables(a, b, (left, right) => (left && right ? union(left, right) : (left ?? right)));

/** Widens changing variables to `any`. */
export const widenVariables = (before: StepTypes, now: StepTypes): StepTypes =>
  mergeVariables(before, now, (left, right) => (right && isSame(left, right) ? left : any));

/** Whether all variables have equal types. */
export function equalVariables(a: StepTypes, b: StepTypes): boolean {
  for (let i = 0; i < Math.max(a.chunks.length, b.chunks.length); i++) {
    const [left = [], right = []] = [a.chunks[i], b.chunks[i]];
    if (left === right) continue;
    for (let j = 0; j < Math.max(left.length, right.length); j++) if (!isSame(left[j], right[j])) return false;
  }
  return true;
}

function mergeVariables(
  a: StepTypes,
  b: StepTypes,
  merge: (left: Type | undefined, right: Type | undefined) => Type | undefined,
): StepTypes {
  const chunks: (VariableChunk | undefined)[] = [];
  for (let i = 0; i < Math.max(a.chunks.length, b.chunks.length); i++)
    chunks.push(mergeChunk(a.chunks[i], b.chunks[i], merge));
  return chunks.length === a.chunks.length && chunks.every((chunk, i) => chunk === a.chunks[i])
    ? a
    : variablesOf(chunks, a.indexes);
}

function mergeChunk(
  a: VariableChunk | undefined,
  b: VariableChunk | undefined,
  merge: (left: Type | undefined, right: Type | undefined) => Type | undefined,
): VariableChunk | undefined {
  if (a === b || !b) return a;
  if (!a) return b;
  const types: (Type | undefined)[] = [];
  for (let j = 0; j < Math.max(a.length, b.length); j++) types.push(a[j] === b[j] ? a[j] : merge(a[j], b[j]));
  return types.length === a.length && types.every((type, j) => type === a[j]) ? a : types;
}

const isSame = (a: Type | undefined, b: Type | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && equalTypes(a, b));
