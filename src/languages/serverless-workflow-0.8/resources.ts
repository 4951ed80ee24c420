import type { ReadResult } from "../../documents/index.ts";
import { isObject } from "../../json.ts";
import { isFlowResource } from "../shared/serverless-workflow-versions.ts";

/** Of a stream with resources of SonataFlow, keeps only these: the others deploy them. */
export function readResources(plain: ReadResult): ReadResult | undefined {
  const flows = plain.documents.filter(({ value }) => isObject(value) && isFlowResource(value));
  return flows.length > 0 && flows.length < plain.documents.length ? { ...plain, documents: flows } : undefined;
}
