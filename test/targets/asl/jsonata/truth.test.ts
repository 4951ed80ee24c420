import { expect, test } from "vitest";
import { conditional, type Expression, literal, variable } from "../../../../src/expressions/index.ts";
import { any, boolean, type Type } from "../../../../src/types/index.ts";
import { printJsonata } from "../../../../targets/asl/jsonata/print.ts";

const printed = (expression: Expression, type: Type): string =>
  printJsonata(expression, (name) => `$${name}`, {
    isCount: () => false,
    types: new Map([["x", type]]),
    exposesMessages: false,
  });

const truth = conditional(variable("x"), literal(true), literal(false));

test("a Boolean is not converted to a Boolean", () => {
  expect(printed(truth, boolean)).toBe("$x");
  expect(printed(truth, any)).toBe("$x in [null, false] ? false : true");
  expect(printed(conditional(variable("x"), literal(false), literal(true)), boolean)).toBe("$x ? false : true");
});
