import type { Alternative, Comma, Conditional, Expression, Logic, Try } from "../core/ast.ts";
import { canFail, outputs } from "../facts/facts.ts";
import { breaksOut } from "./breaks.ts";
import { codeOf, truthCode } from "./code.ts";
import { emit } from "./emit.ts";
import { declared, ifPresent, isSingle, shared, slotsOf, truthOf, valueSink } from "./joins.ts";
import { boundPlace, computedAt, type Sink, sinkOf } from "./place.ts";
import { isPlain } from "./plain.ts";
import { refuse } from "./refusal.ts";
import { inTry, isTracked, type Scope, withDot, withoutPath } from "./scope.ts";
import { block, type Exit, exitOf, fresh, helper, notLast, type Site } from "./writer.ts";

/** Each part after the other. */
export function emitComma({ items }: Comma, scope: Scope, site: Site, sink: Sink): string {
  const last = items.length - 1;
  if (last < 1) return items[0] ? emit(items[0], scope, site, sink) : "";
  if (!sink.small && !isTracked(scope) && items.every((item) => isPlain(item) && !canFail(item))) {
    const name = fresh(scope.writer, "v");
    const codes = items.map((item) => codeOf(item, scope)).join(", ");
    return `for (const ${name} of [${codes}]) {\n${sink.write({ value: name }, notLast(site))}}\n`;
  }
  return shared(scope, site, sink, (each) =>
    items.map((item, i) => `{\n${emit(item, scope, i === last ? site : notLast(site), each)}}\n`).join(""),
  );
}

/** One of two branches for each output of the condition. */
export function emitConditional(
  { condition, then, otherwise }: Conditional,
  scope: Scope,
  site: Site,
  sink: Sink,
): string {
  return emit(
    condition,
    withoutPath(scope),
    site,
    valueSink((code, at) =>
      eitherOf(
        truthCode(condition, code, scope.writer),
        { outputs: outputs(then), write: (s, to) => emit(then, scope, s, to) },
        { outputs: outputs(otherwise), write: (s, to) => emit(otherwise, scope, s, to) },
        scope,
        at,
        sink,
      ),
    ),
  );
}

interface Branch {
  readonly outputs: ReturnType<typeof outputs>;
  write(site: Site, sink: Sink): string;
}

/** Two branches with one sink. */
function eitherOf(condition: string, then: Branch, otherwise: Branch, scope: Scope, site: Site, sink: Sink): string {
  const branches = (to: Sink, at: Site) => {
    const rest = otherwise.write(at, to);
    return `if (${condition}) {\n${then.write(at, to)}}${rest === "" ? "" : ` else {\n${rest}}`}\n`;
  };
  if (sink.small || then.outputs === "none" || otherwise.outputs === "none") return branches(sink, site);
  if (isTracked(scope) || !isSingle(then.outputs) || !isSingle(otherwise.outputs))
    return shared(scope, site, sink, (to) => branches(to, site));
  const slots = slotsOf(scope, false);
  const surely = then.outputs === "one" && otherwise.outputs === "one";
  return `${declared(slots)}${branches(slots.fill, notLast(site))}${ifPresent(slots, surely, site, sink)}`;
}

/** `and`, `or`: the right side only where the left one does not decide. */
export function emitLogic({ operator, left, right }: Logic, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  return emit(
    left,
    scope,
    site,
    valueSink((code, at) => {
      const condition = truthCode(left, code, writer);
      if (isPlain(right)) {
        const rest = truthCode(right, codeOf(right, scope), writer);
        return sink.write({ value: `(${condition} ${operator === "and" ? "&&" : "||"} ${rest})` }, at);
      }
      const undecided: Branch = {
        outputs: outputs(right),
        write: (s, to) =>
          emit(
            right,
            scope,
            s,
            valueSink((value, inner) => to.write({ value: truthCode(right, value, writer) }, inner)),
          ),
      };
      const decided: Branch = { outputs: "one", write: (s, to) => to.write({ value: String(operator === "or") }, s) };
      const [then, otherwise] = operator === "and" ? [undecided, decided] : [decided, undecided];
      return eitherOf(condition, then, otherwise, scope, at, sink);
    }),
  );
}

/** `A // B` */
export function emitAlternative(expression: Alternative, scope: Scope, site: Site, sink: Sink): string {
  const { left, right } = expression;
  if (!isTracked(scope) && isSingle(outputs(left)) && isSingle(outputs(right)))
    return emitSingleAlternative(expression, scope, site, sink);
  const found = fresh(scope.writer, "b");
  return shared(scope, site, sink, (to) => {
    const accept = sinkOf((place, at) =>
      boundPlace(
        scope.writer,
        place,
        (kept) => `if (${truthOf(kept.value, scope.writer)}) {\n${found} = true;\n${to.write(kept, at)}}\n`,
      ),
    );
    const body = emit(left, scope, notLast(site), accept);
    return `let ${found} = false;\n${body}if (!${found}) {\n${emit(right, scope, site, to)}}\n`;
  });
}

function emitSingleAlternative({ left, right }: Alternative, scope: Scope, site: Site, sink: Sink): string {
  const { writer } = scope;
  const slots = slotsOf(scope, false);
  const { value } = slots.place;
  const body = emit(left, scope, notLast(site), slots.fill);
  const surely = outputs(right) === "one";
  const rest = emit(right, scope, notLast(site), slots.fill);
  const unset = surely ? "" : `${value} = undefined;\n`;
  const isMissing =
    outputs(left) === "one" ? `!${truthOf(value, writer)}` : `${value} === undefined || !${truthOf(value, writer)}`;
  return `${declared(slots)}${body}if (${isMissing}) {\n${unset}${rest}}\n${ifPresent(slots, surely, site, sink)}`;
}

/** Where paths are told, more can fail than the facts say. */
const canFailHere = (expression: Expression, scope: Scope): boolean => isTracked(scope) || canFail(expression);

/** `try A catch B`: what is done with the outputs of A is not tried. A break in A to what is around is caught too, as in jq. */
export function emitTry(expression: Try, scope: Scope, site: Site, sink: Sink): string {
  const { body, handler } = expression;
  if (!canFailHere(body, scope)) return emit(body, scope, site, sink);
  if (handler && breaksOut(body))
    refuse(
      expression,
      "A `break` out of a `try` with a `catch` is not supported: jq gives the `catch` a value of its own.",
    );
  const exit = exitOf(scope.writer, site);
  const tried = inTry(scope, exit);
  if (!isTracked(scope) && isSingle(outputs(body)) && (!handler || isSingle(outputs(handler))))
    return emitSingleTry(expression, scope, tried, exit, site, sink);
  if (handler) return shared(scope, site, sink, (to) => emitGuarded(expression, scope, tried, exit, site, to));
  return emitGuarded(expression, scope, tried, exit, site, sink);
}

/** The only output of A in a variable, and that of B where A fails. */
function emitSingleTry({ body, handler }: Try, scope: Scope, tried: Scope, exit: Exit, site: Site, sink: Sink): string {
  const { writer } = scope;
  const slots = slotsOf(scope, false);
  const [failed, error] = [fresh(writer, "x"), fresh(writer, "e")];
  const value = `${helper(writer, "caught")}(${error})`;
  const text = block(exit, emit(body, tried, notLast(site), slots.fill));
  const trying = `try {\n${text}} catch (${error}) {\n${handler ? `${failed} = ` : ""}${value};\n}\n`;
  const surely = outputs(body) === "one" && handler !== undefined && outputs(handler) === "one";
  if (!handler) return `${declared(slots)}${trying}${ifPresent(slots, false, site, sink)}`;
  const rest = emit(handler, withDot(scope, { value: failed }), notLast(site), slots.fill);
  const unset = outputs(handler) === "one" ? "" : `${slots.place.value} = undefined;\n`;
  const handling = `if (${failed} !== undefined) {\n${unset}${rest}}\n`;
  return `${declared(slots)}let ${failed};\n${trying}${handling}${ifPresent(slots, surely, site, sink)}`;
}

/** A variable says whether what comes after is running, whose errors pass. */
function emitGuarded({ body, handler }: Try, scope: Scope, tried: Scope, exit: Exit, site: Site, sink: Sink): string {
  const { writer } = scope;
  const [outside, error, failed] = [fresh(writer, "d"), fresh(writer, "e"), fresh(writer, "x")];
  const through = sinkOf((place, at) =>
    boundPlace(writer, place, (kept) => `${outside} = true;\n${sink.write(kept, notLast(at))}${outside} = false;\n`),
  );
  const text = block(exit, emit(body, tried, notLast(site), through));
  const value = `${helper(writer, "caught")}(${error})`;
  const catching = `catch (${error}) {\nif (${outside}) throw ${error};\n${handler ? `${failed} = ${value};\n` : `${value};\n`}}\n`;
  const start = `let ${outside} = false${handler ? `, ${failed}` : ""};\n`;
  if (!handler) return `${start}try {\n${text}} ${catching}`;
  const dot = isTracked(scope) ? computedAt(scope.dot, failed, true) : { value: failed };
  return `${start}try {\n${text}} ${catching}if (${failed} !== undefined) {\n${emit(handler, withDot(scope, dot), site, sink)}}\n`;
}
