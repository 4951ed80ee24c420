import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type ServerProcess, serve } from "../main/running.ts";
import { programFolder } from "../program.ts";
import { type OpenPage, openPage, orderProgram, signIn, startBrowser, whyNoBrowser } from "./page.ts";

// The page of an emitted program in a real browser. Errors in the console and violations of its policy fail a test.

const lines = [
  { sku: "anvil", quantity: 1 },
  { sku: "rope", quantity: 2 },
];

describe.skipIf(whyNoBrowser !== undefined)(
  `the dashboard${whyNoBrowser ? ` (skipped: ${whyNoBrowser})` : ""}`,
  { timeout: 60_000 },
  () => {
    let browser: Browser;
    let files: { readonly [path: string]: string };
    beforeAll(async () => {
      [browser, files] = await Promise.all([startBrowser(), orderProgram()]);
    }, 60_000);
    afterAll(() => browser?.close());

    /** Serves the program, with an order for each customer. */
    async function serveOrders(customers: readonly string[], ...args: string[]): Promise<ServerProcess> {
      const server = await serve(programFolder(files), args);
      for (const [i, customer] of customers.entries())
        await server.ask("POST", `/workflows/order/runs?id=o-${i}`, { order: `o-${i}`, customer, lines });
      return server;
    }

    async function open(server: ServerProcess, hash = "", token = server.token): Promise<OpenPage> {
      const opened = await signIn(browser, server.url, token, hash);
      onTestFinished(() => opened.context.close());
      return opened;
    }

    const pay = (server: ServerProcess, order: string) =>
      server.ask(
        "POST",
        "/events",
        { specversion: "1.0", id: `pay-${order}`, source: "/shop", type: "shop.order.paid", order, data: {} },
        { "content-type": "application/cloudevents+json" },
      );

    test("shows no data before a token is entered, and keeps the token out of the address", async () => {
      const server = await serveOrders(["ann"]);
      const { page, context, errors } = await openPage(browser, server.url);
      onTestFinished(() => context.close());
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await page.content()).not.toContain("o-0");
      await page.getByLabel("Token").fill("another");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("The server does not accept this token.").waitFor();
      expect(errors.splice(0)).toEqual([expect.stringContaining("401")]);
      await page.getByLabel("Token").fill(server.token);
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("link", { name: "o-0" }).waitFor();
      expect(page.url()).not.toContain(server.token);
      expect(await page.evaluate("Object.values(sessionStorage)")).toEqual([server.token]);
      expect(await page.evaluate("localStorage.length")).toBe(0);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
      expect(errors).toEqual([]);
    });

    test("a server without a token shows runs at once", async () => {
      const server = await serveOrders(["ann"], "--no-token");
      const { page, context, errors } = await openPage(browser, server.url);
      onTestFinished(() => context.close());
      await page.getByRole("link", { name: "o-0" }).waitFor();
      expect(await page.getByRole("button", { name: "Sign out" }).isVisible()).toBe(false);
      expect(errors).toEqual([]);
    });

    test("lists runs as they start and change, with counts and filters", async () => {
      const server = await serveOrders(["ann", "poor", "bob"]);
      const { page, errors } = await open(server);
      await page.getByRole("row", { name: /Failed o-1/ }).waitFor();
      await page.getByRole("row", { name: /Waiting o-2/ }).waitFor();
      await server.ask("POST", "/workflows/order/runs?id=o-9", { order: "o-9", customer: "eve", lines });
      await page.getByRole("row", { name: /Waiting o-9/ }).waitFor();
      await pay(server, "o-2");
      await page.getByRole("row", { name: /Succeeded o-2/ }).waitFor();

      const links = page.locator(".run-link");
      await page.getByRole("button", { name: /^Failed/ }).click();
      await expect.poll(() => links.allTextContents(), { timeout: 10_000 }).toEqual(["o-1"]);
      await page.getByRole("button", { name: /^Failed 1$/ }).waitFor();
      expect(page.url()).toContain("status=failed");
      await page.reload();
      await page.getByRole("row", { name: /Failed o-1/ }).waitFor();
      await expect.poll(() => links.count(), { timeout: 10_000 }).toBe(1);

      await page.getByLabel("Search in").selectOption("Error");
      await page.getByLabel("Search text").fill("nothing like it");
      await page.keyboard.press("Enter");
      await page.getByText("No run matches these filters.").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByRole("row", { name: /o-9/ }).waitFor();
      await page.getByLabel("Search in").selectOption("Error");
      await page.getByLabel("Search text").fill("declined");
      await page.keyboard.press("Enter");
      await expect.poll(() => links.allTextContents(), { timeout: 10_000 }).toEqual(["o-1"]);

      await page.getByLabel("Search in").selectOption("Correlation value");
      await page.getByLabel("Search text").fill("o-0");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "o-0" }).waitFor();
      await expect.poll(() => links.allTextContents(), { timeout: 10_000 }).toEqual(["o-0"]);

      await page.getByLabel("Search in").selectOption("Run ID");
      await page.getByLabel("Search text").fill("o-2");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "o-2", exact: true }).waitFor();
      expect(errors).toEqual([]);
    });

    test("shows a run: its steps, attempts, results, and the path through the picture", async () => {
      const server = await serveOrders(["busy"]);
      const { page, errors } = await open(server, "#/runs/o-0");
      await page.getByText("Waiting for").waitFor();
      await page.locator("li.waiting", { hasText: "AwaitPayment" }).waitFor();
      expect(await page.locator(".facts", { hasText: "Correlation value" }).textContent()).toContain("o-0");
      const check = page.locator(".timeline li", { hasText: "checkCustomer" });
      expect(await check.textContent()).toContain("3 attempts");
      await check.locator("summary").focus();
      await page.keyboard.press("Enter");
      await check.getByText("Attempt 1").waitFor();
      expect(await check.locator(".attempt").count()).toBe(3);
      expect(await check.textContent()).toContain("Too many requests.");
      expect(await check.textContent()).toContain("<img src=x onerror=alert(1)>");

      const nodes = page.locator(".wb-graph .wb-node");
      await page.locator(".wb-graph .wb-node.is-current", { hasText: "AwaitPayment" }).waitFor();
      await pay(server, "o-0");
      await page.locator(".run-head .badge", { hasText: "Succeeded" }).waitFor();
      await page.locator(".wb-graph .wb-node.is-taken", { hasText: "Notify" }).first().waitFor();
      expect(await nodes.filter({ hasText: "Reject" }).first().getAttribute("class")).not.toContain("is-taken");
      const output = page.locator("aside .panel", { hasText: "Output" });
      expect(await output.textContent()).toContain('"status": "shipped"');
      expect(errors).toEqual([]);
    });

    test("retries a failed run from a step, cancels one, and sends an event, after a confirmation", async () => {
      const server = await serveOrders(["poor", "ann"]);
      const { page, errors } = await open(server, "#/runs/o-0");
      await page.locator(".alert.failed", { hasText: "CardDeclined" }).waitFor();
      await page.locator(".timeline li.failed summary").click();
      await page.getByRole("button", { name: "Retry from here" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      expect((await server.ask("GET", "/runs/o-0")).body).toMatchObject({ status: "failed" });
      await page.getByRole("button", { name: "Retry from here" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Retry" }).click();
      await page.getByText("The run continues.").waitFor();
      await page.locator(".run-head .badge", { hasText: "Waiting" }).waitFor();

      await page.getByRole("button", { name: "Send event" }).click();
      const dialog = page.getByRole("dialog");
      expect(await dialog.getByLabel("Type").inputValue()).toBe("shop.order.paid");
      await dialog.getByLabel("Further attributes").fill("{ not JSON");
      await dialog.getByRole("button", { name: "Send" }).click();
      await dialog.getByText("Not JSON").waitFor();
      await dialog.getByLabel("Further attributes").fill('{ "order": "o-0" }');
      await dialog.getByRole("button", { name: "Send" }).click();
      await page.getByText("The event has reached 1 run.").waitFor();
      await page.locator(".run-head .badge", { hasText: "Succeeded" }).waitFor();

      await page.goto(`${server.url}/#/runs/o-1`);
      await page.getByRole("button", { name: "Cancel run" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
      await page.locator(".run-head .badge", { hasText: "Cancelled" }).waitFor();
      expect(await page.getByRole("button", { name: "Cancel run" }).isVisible()).toBe(false);
      expect(errors).toEqual([]);
    });

    test("starts a run of a workflow; the error of its input is shown", async () => {
      const server = await serveOrders([]);
      const { page, errors } = await open(server);
      await page.getByText("No runs yet").waitFor();
      await page.getByRole("link", { name: "Start a run" }).click();
      await page.getByRole("heading", { name: "Order" }).waitFor();
      await page.locator(".wb-graph").waitFor();
      expect(await page.locator(".wb-graph .is-taken").count()).toBe(0);
      await page.getByRole("button", { name: "Start run" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "Input" }).fill("[1]");
      await dialog.getByRole("button", { name: "Start" }).click();
      await dialog.getByText("The input of a run has to be an object.").waitFor();
      expect(errors.splice(0)).toEqual([expect.stringContaining("422")]);
      await dialog.getByRole("textbox", { name: "Input" }).fill(JSON.stringify({ order: "o-5", customer: "x", lines }));
      await dialog.getByLabel("Run ID").fill("o-5");
      await dialog.getByRole("button", { name: "Start" }).click();
      await page.getByRole("heading", { name: "o-5" }).waitFor();
      expect(errors).toEqual([]);
    });

    test("a token that may only read sees no actions", async () => {
      const folder = programFolder(files);
      const tokens = [
        { token: "reader-token-0123456789", may: ["read"] },
        { token: "admin-token-0123456789", may: ["events", "start", "tasks", "read", "manage"] },
      ];
      const server = await serve(folder, [], { WAYBILL_TOKENS: JSON.stringify(tokens) });
      const authorization = { authorization: "Bearer admin-token-0123456789" };
      await server.ask(
        "POST",
        "/workflows/order/runs?id=o-0",
        { order: "o-0", customer: "poor", lines },
        authorization,
      );
      const { page, errors } = await open(server, "#/runs/o-0", "reader-token-0123456789");
      await page.locator(".alert.failed").waitFor();
      expect(await page.locator(".actions button:visible").count()).toBe(0);
      await page.locator(".timeline li.failed summary").click();
      expect(await page.getByRole("button", { name: "Retry from here" }).count()).toBe(0);
      await page.goto(`${server.url}/#/workflows/order`);
      await page.getByRole("link", { name: "Show runs" }).waitFor();
      expect(await page.getByRole("button", { name: "Start run" }).count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test("hostile ids, inputs and errors are text", async () => {
      const server = await serveOrders([]);
      const id = `<img src=x onerror="alert(1)">'/..?#%`;
      await server.ask("POST", `/workflows/order/runs?id=${encodeURIComponent(id)}`, {
        order: "<script>alert(1)</script>",
        __proto__: { polluted: true },
        customer: "poor",
        lines,
      });
      const { page, errors } = await open(server);
      await page.getByRole("link", { name: id }).click();
      await page.getByRole("heading", { name: id }).waitFor();
      await page.locator(".alert.failed", { hasText: "Declined <script>alert(1)</script>" }).waitFor();
      expect(await page.locator("main img, main script").count()).toBe(0);
      expect(errors).toEqual([]);
    });

    test("says that the server does not respond, and continues when it does", async () => {
      const server = await serveOrders(["ann"]);
      const { page, errors, context } = await open(server);
      await page.getByText("Live").waitFor();
      await context.setOffline(true);
      await page.getByText("Not reachable, retrying").waitFor();
      expect(await page.getByRole("link", { name: "o-0" }).isVisible()).toBe(true);
      await context.setOffline(false);
      await page.getByText("Live").waitFor({ timeout: 20_000 });
      expect(errors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
    });

    test("the page fits a narrow window", async () => {
      const server = await serveOrders(["poor"]);
      const { page, context, errors } = await openPage(browser, server.url, 400);
      onTestFinished(() => context.close());
      await page.getByLabel("Token").fill(server.token);
      await page.keyboard.press("Enter");
      const isWide = "document.documentElement.scrollWidth > innerWidth || main.scrollWidth > main.clientWidth";
      const width = `(() => { const main = document.querySelector("main"); return ${isWide}; })()`;
      await page.getByRole("link", { name: "o-0" }).waitFor();
      expect(await page.evaluate(width)).toBe(false);
      await page.getByRole("link", { name: "o-0" }).click();
      await page.locator(".alert.failed").waitFor();
      expect(await page.evaluate(width)).toBe(false);
      await page.goto(`${server.url}/#/workflows`);
      await page.locator(".wb-graph").waitFor();
      expect(await page.evaluate(width)).toBe(false);
      expect(errors).toEqual([]);
    });
  },
);
