import { type Expression, literal } from "../../expressions/index.ts";
import type { CallOverGRPC } from "../../generated/serverless-workflow-1.0-definition.ts";
import { grpcMethod } from "../shared/operations.ts";
import { spanOf } from "../shared/properties.ts";
import type { StepFragment } from "../shared/steps.ts";
import { callSteps } from "./calls.ts";
import { argumentsOf, type Writer } from "./context.ts";
import { unsupportedProperty } from "./diagnostics/references.ts";
import { templateAt } from "./expressions.ts";
import { embeddedExpressions, wholeExpression } from "./interpolations.ts";
import { isFunctionBound } from "./names.ts";
import { operationReader, uriOf } from "./resources.ts";
import { secretReads } from "./secrets.ts";

/** A unary gRPC call: the argument is the request. */
export function lowerGrpc(writer: Writer): StepFragment {
  const { context, task } = writer;
  const given = argumentsOf(writer) as unknown as CallOverGRPC;
  const { service, method, proto } = given;
  const secrets = secretReads(writer, spanOf(context, task, "with"));
  const argument: Expression =
    given.arguments === undefined ? literal({}) : templateAt(context, { owner: given, key: "arguments" }, secrets.row);
  checkService(writer, given);
  const found = grpcMethod(operationReader(writer), uriOf(context, proto), {
    service: { name: service.name, span: spanOf(context, service, "name") },
    method: { name: method, span: spanOf(context, argumentsOf(writer), "method") },
  });
  const endpoint = service.port === undefined ? service.host : `${service.host}:${service.port}`;
  return callSteps(writer, {
    definition: {
      type: "grpc",
      stepKind: "grpc",
      protocol: found && { kind: "grpc", method: { endpoint, ...found } },
    },
    argument,
    secrets,
  });
}

/** Reports authentication, which gRPC calls do not have, and expressions in what the program holds as constants. */
function checkService(writer: Writer, { service, method }: CallOverGRPC): void {
  const { context } = writer;
  if (isFunctionBound(writer)) return;
  const hint = "Bind the function in `waybill.config.yaml`.";
  for (const owner of [service, argumentsOf(writer)])
    if (Object.hasOwn(owner, "authentication"))
      context.report(
        unsupportedProperty(spanOf(context, owner, "authentication", "key"), {
          what: "Authentication of gRPC calls",
          hint,
        }),
      );
  const parts = [
    [service, "name", service.name],
    [service, "host", service.host],
    [argumentsOf(writer), "method", method],
  ] as const;
  for (const [owner, key, value] of parts)
    if (wholeExpression(value) || embeddedExpressions(value))
      context.report(unsupportedProperty(spanOf(context, owner, key), { what: `An expression as \`${key}\``, hint }));
}
