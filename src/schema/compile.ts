import { equalJson, isObject, type Json, type JsonObject, own } from "../json.ts";
import { allowedValues, objectOf, resolvePointer, subschemas, tagsOf } from "./check.ts";

/** Whether a value fits a schema. */
export type SchemaTest = (value: Json) => boolean;

const always: SchemaTest = () => true;
const never: SchemaTest = () => false;

/**
 * Compiles a schema to functions. They accept the values in which `findSchemaErrors` finds no errors, and decide several
 * times as fast, because they stop at the first error and explain nothing. The schemas of properties, references and
 * branches are compiled when a value first reaches them: most definitions use a small part of a schema.
 */
export function compileSchema(root: Json): SchemaTest {
  return compile(root, { root, references: new Map() });
}

interface CompileContext {
  readonly root: Json;
  readonly references: Map<string, SchemaTest>;
}

function compile(schema: Json, context: CompileContext): SchemaTest {
  if (!isObject(schema)) return schema === false ? never : always;
  return every([
    typeTest(schema),
    valuesTest(schema),
    forType("string", stringTests(schema)),
    forType("number", numberTests(schema)),
    arrayTest(schema, context),
    objectTest(schema, context),
    ...combinedTests(schema, context),
  ]);
}

/** A test that requires all others; undefined ones are omitted. */
function every(tests: readonly (SchemaTest | undefined)[]): SchemaTest {
  const [first = always, second, third, ...others] = tests.filter((test) => test !== undefined);
  if (!second) return first;
  if (!third) return (value) => first(value) && second(value);
  const rest = others.length === 0 ? third : every([third, ...others]);
  return (value) => first(value) && second(value) && rest(value);
}

function forType(type: "string" | "number", tests: readonly SchemaTest[]): SchemaTest | undefined {
  if (tests.length === 0) return undefined;
  const test = every(tests);
  return (value) => typeof value !== type || test(value);
}

function typeTest(schema: JsonObject): SchemaTest | undefined {
  const type = own(schema, "type");
  if (type === undefined) return undefined;
  const tests = (typeof type === "string" ? [type] : (type as readonly string[])).map(testOfType);
  const [first = never, ...others] = tests;
  return others.length === 0 ? first : (value) => tests.some((test) => test(value));
}

function testOfType(type: string): SchemaTest {
  switch (type) {
    case "null":
      return (value) => value === null;
    case "array":
      return (value) => Array.isArray(value);
    case "object":
      return isObject;
    case "integer":
      return (value) => Number.isInteger(value);
    default:
      return (value) => typeof value === type;
  }
}

function valuesTest(schema: JsonObject): SchemaTest | undefined {
  const values = allowedValues(schema);
  if (values === undefined) return undefined;
  const scalars: ReadonlySet<Json> = new Set(values.filter((value) => typeof value !== "object" || value === null));
  const others = values.filter((value) => !scalars.has(value));
  return (value) => scalars.has(value) || others.some((other) => equalJson(other, value));
}

function stringTests(schema: JsonObject): readonly SchemaTest[] {
  const pattern = own(schema, "pattern");
  const tests = limitTests(schema, "minLength", "maxLength", (value) => [...(value as string)].length);
  // The first character is enough for the most frequent limit.
  const known = own(schema, "minLength") === 1 && !Object.hasOwn(schema, "maxLength") ? [isFilled] : tests;
  if (typeof pattern !== "string") return known;
  const expression = new RegExp(pattern, "u");
  return [...known, (value) => expression.test(value as string)];
}

const isFilled: SchemaTest = (value) => value !== "";

/** Tests for the limits of a size that a schema has. */
function limitTests(schema: JsonObject, least: string, most: string, sizeOf: (value: Json) => number): SchemaTest[] {
  const tests: SchemaTest[] = [];
  const [minimum, maximum] = [own(schema, least), own(schema, most)];
  if (typeof minimum === "number") tests.push((value) => sizeOf(value) >= minimum);
  if (typeof maximum === "number") tests.push((value) => sizeOf(value) <= maximum);
  return tests;
}

function numberTests(schema: JsonObject): readonly SchemaTest[] {
  const tests = limitTests(schema, "minimum", "maximum", (value) => value as number);
  const [above, below] = [own(schema, "exclusiveMinimum"), own(schema, "exclusiveMaximum")];
  if (typeof above === "number") tests.push((value) => (value as number) > above);
  if (typeof below === "number") tests.push((value) => (value as number) < below);
  return tests;
}

function arrayTest(schema: JsonObject, context: CompileContext): SchemaTest | undefined {
  const tests = limitTests(schema, "minItems", "maxItems", (value) => (value as readonly Json[]).length);
  const items = own(schema, "items");
  const item = items === undefined ? always : compile(items, context);
  if (item !== always) tests.push((value) => (value as readonly Json[]).every(item));
  if (tests.length === 0) return undefined;
  const test = every(tests);
  return (value) => !Array.isArray(value) || test(value);
}

function objectTest(schema: JsonObject, context: CompileContext): SchemaTest | undefined {
  const tests = limitTests(schema, "minProperties", "maxProperties", (value) => Object.keys(value as object).length);
  const required = subschemas(schema, "required") as readonly string[];
  if (required.length > 0) tests.push((value) => required.every((name) => Object.hasOwn(value as object, name)));
  for (const [name, companions] of Object.entries(objectOf(schema, "dependentRequired")))
    tests.push(
      (value) =>
        !Object.hasOwn(value as object, name) ||
        (companions as readonly string[]).every((companion) => Object.hasOwn(value as object, companion)),
    );
  const members = membersTest(schema, context);
  if (members) tests.push(members);
  if (tests.length === 0) return undefined;
  const test = every(tests);
  return (value) => !isObject(value) || test(value);
}

/** A test of the values of properties. */
function membersTest(schema: JsonObject, context: CompileContext): SchemaTest | undefined {
  const properties = objectOf(schema, "properties");
  const patterns = Object.entries(objectOf(schema, "patternProperties")).map(
    ([pattern, each]) => [new RegExp(pattern, "u"), compile(each, context)] as const,
  );
  const additional = compile(own(schema, "additionalProperties") ?? true, context);
  if (Object.keys(properties).length === 0 && patterns.length === 0 && additional === always) return undefined;
  const tests = new Map<string, SchemaTest>();
  const testOf = (name: string): SchemaTest => {
    const property = own(properties, name);
    const matching = patterns.flatMap(([pattern, test]) => (pattern.test(name) ? [test] : []));
    if (property === undefined) return matching.length === 0 ? additional : every(matching);
    const test = every([compile(property, context), ...matching]);
    tests.set(name, test);
    return test;
  };
  return (value) => {
    for (const name of Object.keys(value as JsonObject)) {
      const test = tests.get(name) ?? testOf(name);
      if (!test((value as JsonObject)[name]!)) return false;
    }
    return true;
  };
}

function combinedTests(schema: JsonObject, context: CompileContext): readonly (SchemaTest | undefined)[] {
  const reference = own(schema, "$ref");
  const excluded = own(schema, "not");
  const except = excluded === undefined ? undefined : compile(excluded, context);
  const alternatives = compileAll(schema, "anyOf", context);
  return [
    typeof reference === "string" ? referenceTest(reference, context) : undefined,
    ...compileAll(schema, "allOf", context),
    conditionTest(schema, context),
    Object.hasOwn(schema, "discriminator") ? tagTest(schema, context) : oneOfTest(schema, context),
    alternatives.length === 0 ? undefined : (value) => alternatives.some((test) => test(value)),
    except && ((value) => !except(value)),
  ];
}

const compileAll = (schema: JsonObject, keyword: string, context: CompileContext): readonly SchemaTest[] =>
  subschemas(schema, keyword).map((each) => compile(each, context));

function referenceTest(reference: string, context: CompileContext): SchemaTest {
  const { root, references } = context;
  return (value) => {
    const test = references.get(reference) ?? compile(resolvePointer(root, reference), context);
    references.set(reference, test);
    return test(value);
  };
}

function conditionTest(schema: JsonObject, context: CompileContext): SchemaTest | undefined {
  const condition = own(schema, "if");
  if (condition === undefined) return undefined;
  const test = compile(condition, context);
  const [then, otherwise] = [
    compile(own(schema, "then") ?? true, context),
    compile(own(schema, "else") ?? true, context),
  ];
  return (value) => (test(value) ? then(value) : otherwise(value));
}

function oneOfTest(schema: JsonObject, context: CompileContext): SchemaTest | undefined {
  const tests = compileAll(schema, "oneOf", context);
  return tests.length === 0 ? undefined : (value) => tests.filter((test) => test(value)).length === 1;
}

/** A test of the branch that the discriminator of an object selects. */
function tagTest(schema: JsonObject, context: CompileContext): SchemaTest {
  const tag = objectOf(schema, "discriminator")["propertyName"] as string;
  const branches = subschemas(schema, "oneOf");
  const tests = new Map<string, SchemaTest>();
  const testOf = (name: string): SchemaTest => {
    const branch = branches.find((each) => tagsOf(context.root, each, tag).includes(name));
    if (branch === undefined) return never;
    const test = compile(branch, context);
    tests.set(name, test);
    return test;
  };
  return (value) => {
    if (!isObject(value)) return true;
    const name = own(value, tag);
    return typeof name === "string" && (tests.get(name) ?? testOf(name))(value);
  };
}
