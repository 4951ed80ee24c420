import { type JsExpression, js, type Statement } from "../../../src/js-ast/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../../src/json.ts";
import type { StackSettings } from "./settings.ts";
import type { StackParameter } from "./template.ts";

/** What the resources of a construct share. */
export interface ConstructContext {
  readonly settings: StackSettings;
  readonly globals: JsonObject;
  /** The names of properties, by parameters. */
  readonly props: ReadonlyMap<string, string>;
  readonly parameters: readonly StackParameter[];
  /** The types of resources. */
  readonly types: ReadonlyMap<string, string>;
}

/** The type of state machines. */
export const machineType = "AWS::Serverless::StateMachine";
/** The type of functions. */
export const functionType = "AWS::Serverless::Function";

/** The name of the variable of a resource. */
export const variableOf = (id: string): string => id.charAt(0).toLowerCase() + id.slice(1);

/** The properties of a construct. */
export type Members = { readonly [name: string]: JsExpression | undefined };

/** The construct itself. */
export const self = js.name("this");
/** The folder of the generated files. */
export const folder = js.member(js.name("props"), "folder");
/** An expression as a statement. */
export const run = (expression: JsExpression): Statement => js.expressionStatement(expression);

/** A member of a name. */
export const member = (of: string, ...names: readonly string[]): JsExpression =>
  names.reduce<JsExpression>((object, each) => js.member(object, each), js.name(of));

/** A statement that creates a construct. */
export const created = (id: string, construct: JsExpression, props: Members): Statement =>
  js.constant(variableOf(id), js.newExpression(construct, [self, js.literal(id), js.record(props)]));

/** A duration. */
export const seconds = (value: Json): JsExpression =>
  js.call(member("Duration", "seconds"), [js.literal(Number(value))]);

/** The construct of a reference to a resource. */
export const resourceOf = (reference: Json): JsExpression => {
  const { Ref, "Fn::GetAtt": attribute } = reference as JsonObject;
  return js.name(variableOf(String(Ref ?? (attribute as readonly Json[])[0])));
};

/** A value of the template: functions of CloudFormation become expressions. */
export function expressionOf(json: Json, context: ConstructContext): JsExpression {
  if (Array.isArray(json)) return js.array((json as readonly Json[]).map((each) => expressionOf(each, context)));
  if (!isObject(json)) return js.value(json);
  const [[name, argument] = [], ...more] = Object.entries(json);
  if (more.length === 0 && name !== undefined && argument !== undefined)
    switch (name) {
      case "Ref":
        return referenceTo(String(argument), context);
      case "Fn::GetAtt":
        return attributeOf(String((argument as readonly Json[])[0]), context);
      case "Fn::Sub":
        return substituted(argument, context);
      case "Fn::Select": {
        const [index, list] = argument as readonly [number, JsonObject];
        const [separator, text] = list["Fn::Split"] as readonly [string, Json];
        const split = js.call(member("Fn", "split"), [js.literal(separator), expressionOf(text, context)]);
        return js.call(member("Fn", "select"), [js.literal(index), split]);
      }
      default:
    }
  return js.object(Object.entries(json).map(([key, each]) => js.property(key, expressionOf(each, context))));
}

function referenceTo(name: string, { props, parameters, types }: ConstructContext): JsExpression {
  const prop = props.get(name);
  if (prop !== undefined) {
    const given = js.member(js.name("props"), prop);
    const fallback = parameters.find((each) => each.name === name)?.defaultValue;
    return fallback === undefined ? given : js.binary(given, "??", js.literal(fallback));
  }
  const attribute = types.get(name) === "AWS::SQS::Queue" ? "queueUrl" : "tableName";
  return js.member(js.name(variableOf(name)), attribute);
}

function attributeOf(id: string, { types }: ConstructContext): JsExpression {
  const attributes: { readonly [type: string]: string } = {
    [functionType]: "functionArn",
    "AWS::DynamoDB::Table": "tableArn",
    "AWS::SQS::Queue": "queueArn",
    "AWS::Logs::LogGroup": "logGroupArn",
    "AWS::IAM::Role": "roleArn",
  };
  return js.member(js.name(variableOf(id)), attributes[types.get(id)!]!);
}

function substituted(argument: Json, context: ConstructContext): JsExpression {
  const [text, values] = Array.isArray(argument)
    ? (argument as unknown as readonly [string, JsonObject])
    : [String(argument), {}];
  const parts = text.split(/\$\{([^}]*)\}/).map((part, i) => (i % 2 === 0 ? part : variableIn(part, values, context)));
  return js.template(parts.filter((part) => part !== ""));
}

const pseudoParameters: { readonly [name: string]: string } = {
  "AWS::AccountId": "ACCOUNT_ID",
  "AWS::Partition": "PARTITION",
  "AWS::Region": "REGION",
  "AWS::StackName": "STACK_NAME",
};

function variableIn(name: string, values: JsonObject, context: ConstructContext): JsExpression {
  const value = own(values, name);
  if (value !== undefined) return expressionOf(value, context);
  return member("Aws", pseudoParameters[name]!);
}
