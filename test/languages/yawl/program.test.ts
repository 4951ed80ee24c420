import { join } from "node:path";
import { loadPackageDefinition, Server, ServerCredentials } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { ReflectionService } from "@grpc/reflection";
import { expect, onTestFinished, test, vi } from "vitest";
import { compile } from "../../../src/index.ts";
import { postgresFolder, startPostgres, untilReady } from "../../targets/typescript/functions/databases.ts";
import { type ReceivedRequest, startFunctionServer } from "../../targets/typescript/functions/servers.ts";
import { programFolder, typeErrors } from "../../targets/typescript/program.ts";
import { programOf as programOfAll, runProgram } from "../programs.ts";

const programOf = (definition: string, configuration: string): Promise<string> =>
  programOfAll({
    sources: [{ path: "shop.yaml", text: definition }],
    config: { path: "waybill.config.yaml", text: configuration },
  });

async function reflectingServer(): Promise<string> {
  const definition = loadSync(join(import.meta.dirname, "../../targets/typescript/functions/orders.proto"), {
    longs: String,
    enums: String,
  });
  const { Orders } = (loadPackageDefinition(definition) as never)["shop"]["orders"] as { Orders: { service: never } };
  const server = new Server();
  server.addService(Orders.service, {
    Place: ({ request }: { request: { orderId: string } }, answer: (error: null, answer: unknown) => void) =>
      answer(null, { number: request.orderId, express: true }),
    Watch() {},
    Clear() {},
  });
  new ReflectionService(definition).addToServer(server);
  onTestFinished(() => server.forceShutdown());
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(`127.0.0.1:${port}`),
    );
  });
}

test("steps call HTTP, gRPC and cloud functions, with the error codes of the language", async () => {
  const server = await startFunctionServer(({ url }, response) => {
    if (url.startsWith("/stock")) response.writeHead(404, { "content-type": "text/plain" }).end("no stock");
    else response.writeHead(200, { "content-type": "application/json" }).end('{"price": 12}');
  });
  vi.stubEnv("CLOUD_TOKEN", "hush");
  const definition = `
yawl: "0.1"
start: price
steps:
  price:
    httpCall: { url: '${server.url}/price/\\(.article)', query: { currency: EUR }, next: stock }
  stock:
    httpCall:
      url: ${server.url}/stock
      method: POST
      body: '\\({article: .article} | tojson)'
      next: order
      catch: [{ errorList: [HTTP_CALL_404], output: '\\({shortage: .message})', next: order }]
  order:
    grpcCall:
      endpoint: ${await reflectingServer()}
      method: shop.orders.Orders/Place
      body: '\\({orderId: .article} | tojson)'
      output: '\\({number: .number})'
      next: pack
  pack:
    containerCall: { containerId: d4e, path: '/pack/\\(.number)', method: PUT, output: '\\({packed: .price})', next: done }
  done: { success: {} }
`;
  const configuration = `
functions:
  order: { typescript: { tls: false } }
  pack:
    typescript: { server: '${server.url}/containers', headers: { authorization: { env: CLOUD_TOKEN, prefix: 'Bearer ' } } }
`;
  const folder = await programOf(definition, configuration);
  expect(await runProgram(folder, { article: "7" })).toEqual({
    output: { article: "7", price: 12, shortage: "no stock", number: "7", packed: 12 },
  });
  const asked = server.requests.map(({ method, url, body }: ReceivedRequest) => `${method} ${url} ${body}`);
  expect(asked).toEqual(["GET /price/7?currency=EUR ", 'POST /stock {"article":"7"}', "PUT /containers/pack/7 "]);
  expect(server.requests.at(-1)!.headers["authorization"]).toBe("Bearer hush");
}, 60_000);

test.skipIf(postgresFolder === undefined)(
  "steps ask PostgreSQL (skipped where it is not installed)",
  async () => {
    const database = await startPostgres();
    onTestFinished(() => database.stop());
    const { port } = new URL(database.at);
    const definition = `
yawl: "0.1"
start: count
steps:
  count:
    databaseQuery:
      connection: { type: POSTGRES, host: 127.0.0.1, port: ${port}, database: postgres, simple: { username: test, password: x } }
      mode: QUERY
      query: 'select \\(.n) + 1 as more'
      output: '\\({more: .ResultSets[0][0].more})'
      next: again
  again:
    databaseQuery:
      connection: { type: POSTGRES, host: 127.0.0.1, port: ${port}, database: postgres, simple: { username: test, password: x } }
      mode: QUERY
      query: select 1 from nowhere
      catch: [{ errorList: [ALL], output: '\\({failed: .error})', next: done }]
  done: { success: {} }
`;
    const folder = await programOf(definition, "functions: {}");
    await untilReady(async () => {
      const outcome = (await runProgram(folder, { n: 1 })) as { readonly output?: { readonly more?: number } };
      expect(outcome.output?.more).toBe(2);
    });
    expect(await runProgram(folder, { n: 41 })).toEqual({ output: { n: 41, more: 42, failed: "DatabaseError" } });
  },
  60_000,
);

test("workflows with equal step names have separate functions", async () => {
  const server = await startFunctionServer(({ url }, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ at: url })),
  );
  const outer = `yawl: "0.1"\nstart: load\nsteps:\n  load: { httpCall: { url: '${server.url}/outer', next: more } }\n  more: { workflow: { workflowId: inner, output: '\\({ inner: .at })' } }\n`;
  const inner = `yawl: "0.1"\nstart: load\nsteps:\n  load: { httpCall: { url: '${server.url}/inner', useServiceAccount: true } }\n`;
  vi.stubEnv("TOKEN", "hush");
  const { files, diagnostics } = await compile({
    sources: [
      { path: "shop.yaml", text: outer },
      { path: "inner.yaml", text: inner },
    ],
    target: "typescript",
    config: {
      path: "waybill.config.yaml",
      text: "functions:\n  load: { typescript: { headers: { authorization: { env: TOKEN } } } }\n",
    },
  });
  expect(diagnostics).toEqual([]);
  const texts = files.filter(({ path }) => path !== "tsconfig.json").map(({ path, text }) => [path, text] as const);
  const folder = programFolder(Object.fromEntries(texts));
  expect(await typeErrors(folder, ["main.ts"])).toBe("");
  expect(await runProgram(folder, {})).toEqual({ output: { inner: "/inner" } });
  expect(server.requests.map(({ url, headers }) => [url, headers["authorization"]])).toEqual([
    ["/outer", "hush"],
    ["/inner", "hush"],
  ]);
});
