import type { Expression, Path, Update } from "../core/ast.ts";
import { outputs } from "../facts/facts.ts";
import { emit } from "./emit.ts";
import { changeIn } from "./growth.ts";
import { declared, firstInto, isSingle, slotsOf, valueSink } from "./joins.ts";
import { bound, checked, emptyRoute, type Place, routeCode, type Sink, sinkOf } from "./place.ts";
import { type Scope, withDot } from "./scope.ts";
import { block, exitOf, fresh, helper, notLast, type Site } from "./writer.ts";

/** `path(E)` */
export function emitPath({ body }: Path, scope: Scope, site: Site, sink: Sink): string {
  const write = (place: Place, at: Site) =>
    `${checked(scope.writer, place, "checkPlace")}${sink.write({ value: routeCode(place.path!, scope.writer) }, at)}`;
  return bound(scope.writer, scope.dot.value, (value) =>
    emit(body, withDot(scope, { value, path: emptyRoute }), site, sinkOf(write)),
  );
}

/** `P |= E`: a draft of the input, in which each place is replaced in turn, and at the end those are left out for which E gave nothing. */
export function emitUpdate(expression: Update, outside: Scope, site: Site, sink: Sink): string {
  const { path, value } = expression;
  const { writer, owned } = outside;
  const scope = { ...outside, owned: undefined };
  const made = owned !== undefined && changeIn(expression) ? `, ${owned}` : "";
  const [draft, deleted] = [fresh(writer, "r"), fresh(writer, "r")];
  const surely = outputs(value) === "one";
  const replace = sinkOf((place, at) =>
    bound(writer, routeCode(place.path!, writer), (where) => {
      const check = checked(writer, place, "checkPlace");
      return `${check}${emitReplacement(value, { draft, deleted, where }, scope, notLast(at))}`;
    }),
  );
  return bound(writer, scope.dot.value, (input) => {
    const start = `const ${draft} = ${helper(writer, "draftOf")}(${input}${made});\n${surely ? "" : `const ${deleted} = [];\n`}`;
    const text = emit(path, withDot(scope, { value: input, path: emptyRoute }), notLast(site), replace);
    const result = surely ? `${draft}.root` : `${helper(writer, "finished")}(${draft}, ${deleted})`;
    return `${start}${text}${sink.write({ value: result }, site)}`;
  });
}

/** Names of the program: of the draft, of the list of paths to be deleted, and of a path. */
interface Replacing {
  readonly draft: string;
  readonly deleted: string;
  readonly where: string;
}

/** Replaces what is at a path by the first output of an expression; without one, it is to be deleted. */
function emitReplacement(value: Expression, { draft, deleted, where }: Replacing, scope: Scope, site: Site): string {
  const { writer } = scope;
  const before = fresh(writer, "v");
  const read = `const ${before} = ${helper(writer, "readAt")}(${draft}, ${where});\n`;
  const write = (code: string) => `${helper(writer, "writeAt")}(${draft}, ${where}, ${code});\n`;
  const inside = withDot(scope, { value: before });
  if (outputs(value) === "one") return `${read}${emit(value, inside, site, valueSink(write))}`;
  const slots = slotsOf(inside, false);
  const exit = exitOf(writer, site);
  const text = emit(value, inside, site, isSingle(outputs(value)) ? slots.fill : firstInto(slots, exit));
  const name = slots.place.value;
  return `${read}${declared(slots)}${block(exit, text)}if (${name} === undefined) ${deleted}.push(${where});\nelse ${write(name)}`;
}
