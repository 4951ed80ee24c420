import { binary, call, conditional, type Expression, literal } from "../../expressions/index.ts";

/** A value that is an integer from `least` to 99,999,999; otherwise `failure`. */
export function wholeNumber(value: Expression, least: number, failure: Expression): Expression {
  const whole = call("floor", value);
  const isNumber = binary("==", call("type", value), literal("number"));
  const isPossible = [
    binary(">=", value, literal(least)),
    binary("<=", value, literal(99_999_999)),
    binary("==", whole, value),
  ].reduce((left, right) => call("and", left, right));
  return conditional(conditional(isNumber, isPossible, literal(false)), whole, failure);
}
