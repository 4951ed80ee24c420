import { validationError } from "./errors.ts";

/** A value of DynamoDB; it has exactly one of these members. */
export interface AttributeValue {
  readonly S?: string;
  /** A decimal number of at most 38 digits. */
  readonly N?: string;
  readonly B?: Uint8Array;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly L?: readonly AttributeValue[];
  readonly M?: Item;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
}

/** The attributes of an item. Tables have the string keys `pk` and `sk`. */
export interface Item {
  readonly [attribute: string]: AttributeValue;
}

export type AttributeType = keyof AttributeValue;

/** The limits of the service, in bytes unless stated otherwise. */
export const limits = {
  item: 409_600,
  partitionKey: 2048,
  sortKey: 1024,
  /** Items in a transaction. */
  transactionItems: 100,
  transaction: 4 * 1024 * 1024,
  /** Items in a `batchWriteItem`. */
  batchWriteItems: 25,
  /** Keys in a `batchGetItem`. */
  batchGetItems: 100,
  batch: 16 * 1024 * 1024,
  /** What one `query` reads before it returns a `LastEvaluatedKey`. */
  page: 1024 * 1024,
  expression: 4096,
  /** Levels of lists and maps. */
  nesting: 32,
} as const;

const utf8 = new TextEncoder();

/** The length of a string in UTF-8. */
export const byteLength = (text: string): number =>
  /^[\0-\x7f]*$/.test(text) ? text.length : utf8.encode(text).length;

/** The size of an item as DynamoDB counts it: the names and values of its attributes. */
export function itemSize(item: Item): number {
  let size = 0;
  for (const [name, value] of Object.entries(item)) size += byteLength(name) + valueSize(value);
  return size;
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);

/** The size of a value, in bytes. */
export function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return byteLength(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.length;
  if (value.SS) return sum(value.SS.map(byteLength));
  if (value.NS) return sum(value.NS.map(numberSize));
  if (value.L) return 3 + sum(value.L.map((each) => 1 + valueSize(each)));
  if (value.M) return 3 + sum(Object.entries(value.M).map(([name, each]) => 1 + byteLength(name) + valueSize(each)));
  return 1;
}

/** About one byte for two significant digits, and one. */
const numberSize = (text: string): number =>
  Math.ceil(text.replace(/[eE].*|\D|0+$/g, "").replace(/^0+/, "").length / 2) + 1 + (text.startsWith("-") ? 1 : 0);

const types: readonly string[] = ["S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS"] satisfies AttributeType[];

/** The type of a value. */
export const typeOf = (value: AttributeValue): AttributeType => Object.keys(value)[0] as AttributeType;

/** Throws a `ValidationException` unless a value is well-formed. */
export function validateValue(value: AttributeValue, depth = 0): void {
  const [[type = "", content] = [], ...others] = Object.entries(value ?? {});
  if (others.length > 0 || !types.includes(type) || !isContent(type, content))
    throw validationError(`Supplied AttributeValue is not valid: ${JSON.stringify(value)}`);
  if (depth > limits.nesting) throw validationError("Nesting Levels have exceeded supported limits");
  for (const each of value.L ?? Object.values(value.M ?? {})) validateValue(each, depth + 1);
}

function isContent(type: string, content: unknown): boolean {
  switch (type) {
    case "S":
      return typeof content === "string";
    case "N":
      return isNumber(content);
    case "B":
      return content instanceof Uint8Array;
    case "BOOL":
      return typeof content === "boolean";
    case "NULL":
      return content === true;
    case "L":
      return Array.isArray(content);
    case "M":
      return typeof content === "object" && content !== null && !Array.isArray(content);
    default:
      return (
        Array.isArray(content) &&
        content.length > 0 &&
        new Set(content).size === content.length &&
        content.every((each) => (type === "NS" ? isNumber(each) : typeof each === "string"))
      );
  }
}

const isNumber = (text: unknown): boolean =>
  typeof text === "string" &&
  /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) &&
  text.replace(/[eE].*|\D/g, "").replace(/^0+|0+$/g, "").length <= 38;

/** Throws a `ValidationException` unless an item is well-formed, has its keys and is small enough. Returns its size. */
export function validateItem(item: Item, tooLarge = "Item size has exceeded the maximum allowed size"): number {
  for (const value of Object.values(item)) validateValue(value);
  validateKey({ pk: item["pk"]!, sk: item["sk"]! });
  const size = itemSize(item);
  if (size > limits.item) throw validationError(tooLarge);
  return size;
}

/** Throws a `ValidationException` unless a key has exactly `pk` and `sk`, and they are short enough. */
export function validateKey(key: Item): void {
  const { pk, sk, ...others } = key ?? {};
  if (pk?.S === undefined || sk?.S === undefined || Object.keys(others).length > 0)
    throw validationError("The provided key element does not match the schema");
  for (const [name, { S: text }, most] of [
    ["pk", pk, limits.partitionKey] as const,
    ["sk", sk, limits.sortKey] as const,
  ]) {
    if (text === "") throw validationError(`The AttributeValue for a key attribute cannot be empty. Key: ${name}`);
    if (byteLength(text!) > most)
      throw validationError(`One or more parameter values were invalid: the size of ${name} exceeds ${most} bytes`);
  }
}

/** The order of strings in DynamoDB: that of their bytes in UTF-8. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [one, other] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (one !== other) return codePointRank(one) - codePointRank(other);
  }
  return a.length - b.length;
}

/** Surrogates come after all other UTF-16 code units, as the code points that they encode do. */
const codePointRank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Compares two values of one type; undefined for values that have no order. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if (a.S !== undefined && b.S !== undefined) return compareText(a.S, b.S);
  if (a.N !== undefined && b.N !== undefined) return Number(a.N) - Number(b.N);
  if (a.B !== undefined && b.B !== undefined) return Buffer.compare(a.B, b.B);
  return undefined;
}

/** Whether two values are equal. Sets have no order. */
export function equalValues(a: AttributeValue, b: AttributeValue): boolean {
  const order = compareValues(a, b);
  if (order !== undefined) return order === 0;
  if (typeOf(a) !== typeOf(b)) return false;
  if (a.SS && b.SS) return a.SS.length === b.SS.length && a.SS.every((each) => b.SS!.includes(each));
  if (a.NS && b.NS)
    return a.NS.length === b.NS.length && a.NS.every((each) => b.NS!.map(Number).includes(Number(each)));
  if (a.L && b.L) return a.L.length === b.L.length && a.L.every((each, i) => equalValues(each, b.L![i]!));
  if (a.M && b.M) {
    const names = Object.keys(a.M);
    const isSame = (name: string) => b.M![name] !== undefined && equalValues(a.M![name]!, b.M![name]!);
    return names.length === Object.keys(b.M).length && names.every(isSame);
  }
  return a.BOOL === b.BOOL && a.NULL === b.NULL;
}
