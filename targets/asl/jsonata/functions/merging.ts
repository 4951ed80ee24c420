import {
  type Call,
  canFail,
  dataMergeError,
  type Expression,
  factsOf,
  type TypeName,
  typeOf,
} from "../../../../src/expressions/index.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import { isPlace, written } from "../access.ts";
import {
  after,
  apply,
  type Checked,
  type Code,
  choice,
  code,
  discarding,
  equal,
  linked,
  membersText,
  stringText,
  whole,
} from "../code.ts";
import { help, named, type Printer, refuse } from "../context.ts";
import { fixedError } from "../errors.ts";
import { literalKeys } from "../values.ts";

/** `merge(target, value)`, by what is known of both. */
export function mergeText([target, value]: readonly Expression[], [a, b]: readonly Code[], printer: Printer): Code {
  const { type } = factsOf(value!);
  if (type === undefined) return help(printer, factsOf(target!).type === "object" ? "blend" : "mergeInto", a!, b!);
  if (type !== "object") return canFail(target!) ? discarding(a!, b!) : b!;
  const combine = isShallow(target!, value!)
    ? merged
    : (object: Code, more: Code) => help(printer, "blend", object, more);
  return into([target!, value!], [a!, b!], dataMergeError.merge, printer, combine);
}

/** `mergeResult(target, value, key)`. */
export function mergeResultText(call: Call, [a, b, k]: readonly Code[], printer: Printer): Code {
  const [, value, key] = call.args as readonly [Expression, Expression, Expression];
  if (factsOf(value).type === "object") return mergeText(call.args, [a!, b!], printer);
  if (key.kind === "literal" && key.value === "__proto__") refuse("a member named `__proto__`", call);
  return help(printer, "mergeResult", a!, b!, k!);
}

/** `place(target, path, value)`. */
export function placeText(call: Call, [a, , c]: readonly Code[], printer: Printer): Code {
  const [target, path, value] = call.args as readonly [Expression, Expression, Expression];
  if (path.kind !== "literal") refuse("a place that is computed", call);
  const names = Array.isArray(path.value)
    ? path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)))
    : [];
  if (names.includes("__proto__")) refuse("a place named `__proto__`", call);
  if (names.length === 0) return canFail(target) ? discarding(a!, c!) : c!;
  return into([target, value], [a!, c!], dataMergeError.place, printer, (object, item) =>
    placed(object, names, item, printer),
  );
}

/** Members of an object in front of those of another. */
function merged(object: Code, more: Code): Code {
  const objects = [...(object.before.length === 0 && object.objects ? object.objects : [object]), more];
  return { ...code(`$merge([${objects.map(whole).join(", ")}])`), objects };
}

/** An object with a value at a path; on the way the objects that are there, or new ones. */
function placed(object: Code, [name, ...rest]: readonly string[], item: Code, printer: Printer): Code {
  const withMember = (value: Code) => merged(object, code(membersText([[name!, whole(value)]])));
  if (rest.length === 0) return withMember(item);
  const steps = [name!, ...rest].map(written);
  return named(object, printer, "target", (from) => {
    if (!isPlace(from) || steps.length > 3 || !steps.every((step) => step !== undefined)) {
      return help(printer, "setAt", from, code(`[${[name!, ...rest].map(stringText).join(", ")}]`), item);
    }
    const places = steps.slice(0, -1).map((_, i) => code(`${from.text}.${steps.slice(0, i + 1).join(".")}`));
    const inner = places.map((place, i) =>
      choice(linked("and", places.slice(0, i + 1).map(isObjectText)), place, code("{}")),
    );
    const objects = [from, ...inner];
    return [name!, ...rest].reduceRight(
      (value, key, i) => merged(objects[i]!, code(membersText([[key, whole(value)]]))),
      item,
    );
  });
}

const isObjectText = (value: Code): Code => equal(apply("type", value), code('"object"'));

/**
 * What is made of a value that has to be an object, and of another value, which is computed before that is asked. Where the first is such an
 * object itself, the question stays around both.
 */
function into(
  [target, value]: readonly Expression[],
  [a, b]: readonly Code[],
  message: string,
  printer: Printer,
  combine: Combine,
): Code {
  if (a!.checked) return after(a!.before, checked({ ...a!.checked, object: combine(a!.checked.object, b!) }));
  if (factsOf(target!).type === "object") return combine(a!, b!);
  return named(a!, printer, "target", (object) => {
    const around = (made: Code) => choice(isObjectText(object), made, code(fixedError(dataMergeError.name, message)));
    const make = (more: Code) => checked({ object: combine(object, more), around });
    return canFail(value!) ? named(b!, printer, "value", make) : make(b!);
  });
}

type Combine = (object: Code, more: Code) => Code;

const checked = (object: Checked): Code => ({ ...object.around(object.object), checked: object });

/** The members that objects can have, and their types where these are known. */
type Members = ReadonlyMap<string, TypeName | undefined>;

/** Whether merging an object into another never has to merge two members: then JSONata's `$merge` does the same. */
function isShallow(target: Expression, value: Expression): boolean {
  const added = membersOf(value);
  if (!added) return false;
  const before = membersOf(target);
  const isFlat = (type: TypeName | undefined) => type !== undefined && type !== "object";
  return [...added].every(([key, type]) => isFlat(type) || (before && (!before.has(key) || isFlat(before.get(key)))));
}

/** The members of all objects that an expression gives; undefined where they are not known. */
function membersOf(expression: Expression): Members | undefined {
  switch (expression.kind) {
    case "literal":
      return isObject(expression.value) ? typesOf(expression.value) : undefined;
    case "object": {
      const types = expression.entries.map((entry) => factsOf(entry.value).type);
      return literalKeys(expression)?.reduce(
        (members, key, i) => members.set(key, types[i]),
        new Map<string, TypeName | undefined>(),
      );
    }
    case "if":
      return either([expression.then, expression.otherwise]);
    case "comma":
      return either(expression.items);
    case "pipe":
      return membersOf(expression.right);
    case "let":
      return membersOf(expression.body);
    case "call":
      return membersOfCall(expression);
    default:
      return undefined;
  }
}

function membersOfCall({ name, args }: Call): Members | undefined {
  if (name === "first") return membersOf(args[0]!);
  return name === "merge" && factsOf(args[1]!).type === "object" ? either(args) : undefined;
}

const typesOf = (object: { readonly [key: string]: Json }): Members =>
  new Map(Object.keys(object).map((key) => [key, typeOf(object[key]!)]));

/** The members that objects of any of several kinds can have. */
function either(expressions: readonly Expression[]): Members | undefined {
  const all = new Map<string, TypeName | undefined>();
  for (const expression of expressions) {
    const members = membersOf(expression);
    if (!members) return undefined;
    for (const [key, type] of members) all.set(key, all.has(key) && all.get(key) !== type ? undefined : type);
  }
  return all;
}
