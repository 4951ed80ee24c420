import fc from "fast-check";
import { expect, test } from "vitest";
import { eventsIn } from "../../../../targets/typescript/runtime/server/cloudevents.ts";
import { Refusal } from "../../../../targets/typescript/runtime/server/refusal.ts";
import { emit } from "./emitting.ts";
import { schemas } from "./schemas.ts";

const seed = 20260101;

test("any string is a .proto file or has a syntax error with a position", async () => {
  const pieces =
    "package service rpc returns stream message enum oneof map repeated optional extend group option import syntax = proto3 ; { } ( ) < > [ ] = ; , . 1 a a.b \"x\" 'y' S M __proto__ constructor // /* */ \n".split(
      " ",
    );
  const words = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 40 });
  const starts = fc.constantFrom("", 'syntax = "proto3"; ', "service S { rpc M (A) returns (A); } message A { ");
  await fc.assert(
    fc.asyncProperty(starts, words, async (start, rest) => {
      const { found, text } = await emit(
        ["f"],
        "functions: { f: { typescript: { grpc: 's.proto#S/M', address: x } } }",
        {
          "shop/s.proto": start + rest.join(" "),
        },
      );
      for (const line of found) expect(line).toMatch(/^shop\/(?:s\.proto|waybill\.config\.yaml):\d+:\d+ WB530[4-7] /);
      expect(text.includes("Its binding cannot be used.")).toBe(found.length > 0);
    }),
    { seed, numRuns: 3000 },
  );
});

test("any request contains events or is rejected", () => {
  const types = fc.constantFrom(
    "application/cloudevents+json",
    "application/cloudevents-batch+json",
    "application/json",
    "",
  );
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 30 }),
    fc.json().map((text) => new TextEncoder().encode(text)),
  );
  const headers = fc.dictionary(
    fc.constantFrom("ce-id", "ce-type", "ce-source", "ce-specversion", "ce-x", "content-type", "ce-"),
    fc.string({ maxLength: 8 }),
  );
  fc.assert(
    fc.property(types, bodies, headers, (type, body, given) => {
      try {
        for (const event of eventsIn({ type, body, headers: given })) expect(event.specversion).toBe("1.0");
      } catch (refusal) {
        expect(refusal).toBeInstanceOf(Refusal);
      }
    }),
    { seed, numRuns: 3000 },
  );
});

test("any document with any schemas is an OpenAPI document or has a diagnostic", async () => {
  await fc.assert(
    fc.asyncProperty(schemas, schemas, fc.anything(), async (a, body, anything) => {
      const operation = {
        operationId: "f",
        parameters: [{ name: "id", in: "query", schema: a }],
        requestBody: { content: { "application/json": { schema: body } } },
        responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/A" } } } } },
      };
      const servers = [{ url: "https://x.example" }];
      const document = {
        openapi: "3.1.0",
        servers,
        paths: { "/": { post: operation, get: anything } },
        components: { schemas: { A: a } },
      };
      const text = JSON.stringify(document, (_, part) => (typeof part === "bigint" ? String(part) : part));
      const { text: module } = await emit(["f"], "functions: { f: { typescript: { openapi: 'x.json#f' } } }", {
        "shop/x.json": text,
      });
      expect(module).toMatch(/^export type FAnswer = .+/m);
    }),
    { seed, numRuns: 300 },
  );
});
