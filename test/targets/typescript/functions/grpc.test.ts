import { loadPackageDefinition, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { afterAll, beforeAll, expect, test } from "vitest";
import { grpc, type Method } from "../../../../targets/typescript/runtime/functions/grpc.ts";
import { stepOf } from "./servers.ts";

interface UnaryCall {
  readonly request: { readonly orderId: string; readonly kind: string; readonly voucherNumber?: string };
  readonly metadata: { get(name: string): unknown[] };
}
type UnaryCallback = (error: { code: number; details: string } | null, answer?: unknown) => void;

const seen: { request: unknown; key: unknown; token: unknown }[] = [];
const folder = new URL("./", import.meta.url);
const server = new Server();
let address: string;

beforeAll(async () => {
  const loaded = loadPackageDefinition(
    loadSync(`${import.meta.dirname}/orders.proto`, { longs: String, enums: String }),
  );
  const { Orders } = (loaded as never)["shop"]["orders"] as { readonly Orders: { readonly service: never } };
  server.addService(Orders.service, {
    Place({ request, metadata }: UnaryCall, answer: UnaryCallback) {
      seen.push({ request, key: metadata.get("idempotency-key")[0], token: metadata.get("x-token")[0] });
      if (request.orderId === "none") answer({ code: status.NOT_FOUND, details: "There is no order." });
      else if (request.orderId !== "never")
        answer(null, { number: "9007199254740993", express: request.kind === "EXPRESS", seal: Buffer.from("ok") });
    },
    Watch() {},
    Clear: (_: UnaryCall, answer: UnaryCallback) => answer(null, {}),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  address = `127.0.0.1:${port}`;
});
afterAll(() => server.forceShutdown());

const place = (more: Partial<Method> = {}) =>
  grpc({ folder, file: "orders.proto", service: "shop.orders.Orders", method: "Place", address, tls: false, ...more });

const failing = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    ({ name, message, data }) => ({ name, message, data }),
  );

test("a method is called with the argument and returns the response in JSON form", async () => {
  const argument = {
    orderId: "7",
    items: [{ name: "tea", price: 2.5 }],
    notes: { a: "b" },
    kind: "EXPRESS",
    voucherNumber: "9007199254740993",
  };
  const answer = await place({ metadata: { "x-token": "t" } })(argument, stepOf("run/Pläce"));
  expect(answer).toEqual({ number: "9007199254740993", express: true, seal: "b2s=" });
  expect(seen.at(-1)).toEqual({ request: argument, key: "run/Pl%C3%A4ce", token: "t" });
});

test("unset fields have their default value", async () => {
  expect(await place()({}, stepOf())).toMatchObject({ express: false });
});

test("a method with an empty response", async () => {
  expect(await place({ method: "Clear" })({}, stepOf())).toEqual({});
});

test("a status other than OK is an error of that name", async () => {
  expect(await failing(place()({ orderId: "none" }, stepOf()))).toEqual({
    name: "NOT_FOUND",
    message: "There is no order.",
    data: { code: 5 },
  });
});

test("timeout", async () => {
  expect(await failing(place({ timeout: 0.1 })({ orderId: "never" }, stepOf()))).toMatchObject({
    name: "DEADLINE_EXCEEDED",
  });
});

test("an aborted step", async () => {
  const cut = new AbortController();
  const calling = place()({ orderId: "never" }, stepOf("k", cut.signal));
  setTimeout(() => cut.abort(new Error("cut off")), 50);
  await expect(calling).rejects.toThrow("cut off");
});

test("an argument that does not match the message", async () => {
  expect(await failing(place()({ items: 5 }, stepOf()))).toMatchObject({ name: "INTERNAL" });
});

test("an unknown method or service", async () => {
  expect(await failing(place({ method: "Plaice" })({}, stepOf()))).toMatchObject({ name: "ConfigurationError" });
  expect(await failing(place({ service: "shop.Orders" })({}, stepOf()))).toMatchObject({ name: "ConfigurationError" });
});
