import { alternatives, isNever, memberOf, type Type, typeNameOf, union } from "../../../types/index.ts";

/** What is looked at in a value: from it comes its type. Grows while expressions are written. */
export type Use = OpenUse | ClosedUse;

/** A value known only by the members that are read. */
export interface OpenUse {
  readonly kind: "open";
  /** Whether it is compared with a string, a number or a boolean, so that it may be something other than an object. */
  isCompared?: boolean;
  readonly members: Map<string, OpenUse>;
  /** What a schema says of it; absent: nothing. */
  readonly type?: Type | undefined;
  /** What is proven of it wherever it is read. */
  readonly proven?: Type | undefined;
}

/** A value of a declared type: an object with these members, or an array. */
export interface ClosedUse {
  readonly kind: "closed";
  readonly members: { readonly [name: string]: Member };
  /** Whether it may have other members too. */
  readonly hasOthers?: boolean;
  /** What the elements are, where it is an array. */
  readonly element?: Use | undefined;
  /** Whether an array has the elements that are read. */
  readonly isFilled?: boolean;
}

/** A member of a declared type. */
export interface Member {
  readonly use?: Use | undefined;
  readonly isOptional?: boolean;
  readonly isNullable?: boolean;
}

/** A value at which nothing has been looked yet. */
export const unusedValue = (type?: Type, proven?: Type): OpenUse => ({
  kind: "open",
  members: new Map(),
  type,
  proven,
});

/** What is looked at in a member of a value. */
export function memberUse(use: OpenUse, name: string): OpenUse {
  const known = use.members.get(name);
  if (known) return known;
  const found = use.type && memberOf(use.type, name).type;
  const proven = objectsOf(use.proven)?.map((each) => memberOf(each, name).type);
  const member = unusedValue(found && isNever(found) ? undefined : found, proven && union(...proven));
  use.members.set(name, member);
  return member;
}

/** What is proven of a member of an object: that it is always there, not null, and a scalar of one type. */
export interface ProvenMember {
  readonly isAlways: boolean;
  readonly isPresent: boolean;
  readonly scalar: "boolean" | "number" | "string" | undefined;
}

/** What is proven of a member of a value with a known type, if the value is an object. */
export function provenMember(type: Type | undefined, name: string): ProvenMember {
  const objects = objectsOf(type);
  if (!objects) return { isAlways: false, isPresent: false, scalar: undefined };
  const member = memberOf(union(...objects), name);
  const kinds = new Set(alternatives(member.type).map(kindOf));
  const [kind] = kinds.size === 1 ? kinds : [];
  return {
    isAlways: member.presence === "always",
    isPresent: member.presence === "always" && kinds.size > 0 && !kinds.has("any") && !kinds.has("null"),
    scalar: kind === "boolean" || kind === "number" || kind === "string" ? kind : undefined,
  };
}

/** Whether all values of a proven type are objects. */
export const isProvenObject = (type: Type | undefined): boolean => {
  const parts = type ? alternatives(type) : [];
  return parts.length > 0 && parts.every(({ kind }) => kind === "object");
};

/** Whether no value of a proven type is null. */
export const isProvenPresent = (type: Type | undefined): boolean => {
  const parts = type ? alternatives(type) : [];
  return parts.length > 0 && parts.every(({ kind }) => kind !== "null");
};

/** What all values of a proven type are: a boolean, a number, a string or an object. */
export function provenName(type: Type): ProvenMember["scalar"] | "object" {
  const name = isProvenPresent(type) ? typeNameOf(type) : undefined;
  return name === "array" || name === "null" ? undefined : name;
}

/** The types of the objects, if a value is an object or null. */
function objectsOf(type: Type | undefined): readonly Type[] | undefined {
  const parts = type ? alternatives(type).filter(({ kind }) => kind !== "null") : [];
  return parts.length > 0 && parts.every(({ kind }) => kind === "object") ? parts : undefined;
}

/** The kind of a type, which for a constant is that of its value. */
const kindOf = (type: Type): string => (type.kind === "literal" ? typeof type.value : type.kind);

/** Whether all values are objects or null by what a schema says of them, or it says nothing: only then TypeScript lets members be read. */
export const mayHaveMembers = ({ type }: OpenUse): boolean =>
  type === undefined ||
  type.kind === "any" ||
  alternatives(type).every(({ kind }) => kind === "object" || kind === "null");

/** Notes that a value is compared with a string, a number or a boolean. */
export function compared({ use }: { readonly use?: Use | undefined }): void {
  if (use?.kind === "open") use.isCompared = true;
}

/**
 * Whether a member of that name can be read with a dot from any JSON value, so that it is undefined unless the value
 * is an object that has it. Arrays, strings and prototypes have members of their own.
 */
export const isFreeName = (name: string): boolean => !ownNames.has(name) && !/^\d+$/.test(name);

const ownNames: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype].flatMap((each) =>
    Object.getOwnPropertyNames(each),
  ),
);
