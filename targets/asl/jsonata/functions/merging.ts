import {
  type Call,
  canFail,
  dataMergeError,
  type Expression,
  equalExpressions,
  object,
  outputError,
} from "../../../../src/expressions/index.ts";
import type { Type } from "../../../../src/types/index.ts";
import { childOf, isNever, memberOf, objectsOf, typeNameOf } from "../../../../src/types/index.ts";
import { isReference, stepText } from "../access.ts";
import {
  blockText,
  type CheckedObject,
  type Code,
  callCode,
  code,
  constantCode,
  equal,
  evaluateThen,
  infix,
  isAtom,
  lambda,
  logical,
  nothing,
  objectCode,
  precedence,
  stringText,
  ternary,
  typeTest,
  withDefinitions,
} from "../code.ts";
import {
  bindName,
  callHelper,
  freshName,
  inferredType,
  type JsonataPrinter,
  mayBe,
  reject,
  typeNameIn,
} from "../context.ts";
import { fixedError } from "../errors.ts";
import { firstOutput, operands } from "../printer.ts";
import { eachOf, type FunctionPrinter, type FunctionPrinters, helper, unsupported, value } from "./descriptor.ts";
import { assignedEvent, type EventArguments, withoutNull } from "./event-data.ts";
import { stringOf } from "./values.ts";

/** The functions that merge data. None is jq's, so their failures are never caught. */
export const merging: FunctionPrinters = {
  "merge/2": merger(({ args }, values, printer) => mergeCode(args, values, printer)),
  "mergeResult/3": merger((call, [target, item, key], printer) =>
    mergeResultCode(call, [target!, item!, stringOf(call.args[2]!, key!, printer)], printer),
  ),
  "assign/2": merger(({ args }, values, printer) => assignCode(args, values, printer)),
  "assignResult/3": merger((call, [target, item, key], printer) =>
    mergeResultCode(call, [target!, item!, stringOf(call.args[2]!, key!, printer)], printer, "assign"),
  ),
  "mergeOutput/2": merger(({ args }, [a, b], printer) => mergeOutputCode(args, [a!, b!], printer)),
  "place/3": merger(placeCode),
  "merge/3": helper("combine"),
  ...unsupported("evaluateJsonata/3"),
  "omit/2": value(({ args }, [a, b], printer) => {
    if (typeNameIn(args[0]!, printer) !== "object") return callHelper(printer, "omit", a!, b!);
    const [item, key] = [freshName(printer, "x"), freshName(printer, "k")];
    const isOther = callCode("not", infix("in", precedence.comparison, code(key), b!));
    return code(`$merge([$sift(${blockText(a!)}, ${lambda([item, key], isOther)})])`);
  }),
  "mergeEvent/4": merger((call, values, printer) => mergeEventCode(call, values, printer, "mergeEvent")),
  "assignEvent/4": merger((call, values, printer) => mergeEventCode(call, values, printer, "assignEvent")),
  "difference/2": eachOf((call, printer, mode, use) => {
    const [value, base] = call.args as readonly [Expression, Expression];
    const isKnown = typeNameIn(base, printer) === "object";
    const added = isKnown ? addedPart(value, base) : value;
    const part = keepsOrder(inferredType(added, printer), inferredType(base, printer)) ? added : value;
    return operands([part, base], printer, mode, ([a, b]) =>
      use(
        isKnown && typeNameIn(value, printer) === "object"
          ? newIn(part, inferredType(base, printer), a!, b!, printer)
          : callHelper(printer, "changesOf", a!, b!),
      ),
    );
  }),
};

/**
 * Calls `$newIn($a, $b)`; without nested objects, `$merge([$sift($a, …)])`; for one flat member, `$b.k = $x ? {} :
 * {"k": $x}`.
 */
function newIn(part: Expression, base: Type, a: Code, b: Code, printer: JsonataPrinter): Code {
  if (isEmpty(a) || isAllNew(inferredType(part, printer), base)) return a;
  const isFlatPart = objectsOf(inferredType(part, printer)).every(
    ({ members, rest }) => [...members.values()].every(({ type }) => isFlat(type)) && isFlat(rest),
  );
  if (!isFlatPart || !isReference(b)) return callHelper(printer, "newIn", a, b);
  const [only, ...others] = a.definitions.length === 0 ? (a.members ?? []) : [];
  const name = only && stepText(only[0]);
  if (only && others.length === 0 && name !== undefined && isAtom(only[1]))
    return ternary(equal(code(`${b.text}.${name}`), only[1]), constantCode("{}"), a);
  const [item, key] = [freshName(printer, "x"), freshName(printer, "k")];
  const differs = callCode("not", equal(code(`$lookup(${b.text}, ${key})`), code(item)));
  return code(`$merge([$sift(${blockText(a)}, ${lambda([item, key], differs)})])`);
}

/** Whether members that are new or changed have one order: that of the base, then that of the part. */
const keepsOrder = (part: Type, base: Type): boolean =>
  isAllNew(part, base) || objectsOf(part).every(({ members, rest }) => isNever(rest) && members.size < 2);

/** Whether no member of the part can be in the base. */
const isAllNew = (part: Type, base: Type): boolean =>
  objectsOf(part).every(
    ({ members, rest }) =>
      isNever(rest) && [...members.keys()].every((name) => memberOf(base, name).presence === "never"),
  );

/** What a merge adds to its base: `mergeResult(base, x, "k")` → `mergeResult({}, x, "k")`. */
function addedPart(value: Expression, base: Expression): Expression {
  if (equalExpressions(value, base)) return object([]);
  if (value.kind !== "call" || !merges.has(value.name)) return value;
  const [target, ...rest] = value.args as readonly [Expression, ...Expression[]];
  const inside = addedPart(target, base);
  return inside === target ? value : { ...value, args: [inside, ...rest] };
}

const merges: ReadonlySet<string> = new Set(["merge", "mergeResult", "assign", "assignResult", "place"]);

/** `$type(b) = "object" ? $merge([a, b]) : $error(…)`; a state that is not an object adds nothing. */
function mergeOutputCode(
  [state, output]: readonly Expression[],
  [a, b]: readonly Code[],
  printer: JsonataPrinter,
): Code {
  const [isState, isOutput] = [state!, output!].map((each) => typeNameIn(each, printer) === "object");
  if (!isReference(a!) || !isReference(b!))
    return isState && isOutput ? mergeObjects(a!, b!) : callHelper(printer, "mergeOutput", a!, b!);
  const own = isState ? a! : ternary(isObjectCode(a!), a!, nothing);
  const merged = mergeObjects(own, b!);
  return isOutput ? merged : ternary(isObjectCode(b!), merged, code(fixedError(outputError.name, outputError.message)));
}

function merger(print: Extract<FunctionPrinter, { kind: "value" }>["print"]): FunctionPrinter {
  return value((call, values, printer) =>
    printer.catchesFailures && canFail(call)
      ? reject("a merge whose failure would be caught", call)
      : print(call, values, printer),
  );
}

/** Prints `merge(target, value)`: `$merge([…])`, or `$blend(…)` for nested objects. */
function mergeCode([target, value]: readonly Expression[], [a, b]: readonly Code[], printer: JsonataPrinter): Code {
  const type = typeNameIn(value!, printer);
  if (type === undefined)
    return callHelper(printer, typeNameIn(target!, printer) === "object" ? "blend" : "mergeInto", a!, b!);
  if (type !== "object") return canFail(target!) ? evaluateThen(a!, b!) : b!;
  return combineChecked([target!, value!], [a!, b!], "merge", printer, combineFor(target!, value!, printer));
}

/** Prints `assign(target, value)` as `$merge([…])`. */
function assignCode([target, value]: readonly Expression[], [a, b]: readonly Code[], printer: JsonataPrinter): Code {
  const type = typeNameIn(value!, printer);
  if (type === undefined) return callHelper(printer, "assign", a!, b!);
  if (type !== "object") return canFail(target!) ? evaluateThen(a!, b!) : b!;
  return combineChecked([target!, value!], [a!, b!], "merge", printer, mergeObjects);
}

/** Prints `mergeEvent` or `assignEvent`. */
function mergeEventCode(
  { args, ...call }: Call,
  [target, event, key, token]: readonly Code[],
  printer: JsonataPrinter,
  name: "mergeEvent" | "assignEvent",
): Code {
  for (const key of args.slice(2))
    if (key.kind === "literal" && key.value === "__proto__") reject("a member named `__proto__`", { args, ...call });
  const known = name === "assignEvent" ? assignedEvent(args as EventArguments, target!, printer) : undefined;
  if (known) return known;
  const [first, second] = [stringOf(args[2]!, key!, printer), stringOf(args[3]!, token!, printer)];
  const isSure = name === "mergeEvent" && typeNameIn(args[0]!, printer) === "object";
  return callHelper(printer, isSure ? "blendEvent" : name, target!, event!, first, second);
}

/** Objects are merged, null adds nothing, and other values become the member `key`. */
function mergeResultCode(
  call: Call,
  [a, b, k]: readonly Code[],
  printer: JsonataPrinter,
  name: "merge" | "assign" = "merge",
): Code {
  const [target, value, key] = call.args as readonly [Expression, Expression, Expression];
  if (typeNameIn(value, printer) === "object")
    return (name === "merge" ? mergeCode : assignCode)(call.args, [a!, b!], printer);
  if (typeNameIn(value, printer) === "null")
    return withDefinitions(a!.definitions, evaluateThen(b!, { ...a!, definitions: [] }));
  if (key.kind === "literal" && key.value === "__proto__") reject("a member named `__proto__`", call);
  if (key.kind !== "literal") return callHelper(printer, `${name}Result`, a!, b!, k!);
  const type = inferredType(value, printer);
  const combine = name === "merge" ? combineFor(target, value, printer) : mergeObjects;
  const isSure = typeNameIn(target, printer) === "object";
  const none = mayBe(type, "null");
  const nothingNew = (result: Code) => equal(result, constantCode("null"));
  const mayGiveNothing = combine === mergeObjects && !isEmpty(a!);
  const more = (result: Code, isNullable: boolean): Code => {
    const member = objectCode([[String(key.value), result]]);
    const isNew = infix("!=", precedence.comparison, result, constantCode("null"));
    const orNothing = mayGiveNothing
      ? ternary(isNew, member, nothing)
      : ternary(nothingNew(result), constantCode("{}"), member);
    const others = isNullable ? orNothing : member;
    return mayBe(type, "object") ? ternary(isObjectCode(result), result, others) : others;
  };
  const present = withoutNull(value);
  const given = mayGiveNothing && present !== value ? firstOutput(present, printer) : b!;
  if (isSure)
    return withDefinitions(
      a!.definitions,
      bindName(given, printer, "value", (result) => combine({ ...a!, definitions: [] }, more(result, none))),
    );
  return bindName(a!, printer, "target", (object) =>
    bindName(b!, printer, "value", (result) => {
      const made = ternary(isObjectCode(object), combine(object, more(result, false)), mergeFailure("merge"));
      return none ? ternary(nothingNew(result), object, made) : made;
    }),
  );
}

const combineFor = (target: Expression, value: Expression, printer: JsonataPrinter): Combine => {
  const types = [inferredType(target, printer), inferredType(value, printer)] as const;
  if (isShallow(...types)) return mergeObjects;
  return (object, more) =>
    isEmpty(object) || isEmpty(more)
      ? mergeObjects(object, more)
      : (unrolled(object, more, types, printer) ?? callHelper(printer, "blend", object, more));
};

/** More nested members, or deeper ones, are merged by a helper. */
const maxUnrolled = 2;

/** `{"a": {"b": 1}}` → `$merge([$x, {"a": $merge([$x.a, {"b": 1}])}])`, with a check that `$x.a` is an object. */
function unrolled(object: Code, more: Code, types: readonly [Type, Type], printer: JsonataPrinter): Code | undefined {
  if (more.definitions.length > 0 || (isAtom(object) && !isReference(object))) return undefined;
  if (!isUnrollable(more, types)) return undefined;
  return bindName(object, printer, "target", (from) =>
    mergeObjects(from, objectCode(unrolledMembers(from.text, [], more, types))),
  );
}

function isUnrollable({ members }: Code, [target, value]: readonly [Type, Type], depth = 1): boolean {
  const needed = members?.filter(([name]) => mayMerge(target, value, name));
  if (!needed || needed.length > maxUnrolled || (needed.length > 0 && depth > maxUnrolled)) return false;
  return needed.every(
    ([name, item]) =>
      stepText(name) !== undefined &&
      item.definitions.length === 0 &&
      isUnrollable(item, [memberOf(target, name).type, memberOf(value, name).type], depth + 1),
  );
}

/** The object at `place` exists if all of `guard` holds. */
function unrolledMembers(
  place: string,
  guard: readonly Code[],
  { members }: Code,
  [target, value]: readonly [Type, Type],
): readonly (readonly [string, Code])[] {
  return members!.map(([name, item]) => {
    if (!mayMerge(target, value, name)) return [name, item];
    const { type, presence } = memberOf(target, name);
    const inside = `${place}.${stepText(name)}`;
    const isSure = presence === "always" && typeNameOf(type) === "object";
    const asks = isSure ? guard : [...guard, typeTest({ subject: inside, type: "object" })];
    const inner = unrolledMembers(inside, asks, item, [type, memberOf(value, name).type]);
    const otherwise = inner.length === 0 ? constantCode("{}") : nothing;
    const there = asks.length === 0 ? code(inside) : ternary(logical("and", asks), code(inside), otherwise);
    return [name, mergeObjects(there, objectCode(inner))];
  });
}

const mayMerge = (target: Type, value: Type, name: string): boolean =>
  !isFlat(memberOf(value, name).type) && !isFlat(memberOf(target, name).type);

const isShallow = (target: Type, value: Type): boolean =>
  objectsOf(value).every(
    ({ members, rest }) =>
      Array.from(members).every(([name, { type }]) => isFlat(type) || isFlat(memberOf(target, name).type)) &&
      (isFlat(rest) || isFlat(childOf(target))),
  );

const isFlat = (type: Type): boolean => objectsOf(type).length === 0;

const mergeFailure = (kind: "merge" | "place"): Code => code(fixedError(dataMergeError.name, dataMergeError[kind]));

/** Sets a constant path by `$merge([$states.input, {"a": 1}])`. */
function placeCode(call: Call, [a, , c]: readonly Code[], printer: JsonataPrinter): Code {
  const [target, path, value] = call.args as readonly [Expression, Expression, Expression];
  if (path.kind !== "literal") reject("a computed path", call);
  const names = Array.isArray(path.value)
    ? path.value.map((name) => (typeof name === "string" ? name : JSON.stringify(name)))
    : [];
  if (names.includes("__proto__")) reject("a path through `__proto__`", call);
  if (names.length === 0) return canFail(target) ? evaluateThen(a!, c!) : c!;
  return combineChecked([target, value], [a!, c!], "place", printer, (object, item) =>
    setMember(object, names, item, printer),
  );
}

/** Merges objects shallowly; two literals become one. */
export function mergeObjects(object: Code, more: Code): Code {
  const objects = object.definitions.length === 0 && object.merged ? object.merged : [object];
  const last = objects.at(-1)!;
  if (objects.length === 1 && isEmpty(last)) return more;
  if (isEmpty(more)) return object;
  const both = concatenateMembers(last, more);
  const all = both ? [...objects.slice(0, -1), objectCode(both)] : [...objects, more];
  if (all.length === 1) return all[0]!;
  return { ...code(`$merge([${all.map(blockText).join(", ")}])`), merged: all };
}

const isEmpty = ({ definitions, text }: Code): boolean => definitions.length === 0 && text === "{}";

function concatenateMembers(first: Code, second: Code): Code["members"] {
  if (!first.members || !second.members || first.definitions.length + second.definitions.length > 0) return undefined;
  const names = [...first.members, ...second.members].map(([name]) => name);
  return new Set(names).size === names.length ? [...first.members, ...second.members] : undefined;
}

/** Sets a member at a path, creating missing objects. */
function setMember(object: Code, [name, ...rest]: readonly string[], item: Code, printer: JsonataPrinter): Code {
  const withMember = (value: Code) => mergeObjects(object, objectCode([[name!, value]]));
  if (rest.length === 0) return withMember(item);
  const steps = [name!, ...rest].map(stepText);
  return bindName(object, printer, "target", (from) => {
    if (!isReference(from) || steps.length > 3 || !steps.every((step) => step !== undefined)) {
      return callHelper(printer, "setAt", from, code(`[${[name!, ...rest].map(stringText).join(", ")}]`), item);
    }
    const places = steps.slice(0, -1).map((_, i) => code(`${from.text}.${steps.slice(0, i + 1).join(".")}`));
    const inner = places.map((place, i) =>
      ternary(logical("and", places.slice(0, i + 1).map(isObjectCode)), place, nothing),
    );
    const objects = [from, ...inner];
    return [name!, ...rest].reduceRight((value, key, i) => mergeObjects(objects[i]!, objectCode([[key, value]])), item);
  });
}

const isObjectCode = (value: Code): Code => equal(callCode("type", value), constantCode('"object"'));

/** The target must be an object; the value is evaluated before the check. Nested combinations share one check. */
function combineChecked(
  [target, value]: readonly Expression[],
  [a, b]: readonly Code[],
  kind: "merge" | "place",
  printer: JsonataPrinter,
  combine: Combine,
): Code {
  if (a!.checked)
    return withDefinitions(a!.definitions, withCheck({ ...a!.checked, object: combine(a!.checked.object, b!) }));
  if (typeNameIn(target!, printer) === "object") return combine(a!, b!);
  if (!canFail(target!) && !canFail(value!) && !mayBe(inferredType(target!, printer), "object"))
    return mergeFailure(kind);
  return bindName(a!, printer, "target", (object) => {
    const around = (made: Code) => ternary(isObjectCode(object), made, mergeFailure(kind));
    const make = (more: Code) => withCheck({ object: combine(object, more), wrap: around });
    return canFail(value!) ? bindName(b!, printer, "value", make) : make(b!);
  });
}

type Combine = (object: Code, more: Code) => Code;

const withCheck = (object: CheckedObject): Code => ({ ...object.wrap(object.object), checked: object });
