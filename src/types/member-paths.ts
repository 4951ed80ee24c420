import { union } from "./lattice.ts";
import { alternatives, memberOf } from "./members.ts";
import { withMember } from "./merge.ts";
import { isNever, never, nullType, type ObjectType, recordOf, type Type } from "./type.ts";

/** The type at a path of names in objects and null, where missing members are null. Other values fail. */
export function typeAtPath(target: Type, names: readonly string[]): Type {
  return names.reduce<Type>((type, name) => {
    const [objects, nulls] = accessible(type);
    const { type: found, presence } = memberOf(union(...objects), name);
    const isMissing = nulls.length > 0 || (objects.length > 0 && presence !== "always");
    return isMissing ? union(found, nullType) : found;
  }, target);
}

/** The type after setting the value at a path of names; null becomes an object. Other values fail. */
export function setPathType(target: Type, [name, ...others]: readonly string[], value: Type): Type {
  if (name === undefined) return value;
  const [objects, nulls] = accessible(target);
  const created = recordOf([[name, setPathType(nullType, others, value)]]);
  return union(
    ...objects.map((object) => withMember(object, name, setPathType(typeAtPath(object, [name]), others, value))),
    nulls.length > 0 ? created : never,
  );
}

/** The type after deleting the value at a path of names, if it exists. */
export function deletePathType(target: Type, [name, ...others]: readonly string[]): Type {
  if (name === undefined) return nullType;
  const [objects, nulls] = accessible(target);
  return union(...nulls, ...objects.map((object) => deleteFromObject(object, name, others)));
}

function deleteFromObject(object: ObjectType, name: string, others: readonly string[]): Type {
  const { type, presence } = memberOf(object, name);
  if (presence === "never") return object;
  if (others.length > 0) {
    const changed = deletePathType(type, others);
    return isNever(changed) && presence === "always" ? never : withMember(object, name, changed, presence === "always");
  }
  return withMember(object, name, never, false);
}

function accessible(type: Type): readonly [objects: readonly ObjectType[], nulls: readonly Type[]] {
  const parts = alternatives(type);
  return [parts.filter((part) => part.kind === "object"), parts.filter(({ kind }) => kind === "null")];
}
