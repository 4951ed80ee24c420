import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { JsonObject } from "../../../../src/json.ts";

/** A received request. */
export interface RecordedRequest {
  readonly operation: string;
  readonly body: JsonObject;
}

/** A stand-in for AWS. */
export interface StandInEndpoint {
  readonly endpoint: string;
  readonly requests: readonly RecordedRequest[];
  close(): void;
}

/**
 * Serves Step Functions over HTTP with given responses; `{ status: 400, __type: "ValidationException" }` is an error.
 */
export async function standIn(respond: (request: RecordedRequest) => JsonObject): Promise<StandInEndpoint> {
  const requests: RecordedRequest[] = [];
  const server = createServer(async (request, response) => {
    const operation = String(request.headers["x-amz-target"]).replace("AWSStepFunctions.", "");
    const recorded = { operation, body: JSON.parse(await textOf(request)) as JsonObject };
    requests.push(recorded);
    const { status = 200, ...body } = respond(recorded);
    response.writeHead("__type" in body ? Number(status) : 200, { "content-type": "application/x-amz-json-1.0" });
    response.end(JSON.stringify("__type" in body ? body : respond(recorded)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, requests, close: () => server.close() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Installs a package named like AWS's client that speaks its protocol, awsJson1.0, without signatures and retries. */
export function installClient(folder: string): void {
  const place = join(folder, "node_modules/@aws-sdk/client-sfn");
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, "package.json"), JSON.stringify({ name: "@aws-sdk/client-sfn", main: "index.cjs" }));
  writeFileSync(join(place, "index.cjs"), client);
}

const client = `
exports.SFN = class {
  constructor({ endpoint, region, disableHostPrefix }) {
    if (!region) throw new Error("Region is missing");
    if (!disableHostPrefix) throw new Error("States are tested at a host of their own: sync-states");
    this.endpoint = endpoint;
  }
  async send(operation, request) {
    const headers = { "content-type": "application/x-amz-json-1.0", "x-amz-target": "AWSStepFunctions." + operation };
    const response = await fetch(this.endpoint, { method: "POST", headers, body: JSON.stringify(request) });
    const body = await response.json();
    if (response.ok) return body;
    throw Object.assign(new Error(body.message), { name: body.__type, $fault: response.status < 500 ? "client" : "server" });
  }
  testState(request) { return this.send("TestState", request); }
  validateStateMachineDefinition(request) { return this.send("ValidateStateMachineDefinition", request); }
};
`;
