import type { Item } from "./items.ts";

/** Why an operation of a transaction did not take place; `None` for operations that could have. */
export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string | undefined;
  readonly Item?: Item | undefined;
}

/** Creates an error as AWS clients throw it. */
export const serviceError = (name: string, message = name, more: object = {}): Error =>
  Object.assign(new Error(message), { name }, more);

/** A request that violates a rule or limit. Repeating it cannot succeed. */
export const validationError = (message: string): Error => serviceError("ValidationException", message);

/** A single write whose condition does not hold. */
export const conditionalCheckFailed = (item?: Item): Error =>
  serviceError("ConditionalCheckFailedException", "The conditional request failed", item && { Item: item });

/** A transaction that wrote nothing. Each operation has its reason, in the order of the request. */
export function transactionCanceled(reasons: readonly CancellationReason[]): Error {
  const codes = reasons.map(({ Code }) => Code).join(", ");
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return serviceError("TransactionCanceledException", message, { CancellationReasons: reasons });
}
