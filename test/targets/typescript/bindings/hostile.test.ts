import fc from "fast-check";
import { expect, test } from "vitest";
import { ProtoFault, parseProto } from "../../../../targets/typescript/bindings/grpc/parse.ts";
import { eventsIn } from "../../../../targets/typescript/runtime/server/cloudevents.ts";
import { Refusal } from "../../../../targets/typescript/runtime/server/refusal.ts";
import { emit } from "./emitting.ts";
import { schemas } from "./schemas.ts";

const seed = 20260101;

test("any text is a .proto file, or it is told where it is none", () => {
  const pieces =
    "package service rpc returns stream message enum oneof map repeated option import { } ( ) < > [ ] = ; , . 1 a a.b \"x\" 'y' // /* */ \n".split(
      " ",
    );
  const texts = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), { maxLength: 40 })
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(texts, (text) => {
      try {
        parseProto(text);
      } catch (fault) {
        expect(fault).toBeInstanceOf(ProtoFault);
        expect((fault as ProtoFault).start).toBeLessThanOrEqual(text.length);
      }
    }),
    { seed, numRuns: 3000 },
  );
});

test("any request is events, or it is refused", () => {
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

test("any document and any schema in it is an OpenAPI document, or it is told what is wrong", () => {
  fc.assert(
    fc.property(schemas, schemas, fc.anything(), (a, body, anything) => {
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
      const { text: module } = emit(["f"], "functions: { f: { typescript: { openapi: 'x.json#f' } } }", {
        "shop/x.json": text,
      });
      expect(module).toMatch(/^export type FAnswer = .+/m);
    }),
    { seed, numRuns: 300 },
  );
});
