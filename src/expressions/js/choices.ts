import { type Block, type JsExpression as Code, js } from "../../js-ast/index.ts";
import { canFail, isTotal, outputs } from "../analysis/effects.ts";
import type { Alternative, Comma, Conditional, Expression, Logic, Try } from "../core/ast.ts";
import { emit } from "./emit.ts";
import {
  boundPlace,
  computedAt,
  declared,
  ifPresent,
  isDefined,
  isSingle,
  returnsAt,
  type Sink,
  shared,
  sinkOf,
  slotsOf,
  truthCode,
  truthOf,
  valueSink,
} from "./place.ts";
import { inTry, isTracked, refuse, type Scope, withDot, withoutPath } from "./scope.ts";
import { breaksOut } from "./traits.ts";
import { singleValueOf } from "./value.ts";
import { block, type Exit, exitOf, fresh, helped, notLast, type Site } from "./writer.ts";

/** Each part after the other. */
export function emitComma({ items }: Comma, scope: Scope, site: Site, sink: Sink): Block {
  const last = items.length - 1;
  if (last < 1) return items[0] ? emit(items[0], scope, site, sink) : [];
  const codes =
    !sink.small && !isTracked(scope) && items.every(isTotal) ? items.map((item) => singleValueOf(item, scope)) : [];
  if (codes.length > 0 && codes.every((code) => code !== undefined)) {
    const name = fresh(scope.writer, "item");
    return [js.forOf(name, js.array(codes), sink.write({ value: js.name(name) }, notLast(site)))];
  }
  return shared(scope, site, sink, (each) =>
    items.flatMap((item, i) => apart(emit(item, scope, i === last ? site : notLast(site), each))),
  );
}

/** Statements that keep what they declare to themselves. */
const apart = (body: Block): Block => (body.some(({ kind }) => kind === "variable") ? [js.block(body)] : body);

/** One of two branches for each output of the condition. */
export function emitConditional(
  { condition, then, otherwise }: Conditional,
  scope: Scope,
  site: Site,
  sink: Sink,
): Block {
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
  write(site: Site, sink: Sink): Block;
}

/** Two branches with one sink. */
function eitherOf(condition: Code, then: Branch, otherwise: Branch, scope: Scope, site: Site, sink: Sink): Block {
  const branches = (to: Sink, at: Site): Block => {
    const rest = otherwise.write(at, to);
    return [js.ifStatement(condition, then.write(at, to), rest)];
  };
  if (sink.small || then.outputs === "none" || otherwise.outputs === "none") return branches(sink, site);
  if (isTracked(scope) || !isSingle(then.outputs) || !isSingle(otherwise.outputs))
    return shared(scope, site, sink, (to) => branches(to, site));
  const surely = then.outputs === "one" && otherwise.outputs === "one";
  const slots = slotsOf(scope, false, surely);
  return [...declared(slots), ...branches(slots.fill, notLast(site)), ...ifPresent(slots, surely, site, sink)];
}

/** `and`, `or`: the right side only where the left one does not decide. */
export function emitLogic({ name: operator, args: [left, right] }: Logic, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  return emit(
    left,
    scope,
    site,
    valueSink((code, at) => {
      const condition = truthCode(left, code, writer);
      const decider = singleValueOf(right, scope);
      if (decider) {
        const rest = truthCode(right, decider, writer);
        return sink.write({ value: js.binary(condition, operator === "and" ? "&&" : "||", rest) }, at);
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
      const decided: Branch = {
        outputs: "one",
        write: (s, to) => to.write({ value: js.literal(operator === "or") }, s),
      };
      const [then, otherwise] = operator === "and" ? [undecided, decided] : [decided, undecided];
      return eitherOf(condition, then, otherwise, scope, at, sink);
    }),
  );
}

/** `A // B` */
export function emitAlternative(expression: Alternative, scope: Scope, site: Site, sink: Sink): Block {
  const [left, right] = expression.args;
  const { writer } = scope;
  if (!isTracked(scope) && isSingle(outputs(left)) && isSingle(outputs(right)))
    return emitSingleAlternative(expression, scope, site, sink);
  const found = fresh(writer, "flag");
  return shared(scope, site, sink, (to) => {
    const accept = sinkOf((place, at) =>
      boundPlace(writer, place, (kept) => [
        js.ifStatement(truthOf(kept.value, writer), [js.assign(found, js.literal(true)), ...to.write(kept, at)]),
      ]),
    );
    return [
      js.variable(found, js.literal(false)),
      ...emit(left, scope, notLast(site), accept),
      js.ifStatement(js.unary("!", js.name(found)), emit(right, scope, site, to)),
    ];
  });
}

function emitSingleAlternative({ args: [left, right] }: Alternative, scope: Scope, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const surely = outputs(right) === "one";
  const slots = slotsOf(scope, false, surely && outputs(left) === "one");
  const { value } = slots.place;
  const body = emit(left, scope, notLast(site), slots.fill);
  const rest = emit(right, scope, notLast(site), slots.fill);
  const isUntrue = js.unary("!", truthOf(value, writer));
  if (returnsAt(sink, site)) {
    const isFound = outputs(left) === "one" ? truthOf(value, writer) : js.and(isDefined(value), truthOf(value, writer));
    const found = js.ifStatement(isFound, sink.write(slots.place, notLast(site)));
    return [...declared(slots), ...body, found, ...emit(right, scope, site, sink)];
  }
  const isMissing = outputs(left) === "one" ? isUntrue : js.or(js.binary(value, "===", js.undefinedName), isUntrue);
  return [
    ...declared(slots),
    ...body,
    js.ifStatement(isMissing, [...(surely ? [] : [js.assign(value, js.undefinedName)]), ...rest]),
    ...ifPresent(slots, surely, site, sink),
  ];
}

/** If paths are tracked, more can fail than the analysis of values says. */
const canFailHere = (expression: Expression, scope: Scope): boolean => isTracked(scope) || canFail(expression);

/** `try A catch B`: what is done with the outputs of A is not tried. A break in A to what is around is caught too, as in jq. */
export function emitTry(expression: Try, scope: Scope, site: Site, sink: Sink): Block {
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
function emitSingleTry({ body, handler }: Try, scope: Scope, tried: Scope, exit: Exit, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const surely = handler !== undefined && outputs(body) === "one" && outputs(handler) === "one";
  const [failed, error] = [js.name(fresh(writer, "failure")), fresh(writer, "error")];
  const value = helped(writer, "caught", js.name(error));
  const attempt = (to: Sink, unset: Block) => {
    const handling = handler
      ? [js.constant(failed, value), ...unset, ...emit(handler, withDot(scope, { value: failed }), notLast(site), to)]
      : [js.expressionStatement(value)];
    return js.tryStatement(block(exit, emit(body, tried, notLast(site), to)), error, handling);
  };
  if (returnsAt(sink, site)) return [attempt(sink, [])];
  const slots = slotsOf(scope, false, surely);
  const unset = surely ? [] : [js.assign(slots.place.value, js.undefinedName)];
  return [...declared(slots), attempt(slots.fill, unset), ...ifPresent(slots, surely, site, sink)];
}

/** A variable says whether what comes after is running, whose errors pass. */
function emitGuarded({ body, handler }: Try, scope: Scope, tried: Scope, exit: Exit, site: Site, sink: Sink): Block {
  const { writer } = scope;
  const [outside, error] = [fresh(writer, "flag", "isOutside"), fresh(writer, "error")];
  const failed = js.name(fresh(writer, "failure"));
  const through = sinkOf((place, at) =>
    boundPlace(writer, place, (kept) => [
      js.assign(outside, js.literal(true)),
      ...sink.write(kept, notLast(at)),
      js.assign(outside, js.literal(false)),
    ]),
  );
  const value = helped(writer, "caught", js.name(error));
  const trying = js.tryStatement(block(exit, emit(body, tried, notLast(site), through)), error, [
    js.ifStatement(js.name(outside), [js.throwStatement(js.name(error))]),
    handler ? js.assign(failed, value) : js.expressionStatement(value),
  ]);
  const start = js.variable(outside, js.literal(false));
  if (!handler) return [start, trying];
  const dot = isTracked(scope) ? computedAt(scope.dot, failed, undefined) : { value: failed };
  const handling = emit(handler, withDot(scope, dot), site, sink);
  return [start, js.variable(failed), trying, js.ifStatement(isDefined(failed), handling)];
}
