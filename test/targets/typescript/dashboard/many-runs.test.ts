import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { program, run, serve } from "../main/running.ts";
import { signIn, startBrowser, whyNoBrowser } from "./page.ts";

// The list of runs stays fluent with 10,000 runs: few elements, short tasks, and no jump when runs start above.

const runs = 10_000;
/** The longest time that the page may not respond, in milliseconds: 20 times what two idle cores need. */
const longestTask = 3000;

/** Copies the only run of a store, so that there are `runs`. */
function multiply(store: string): void {
  const db = new DatabaseSync(store);
  db.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${runs - 1})
    INSERT INTO runs (id, workflow, status, created, updated, input, output)
    SELECT printf('run-%05d', n), workflow, status, created, updated, input, output FROM numbers, runs`);
  db.close();
}

const countTasks = `new PerformanceObserver((list) => {
  globalThis.longest = Math.max(globalThis.longest ?? 0, ...list.getEntries().map(({ duration }) => duration));
}).observe({ entryTypes: ["longtask"] });`;

describe.skipIf(whyNoBrowser !== undefined)(
  `the list of 10,000 runs${whyNoBrowser ? ` (skipped: ${whyNoBrowser})` : ""}`,
  () => {
    test("loads as it is scrolled, with few elements and short tasks", { timeout: 180_000 }, async () => {
      const folder = program();
      await run(folder, ["start", "greet", "--id", "first", "--input", '"you"', "--wait"]);
      multiply(join(folder, "runs.db"));
      const server = await serve(folder);
      const browser = await startBrowser();
      onTestFinished(() => browser.close());
      const { page, errors } = await signIn(browser, server.url, server.token);
      const newest = `run-${String(runs - 1).padStart(5, "0")}`;
      await page.getByRole("link", { name: newest }).waitFor();
      await page.getByRole("button", { name: "All 10,000" }).waitFor();
      await page.evaluate(countTasks);
      const rows = page.locator(".rows .row");
      const began = performance.now();
      let most = 0;
      while (!(await page.getByText("No more runs").isVisible())) {
        await page.evaluate("document.querySelector('.scroller').scrollTop += 4000");
        await page.waitForTimeout(20);
        most = Math.max(most, await rows.count());
      }
      const took = performance.now() - began;
      const longest = Number(await page.evaluate("globalThis.longest ?? 0"));
      console.log(
        `${runs} runs: scrolled in ${Math.round(took)} ms, longest task ${Math.round(longest)} ms, ${most} rows`,
      );
      await page.evaluate("document.querySelector('.scroller').scrollTop = 1e9");
      await page.getByRole("link", { name: "first" }).waitFor();
      expect(most).toBeLessThan(100);
      expect(longest).toBeLessThan(longestTask);

      await page.evaluate("document.querySelector('.scroller').scrollTop = 200000");
      const places = async () => {
        const boxes = await rows.evaluateAll((elements) =>
          elements.map((element) => [element.textContent, Math.round(element.getBoundingClientRect().top)] as const),
        );
        return boxes.find(([, top]) => top > 300)!;
      };
      await page.waitForTimeout(300);
      const [text, top] = await places();
      const key = text!.slice(0, 18);
      await server.ask("POST", "/workflows/greet/runs?id=newer", "you");
      await page.getByRole("button", { name: "All 10,001" }).waitFor({ timeout: 20_000 });
      const after = await rows.evaluateAll(
        (elements, name) =>
          elements.filter((each) => each.textContent?.startsWith(name)).map((each) => each.getBoundingClientRect().top),
        key,
      );
      expect(Math.abs(after[0]! - top)).toBeLessThanOrEqual(1);
      expect(errors).toEqual([]);
    });
  },
);
