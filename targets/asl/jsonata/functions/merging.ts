import {
  type Call,
  canFail,
  dataMergeError,
  type Expression,
  equalExpressions,
  object,
} from "../../../../src/expressions/index.ts";
import type { Shape } from "../../../../src/types/index.ts";
import { childOf, memberOf, objectsOf, typeOfShape } from "../../../../src/types/index.ts";
import { isReference, written } from "../access.ts";
import {
  after,
  apply,
  type Checked,
  type Code,
  choice,
  code,
  constantCode,
  discarding,
  equal,
  isAtom,
  lambda,
  linked,
  nothing,
  objectCode,
  question,
  stringText,
  whole,
} from "../code.ts";
import { fresh, help, mayBe, named, type Printer, refuse, shapeIn, typeIn } from "../context.ts";
import { fixedError } from "../errors.ts";
import { operands } from "../printer.ts";
import { eachOf, type Family, type FunctionPrinter, value } from "./descriptor.ts";
import { textOf } from "./values.ts";

/** The functions that make data of data and results. None is jq's: their failing is not caught. */
export const merging: Family = {
  "merge/2": merger(({ args }, values, printer) => mergeText(args, values, printer)),
  "mergeResult/3": merger((call, [target, item, key], printer) =>
    mergeResultText(call, [target!, item!, textOf(call.args[2]!, key!, printer)], printer),
  ),
  "mergeOutput/2": merger(({ args }, [a, b], printer) =>
    args.every((arg) => typeIn(arg, printer) === "object") ? merged(a!, b!) : help(printer, "mergeOutput", a!, b!),
  ),
  "place/3": merger(placeText),
  "mergeEvent/4": merger((call, [target, event, key, token], printer) => {
    for (const name of call.args.slice(2))
      if (name.kind === "literal" && name.value === "__proto__") refuse("a member named `__proto__`", call);
    const [first, second] = [textOf(call.args[2]!, key!, printer), textOf(call.args[3]!, token!, printer)];
    const isSure = typeIn(call.args[0]!, printer) === "object";
    return help(printer, isSure ? "blendEvent" : "mergeEvent", target!, event!, first, second);
  }),
  "difference/2": eachOf((call, printer, mode, use) => {
    const [value, base] = call.args as readonly [Expression, Expression];
    const isKnown = typeIn(base, printer) === "object";
    const part = isKnown ? newPart(value, base) : value;
    return operands([part, base], printer, mode, ([a, b]) =>
      use(
        isKnown && typeIn(value, printer) === "object"
          ? newIn(part, a!, b!, printer)
          : help(printer, "changesOf", a!, b!),
      ),
    );
  }),
};

/**
 * The members of an object that another lacks or has differently: `$newIn($a, $b)`, but of one without objects in it
 * `$merge([$sift($a, function($x, $k) { $not($lookup($b, $k) = $x) })])`, and of one flat member `$b.k = $x ? {} : {"k": $x}`.
 */
function newIn(part: Expression, a: Code, b: Code, printer: Printer): Code {
  if (isEmpty(a)) return a;
  const isFlatPart = objectsOf(shapeIn(part, printer)).every(
    ({ members, rest }) => [...members.values()].every(({ shape }) => isFlat(shape)) && isFlat(rest),
  );
  if (!isFlatPart || !isReference(b)) return help(printer, "newIn", a, b);
  const [only, ...others] = a.before.length === 0 ? (a.members ?? []) : [];
  const name = only && written(only[0]);
  if (only && others.length === 0 && name !== undefined && isAtom(only[1]))
    return choice(equal(code(`${b.text}.${name}`), only[1]), constantCode("{}"), a);
  const [item, key] = [fresh(printer, "x"), fresh(printer, "k")];
  const differs = apply("not", equal(code(`$lookup(${b.text}, ${key})`), code(item)));
  return code(`$merge([$sift(${whole(a)}, ${lambda([item, key], differs)})])`);
}

/** What is merged into a value, without the value: that has nothing which it has not itself. `mergeResult(base, x, "k")` → `mergeResult({}, x, "k")`. */
function newPart(value: Expression, base: Expression): Expression {
  if (equalExpressions(value, base)) return object([]);
  if (value.kind !== "call" || !["merge", "mergeResult", "place"].includes(value.name)) return value;
  const [target, ...rest] = value.args as readonly [Expression, ...Expression[]];
  const inside = newPart(target, base);
  return inside === target ? value : { ...value, args: [inside, ...rest] };
}

function merger(print: Extract<FunctionPrinter, { kind: "value" }>["print"]): FunctionPrinter {
  return value((call, values, printer) =>
    printer.caught && canFail(call)
      ? refuse("a merge where its failing would be caught", call)
      : print(call, values, printer),
  );
}

/**
 * `merge(target, value)`, by what is known of both: `$merge([$states.input, {"a": 1}])` where the target is an object
 * and no member of the value is one, `$blend($states.input, $states.result)` where members have to be merged.
 */
function mergeText([target, value]: readonly Expression[], [a, b]: readonly Code[], printer: Printer): Code {
  const type = typeIn(value!, printer);
  if (type === undefined) return help(printer, typeIn(target!, printer) === "object" ? "blend" : "mergeInto", a!, b!);
  if (type !== "object") return canFail(target!) ? discarding(a!, b!) : b!;
  return into([target!, value!], [a!, b!], "merge", printer, combined(target!, value!, printer));
}

/**
 * `mergeResult(target, value, key)`, by what is known of both:
 * `$blend($states.input, $type($states.result) = "object" ? $states.result : $states.result = null ? {} : {"key": $states.result})`.
 */
function mergeResultText(call: Call, [a, b, k]: readonly Code[], printer: Printer): Code {
  const [target, value, key] = call.args as readonly [Expression, Expression, Expression];
  if (typeIn(value, printer) === "object") return mergeText(call.args, [a!, b!], printer);
  if (typeIn(value, printer) === "null") return after(a!.before, discarding(b!, { ...a!, before: [] }));
  if (key.kind === "literal" && key.value === "__proto__") refuse("a member named `__proto__`", call);
  if (key.kind !== "literal") return help(printer, "mergeResult", a!, b!, k!);
  const shape = shapeIn(value, printer);
  const combine = combined(target, value, printer);
  const isSure = typeIn(target, printer) === "object";
  const none = mayBe(shape, "null");
  const nothingNew = (result: Code) => equal(result, constantCode("null"));
  const more = (result: Code, isNullable: boolean): Code => {
    const member = objectCode([[String(key.value), result]]);
    const others = isNullable ? choice(nothingNew(result), constantCode("{}"), member) : member;
    return mayBe(shape, "object") ? choice(isObjectText(result), result, others) : others;
  };
  if (isSure)
    return after(
      a!.before,
      named(b!, printer, "value", (result) => combine({ ...a!, before: [] }, more(result, none))),
    );
  return named(a!, printer, "target", (object) =>
    named(b!, printer, "value", (result) => {
      const made = choice(isObjectText(object), combine(object, more(result, false)), refused("merge"));
      return none ? choice(nothingNew(result), object, made) : made;
    }),
  );
}

/** How an object is merged into another one. */
const combined = (target: Expression, value: Expression, printer: Printer): Combine => {
  const shapes = [shapeIn(target, printer), shapeIn(value, printer)] as const;
  if (isShallow(...shapes)) return merged;
  return (object, more) =>
    isEmpty(object) || isEmpty(more)
      ? merged(object, more)
      : (unrolled(object, more, shapes, printer) ?? help(printer, "blend", object, more));
};

/** So many members that hold objects are merged where they stand; more by a function. */
const mostUnrolled = 2;

/**
 * An object that is written out, merged into another one: `{"a": {"b": 1}}` →
 * `$merge([$states.input, {"a": $merge([$type($states.input.a) = "object" ? $states.input.a, {"b": 1}])}])`.
 */
function unrolled(object: Code, more: Code, shapes: readonly [Shape, Shape], printer: Printer): Code | undefined {
  if (more.before.length > 0 || (isAtom(object) && !isReference(object))) return undefined;
  if (!isUnrollable(more, shapes)) return undefined;
  return named(object, printer, "target", (from) =>
    merged(from, objectCode(unrolledMembers(from.text, [], more, shapes))),
  );
}

/** Whether all that has to be merged in an object that is written out is written out too, and is little. */
function isUnrollable({ members }: Code, [target, value]: readonly [Shape, Shape], depth = 1): boolean {
  const needed = members?.filter(([name]) => mayMerge(target, value, name));
  if (!needed || needed.length > mostUnrolled || (needed.length > 0 && depth > mostUnrolled)) return false;
  return needed.every(
    ([name, item]) =>
      written(name) !== undefined &&
      item.before.length === 0 &&
      isUnrollable(item, [memberOf(target, name).shape, memberOf(value, name).shape], depth + 1),
  );
}

/** The members of such an object, with what an object has at a place; `guard`: what has to hold for there to be something. */
function unrolledMembers(
  place: string,
  guard: readonly Code[],
  { members }: Code,
  [target, value]: readonly [Shape, Shape],
): readonly (readonly [string, Code])[] {
  return members!.map(([name, item]) => {
    if (!mayMerge(target, value, name)) return [name, item];
    const { shape, presence } = memberOf(target, name);
    const inside = `${place}.${written(name)}`;
    const isSure = presence === "always" && typeOfShape(shape) === "object";
    const asks = isSure ? guard : [...guard, question({ of: inside, type: "object" })];
    const inner = unrolledMembers(inside, asks, item, [shape, memberOf(value, name).shape]);
    const otherwise = inner.length === 0 ? constantCode("{}") : nothing;
    const there = asks.length === 0 ? code(inside) : choice(linked("and", asks), code(inside), otherwise);
    return [name, merged(there, objectCode(inner))];
  });
}

/** Whether both may have an object under a name. */
const mayMerge = (target: Shape, value: Shape, name: string): boolean =>
  !isFlat(memberOf(value, name).shape) && !isFlat(memberOf(target, name).shape);

/** Whether merging an object into another never has to merge two members: then JSONata's `$merge` does the same. */
const isShallow = (target: Shape, value: Shape): boolean =>
  objectsOf(value).every(
    ({ members, rest }) =>
      Array.from(members).every(([name, { shape }]) => isFlat(shape) || isFlat(memberOf(target, name).shape)) &&
      (isFlat(rest) || isFlat(childOf(target))),
  );

const isFlat = (shape: Shape): boolean => objectsOf(shape).length === 0;

/** Failing as a merge does into what is no object. */
const refused = (kind: "merge" | "place"): Code => code(fixedError(dataMergeError.name, dataMergeError[kind]));

/** `place(target, path, value)`: `$merge([$states.input, {"a": 1}])` for the path `["a"]`. */
function placeText(call: Call, [a, , c]: readonly Code[], printer: Printer): Code {
  const [target, path, value] = call.args as readonly [Expression, Expression, Expression];
  if (path.kind !== "literal") refuse("a place that is computed", call);
  const names = Array.isArray(path.value)
    ? path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)))
    : [];
  if (names.includes("__proto__")) refuse("a place named `__proto__`", call);
  if (names.length === 0) return canFail(target) ? discarding(a!, c!) : c!;
  return into([target, value], [a!, c!], "place", printer, (object, item) => placed(object, names, item, printer));
}

/** Members of an object in front of those of another. Two that are written out become one. */
export function merged(object: Code, more: Code): Code {
  const objects = object.before.length === 0 && object.objects ? object.objects : [object];
  const last = objects.at(-1)!;
  if (objects.length === 1 && isEmpty(last)) return more;
  if (isEmpty(more)) return object;
  const both = joinedMembers(last, more);
  const all = both ? [...objects.slice(0, -1), objectCode(both)] : [...objects, more];
  if (all.length === 1) return all[0]!;
  return { ...code(`$merge([${all.map(whole).join(", ")}])`), objects: all };
}

const isEmpty = ({ before, text }: Code): boolean => before.length === 0 && text === "{}";

function joinedMembers(first: Code, second: Code): Code["members"] {
  if (!first.members || !second.members || first.before.length + second.before.length > 0) return undefined;
  const names = [...first.members, ...second.members].map(([name]) => name);
  return new Set(names).size === names.length ? [...first.members, ...second.members] : undefined;
}

/** An object with a value at a path; on the way the objects that are there, or new ones. */
function placed(object: Code, [name, ...rest]: readonly string[], item: Code, printer: Printer): Code {
  const withMember = (value: Code) => merged(object, objectCode([[name!, value]]));
  if (rest.length === 0) return withMember(item);
  const steps = [name!, ...rest].map(written);
  return named(object, printer, "target", (from) => {
    if (!isReference(from) || steps.length > 3 || !steps.every((step) => step !== undefined)) {
      return help(printer, "setAt", from, code(`[${[name!, ...rest].map(stringText).join(", ")}]`), item);
    }
    const places = steps.slice(0, -1).map((_, i) => code(`${from.text}.${steps.slice(0, i + 1).join(".")}`));
    const inner = places.map((place, i) =>
      choice(linked("and", places.slice(0, i + 1).map(isObjectText)), place, nothing),
    );
    const objects = [from, ...inner];
    return [name!, ...rest].reduceRight((value, key, i) => merged(objects[i]!, objectCode([[key, value]])), item);
  });
}

const isObjectText = (value: Code): Code => equal(apply("type", value), constantCode('"object"'));

/**
 * What is made of a value that has to be an object, and of another value, which is computed before that is asked. Where
 * the first is such an object itself, the question stays around both.
 */
function into(
  [target, value]: readonly Expression[],
  [a, b]: readonly Code[],
  kind: "merge" | "place",
  printer: Printer,
  combine: Combine,
): Code {
  if (a!.checked) return after(a!.before, checked({ ...a!.checked, object: combine(a!.checked.object, b!) }));
  if (typeIn(target!, printer) === "object") return combine(a!, b!);
  return named(a!, printer, "target", (object) => {
    const around = (made: Code) => choice(isObjectText(object), made, refused(kind));
    const make = (more: Code) => checked({ object: combine(object, more), around });
    return canFail(value!) ? named(b!, printer, "value", make) : make(b!);
  });
}

type Combine = (object: Code, more: Code) => Code;

const checked = (object: Checked): Code => ({ ...object.around(object.object), checked: object });
