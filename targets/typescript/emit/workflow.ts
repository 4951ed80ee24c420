import { type Expression, factsOf } from "../../../src/expressions/index.ts";
import type { EventDefinition, Start } from "../../../src/ir/workflow.ts";
import type { Environment } from "../expressions/environment.ts";
import { quoted, writeLiteral } from "../expressions/literal.ts";
import { propertyText, typeText } from "../expressions/use.ts";
import { write } from "../expressions/write.ts";
import { atom, listed, type Written } from "../expressions/written.ts";
import { alternativeText, objectText } from "./effects.ts";
import { helperName } from "./helpers.ts";
import { eventUse } from "./known.ts";
import { type Module, typeOfVariable, useOf } from "./module.ts";
import { camelCase } from "./names.ts";
import { type DeclaredType, isOfUse, type SchemaType, typeOfUse } from "./schemas.ts";
import { writeScope } from "./scope.ts";

/** The definition of a workflow, as the object that the module exports. */
export function definitionText(module: Module, version: string): string {
  const { workflow } = module;
  const { events, correlation, start } = workflow;
  const run = runText(module);
  const startMembers = startText(start);
  return listed(
    "defineWorkflow({",
    [
      `id: ${quoted(workflow.id)}`,
      `version: "${version}"`,
      `name: ${quoted(workflow.name)}`,
      ...(startMembers === "{}" ? [] : [`start: ${startMembers}`]),
      ...(events.length === 0 ? [] : [`events: ${eventsText(events, module)}`]),
      ...(correlation ? [`correlation: ${correlationText(correlation, module)}`] : []),
      `run: ${run}`,
    ],
    "})",
  );
}

/** What a run does. An input whose type a schema says is given by that type; it is a variable of the workflow from then on. */
function runText(module: Module): string {
  const { body, input } = module.workflow;
  const { lines, texts } = writeScope(body, { given: [input], outer: [], prefix: "", isOutermost: true }, module);
  const [variable, ...others] = texts as readonly [string, ...string[]];
  const type = signatureType(module);
  const given =
    type && camelCase(type.name) === "value" ? "input" : type && module.names.fresh(camelCase(type.name), "input");
  const first = type ? [...beginText(module, variable, given!, lines)] : [];
  const functions = module.functions.size > 0 ? "fn: Functions" : "_fn: object";
  const parameters = ["flow: Flow", functions, type ? `${given}: ${type.name}` : variable, ...others].join(", ");
  return [
    `async (${parameters}): Promise<${module.schemas.output?.name ?? "Json"}> => {`,
    ...first,
    ...lines,
    "}",
  ].join("\n");
}

/** The type that a run's input has by its schema: none where the correlation value looks for what cannot be in it. */
function signatureType(module: Module): SchemaType | undefined {
  const { input } = module.schemas;
  return input && module.workflow.correlation && needsCast(module, input) ? undefined : input;
}

/** Whether an input of its schema's type is not of the type of the variable. */
const needsCast = (module: Module, { shape, isWhole }: SchemaType): boolean => {
  const use = useOf(module, module.workflow.input);
  return use.members.size > 0 && !(isWhole && isOfUse(use, shape, true));
};

function beginText(module: Module, variable: string, given: string, lines: readonly string[]): readonly string[] {
  const [name = ""] = variable.split(":");
  const text = lines.join("\n");
  if (!new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(text)) return [];
  const isChanged = new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name} = |[{,] ${name}[ ,][^}]*\\} = await`).test(text);
  const cast = needsCast(module, module.schemas.input!) ? ` as Json as ${variable.slice(name.length + 2)}` : "";
  return [`${isChanged ? "let" : "const"} ${variable} = ${given}${cast};`];
}

function startText({ on = [], create, gap, window }: Start): string {
  const alternatives = on.map((alternative) => alternativeText(alternative, ({ event }) => quoted(event.name)));
  return objectText({
    ...(on.length === 0 ? {} : { on: listed("[", alternatives, "]") }),
    ...(create === "complete" ? { complete: "true" } : {}),
    ...(gap === undefined ? {} : { gap: writeLiteral(gap)!.text }),
    ...(window ? { window: writeLiteral({ ...window } as never)!.text } : {}),
  });
}

function eventsText(events: readonly EventDefinition[], module: Module): string {
  return listed(
    "{",
    events.map(
      (event) =>
        `${event.name === "__proto__" ? '["__proto__"]' : propertyText(event.name)}: ${eventText(event, module)}`,
    ),
    "}",
    " ",
  );
}

function eventText(
  { type, source, subject, foldCase, correlation, correlationAttribute }: EventDefinition,
  module: Module,
): string {
  const text = (name: string, value: string | undefined) => (value === undefined ? {} : { [name]: quoted(value) });
  return objectText({
    ...text("type", type),
    ...text("source", source),
    ...text("subject", subject),
    ...(foldCase ? { foldCase: "true" } : {}),
    ...(correlation ? { correlation: eventCorrelation(correlation, module) } : {}),
    ...text("correlationAttribute", correlationAttribute),
  });
}

function eventCorrelation(expression: Expression, module: Module): string {
  const event = atom("event", { use: eventUse, isPresent: true });
  const written = optional(expression, new Map([["event", event]]), module);
  return `(event) => ${written.text}`;
}

function correlationText(expression: Expression, module: Module): string {
  const { input } = module.workflow;
  const run = atom("run", { use: { kind: "closed", members: { id: {} } }, isPresent: true });
  const name = camelCase(input);
  const type = typeOfVariable(module, input);
  const written = optional(
    expression,
    new Map([
      [input, atom(name, { use: useOf(module, input) })],
      ["run", run],
    ]),
    module,
  );
  return `(${name}: ${type}${factsOf(expression).free.has("run") ? ", run" : ""}) => ${written.text}`;
}

/** An expression with at most one output. */
function optional(expression: Expression, variables: ReadonlyMap<string, Written>, module: Module): Written {
  const environment: Environment = {
    variable: (name) => variables.get(name),
    helper: (name) => helperName(module, name),
  };
  const written = write(expression, environment);
  if (written) return written;
  const names = [...factsOf(expression).free.keys()].sort();
  const name = module.names.fresh("correlationValue");
  module.compiled.push({ name, expression, variables: names, isOne: factsOf(expression).outputs === "one" });
  const call = `${name}(${names.map((each) => variables.get(each)?.text ?? "null").join(", ")})`;
  return factsOf(expression).outputs === "one" ? atom(call) : atom(`${call}[0]`);
}

/** The types of what schemas say, and of what the workflow looks at in its variables. */
export function typeLines(module: Module): readonly DeclaredType[] {
  const { input, output } = module.schemas;
  const schemas = [...new Set([input, output])].flatMap((schema) => (schema ? [schema, ...schema.parts] : []));
  const looked = [...module.types].filter(([variable]) => useOf(module, variable).members.size > 0);
  return [
    ...schemas,
    ...looked.map(([variable, name]) => {
      const isInput = variable === module.workflow.input;
      const use = useOf(module, variable);
      return {
        name,
        type: isInput && input ? typeOfUse(use, input.shape).replace(/ \| null$/, "") : typeText(use),
        doc: isInput
          ? "The data of the workflow, as far as it is looked at."
          : `\`${variable}\`, as far as it is looked at.`,
      };
    }),
  ];
}
