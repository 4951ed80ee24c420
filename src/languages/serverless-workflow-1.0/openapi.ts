import { binary, type Expression, literal, object, simplify } from "../../expressions/index.ts";
import type { RequestOfAnOpenAPIDocument } from "../../generated/serverless-workflow-1.0-definition.ts";
import type { HttpOperation } from "../../ir/protocols.ts";
import { restOperation } from "../shared/operations.ts";
import { spanOf } from "../shared/properties.ts";
import type { StepFragment } from "../shared/steps.ts";
import { authenticationOf } from "./authentication.ts";
import { callSteps } from "./calls.ts";
import { argumentsOf, type Writer } from "./context.ts";
import { checkEncryption } from "./credentials.ts";
import { templateAt } from "./expressions.ts";
import { operationReader, uriOf } from "./resources.ts";
import { secretReads } from "./secrets.ts";

/** A request of an OpenAPI document: the argument is the object of parameters. */
export function lowerOpenapi(writer: Writer): StepFragment {
  const { context, task } = writer;
  const given = argumentsOf(writer) as unknown as RequestOfAnOpenAPIDocument;
  const secrets = secretReads(writer, spanOf(context, task, "with"));
  const { row } = secrets;
  const parameters: Expression =
    given.parameters === undefined ? literal({}) : templateAt(context, { owner: given, key: "parameters" }, row);
  const operation = operationOf(writer, given);
  const { output = "content", redirect } = given;
  const authentication = authenticationOf(writer, given.authentication, secrets);
  const header = authentication?.kind === "header" ? authentication.value : undefined;
  const argument = secrets.resolve(
    header ? simplify(binary("+", parameters, object([[authorization, header]]))) : parameters,
  );
  if (secrets.reads.length > 0 || authentication)
    checkEncryption(writer, operation?.server ?? "", spanOf(context, given, "document"), "This request");
  const protocol = operation && {
    kind: "http" as const,
    operation: header ? withHeader(operation, authorization) : operation,
    failure: "communication",
    answer: output,
    accept: { from: 200, to: redirect ? 399 : 299 },
    ...(authentication?.kind === "token" ? { authentication: authentication.policy } : {}),
  };
  const isBound = authentication?.kind === "binding";
  return callSteps(writer, {
    definition: { type: "openapi", stepKind: "openapi", protocol: isBound ? undefined : protocol },
    argument,
    secrets,
  });
}

/** The parameter that holds the credentials. */
const authorization = "authorization";

const withHeader = (operation: HttpOperation, name: string): HttpOperation => ({
  ...operation,
  parameters: [...operation.parameters.filter((each) => each.name !== name), { name, place: "header" }],
});

function operationOf(writer: Writer, given: RequestOfAnOpenAPIDocument): HttpOperation | undefined {
  const { context } = writer;
  const name = { name: given.operationId, span: spanOf(context, given, "operationId") };
  return restOperation(operationReader(writer), uriOf(context, given.document), name);
}
