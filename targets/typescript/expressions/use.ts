import { propertyText } from "./text.ts";
import { widest } from "./width.ts";

export { isWord, propertyText } from "./text.ts";

/** What is looked at in a value: from it comes its type. Grows while expressions are written. */
export type Use = OpenUse | ClosedUse;

/** A value of which nothing is known but what is looked at. */
export interface OpenUse {
  readonly kind: "open";
  /** Whether it is compared with a text, a number or a boolean: then it is not known to be an object. */
  isCompared?: boolean;
  readonly members: Map<string, OpenUse>;
}

/** A value of a declared type: an object with these members, or an array. */
export interface ClosedUse {
  readonly kind: "closed";
  readonly members: { readonly [name: string]: Member };
  /** Whether it may have other members too. */
  readonly hasOthers?: boolean;
  /** What the elements are, where it is an array. */
  readonly element?: Use | undefined;
  /** Whether an array has the elements that are asked for. */
  readonly isFilled?: boolean;
}

/** A member of a declared type. */
export interface Member {
  readonly use?: Use | undefined;
  readonly isOptional?: boolean;
  readonly isNullable?: boolean;
}

/** A value at which nothing has been looked yet. */
export const unusedValue = (): OpenUse => ({ kind: "open", members: new Map() });

/** What is looked at in a member of a value. */
export function memberUse(use: OpenUse, name: string): OpenUse {
  const known = use.members.get(name);
  if (known) return known;
  const member = unusedValue();
  use.members.set(name, member);
  return member;
}

/** Notes that a value is compared with a text, a number or a boolean. */
export function compared({ use }: { readonly use?: Use | undefined }): void {
  if (use?.kind === "open") use.isCompared = true;
}

/** The type of a value in TypeScript, by what is looked at in it; `Json` where that is nothing. */
export function typeText(use: OpenUse): string {
  if (use.members.size === 0) return "Json";
  if (use.isCompared) return "any";
  const members = [...use.members].map(([name, member]) => `readonly ${propertyText(name)}?: ${typeText(member)}`);
  const all = [...members, "readonly [member: string]: Json | undefined"];
  const flat = `{ ${all.join("; ")} }`;
  return flat.length <= widest ? flat : `{\n${all.join(";\n")};\n}`;
}

/**
 * Whether a member of that name can be read with a dot from any JSON value, so that it is undefined unless the value is an object that has it. Arrays,
 * texts and prototypes have members of their own.
 */
export const isFreeName = (name: string): boolean => !ownNames.has(name) && !/^\d+$/.test(name);

const ownNames: ReadonlySet<string> = new Set(
  [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype].flatMap((each) =>
    Object.getOwnPropertyNames(each),
  ),
);
