import { type Call, canFail, dataMergeError, type Expression, factsOf } from "../../../src/expressions/index.ts";
import { after, apply, type Checked, type Code, choice, code, discarding, linked, whole } from "./code.ts";
import { equal } from "./equal.ts";
import { fixedError } from "./errors.ts";
import { isShallow } from "./members.ts";
import { isPlace, written } from "./nodes.ts";
import { help, named, type Printer, refuse } from "./printer.ts";
import { membersText, stringText } from "./text.ts";

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
      choice(linked("and", places.slice(0, i + 1).map(isObject)), place, code("{}")),
    );
    const objects = [from, ...inner];
    return [name!, ...rest].reduceRight(
      (value, key, i) => merged(objects[i]!, code(membersText([[key, whole(value)]]))),
      item,
    );
  });
}

const isObject = (value: Code): Code => equal(apply("type", value), code('"object"'));

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
    const around = (made: Code) => choice(isObject(object), made, code(fixedError(dataMergeError.name, message)));
    const make = (more: Code) => checked({ object: combine(object, more), around });
    return canFail(value!) ? named(b!, printer, "value", make) : make(b!);
  });
}

type Combine = (object: Code, more: Code) => Code;

const checked = (object: Checked): Code => ({ ...object.around(object.object), checked: object });
