/** What the page says when the service cannot be reached, is busy, or asks for credentials, and that it recovers by itself. */
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { joinBrowser, sharedService } from "../helpers/page/join.ts";
import { type PageLab, twoPcs } from "../helpers/page/two-pcs.ts";

const PICTURES = join(tmpdir(), "wirelab-page");

describe.skipIf(!existsSync(BROWSER))("the page and faults (skipped without chromium)", () => {
  const stack = sharedService();
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let lab: PageLab;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    lab = await twoPcs(stack.url);
    browser = await joinBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(lab.address);
    await device("PC1").waitFor();
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
  });

  const device = (name: string) => page.locator(".parts .part", { hasText: name }).first();
  const notice = (text: string) => page.locator(".notice", { hasText: text });
  const rename = (index: number, name: string) => lab.api("PUT", lab.nodes[index]!, { name });

  test("says that it is offline, and shows what changed meanwhile when it is not", async () => {
    await context.setOffline(true);
    await page.getByRole("button", { name: "Start all" }).click();
    await notice("The service cannot be reached. Check the network").waitFor();
    await page.getByRole("status").getByText("Not connected; trying again").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, "offline.png") });
    await rename(0, "Renamed");
    await context.setOffline(false);
    await device("Renamed").waitFor();
    await page.getByText("Not connected").waitFor({ state: "hidden" });
  });

  test("opens a lab that could not be opened, when the user tries again", async () => {
    await page.route("**/v2/projects/*", (route) => route.abort());
    await page.reload();
    await page.getByRole("alert").getByText("The service cannot be reached").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.unroute("**/v2/projects/*");
    await page.getByRole("button", { name: "Try again" }).click();
    await device("PC2").waitFor();
  });

  test("reads a lab without waiting for one response before the next request", async () => {
    // The response about the project waits until devices and templates have been asked for.
    const asked = ["nodes", "templates"].map((name) =>
      page.waitForRequest((request) => new URL(request.url()).pathname.endsWith(`/${name}`)),
    );
    await page.route("**/v2/projects/*", async (route) => {
      await Promise.all(asked);
      await route.continue();
    });
    await page.reload();
    await device("PC2").waitFor();
    await page.unroute("**/v2/projects/*");
  });

  test("shows devices and links while the drawings are still being read, and reports a failure of these", async () => {
    let answer = () => {};
    const isShown = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/v2/projects/*/drawings", async (route) => {
      await isShown;
      await route.abort();
    });
    await page.reload();
    await device("PC2").waitFor();
    answer();
    await notice("The service cannot be reached").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.unroute("**/v2/projects/*/drawings");
  });

  const busy = {
    status: 503,
    json: { status: 503, code: "store.busy", message: "Storage is temporarily unavailable; retry." },
  };

  test("repeats a change that the service was too busy for", async () => {
    let refused = 0;
    await page.route(`**/v2${lab.link}`, async (route) => {
      refused += 1;
      if (refused > 2) return route.continue();
      return route.fulfill(busy);
    });
    await page.getByRole("button", { name: /Renamed e0 – PC2 e0/ }).click();
    await page.getByRole("button", { name: "Suspend", exact: true }).click();
    // The page shows the change at once.
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await expect.poll(() => refused).toBe(3);
    await expect
      .poll(async () => (await lab.api("GET", lab.link)) as object)
      .toMatchObject({ suspend: true });
    expect(await page.locator(".notice").count()).toBe(0);
    await page.unroute(`**/v2${lab.link}`);
  });

  test("shows the message of a service that stays busy", async () => {
    await page.route("**/v2/projects/*/nodes/start", (route) => route.fulfill(busy));
    await page.getByRole("button", { name: "Start all" }).click();
    await notice("Storage is temporarily unavailable; retry.").waitFor();
    await page.unroute("**/v2/projects/*/nodes/start");
  });

  test("asks for credentials in the middle of work, and returns to the lab", async () => {
    const message = "Credentials are missing or wrong";
    const refuse = { status: 401, json: { status: 401, code: "access.credentials", message } };
    await page.route(`**/v2${lab.link}`, (route) => route.fulfill(refuse));
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("heading", { name: "Sign in to Wirelab" }).waitFor();
    await page.unroute(`**/v2${lab.link}`);
    await page.getByLabel("Name").fill("alice");
    await page.getByLabel("Password").fill("a password");
    await page.keyboard.press("Enter");
    await device("PC2").waitFor();
    expect(page.url()).toBe(lab.address);
  });

  test("says why a browser cannot sign in where requests are signed", async () => {
    const message = "The request has no SigV4 signature";
    await page.route("**/v2/page/sign-in.json", (route) => route.fulfill({ json: { mode: "iam" } }));
    await page.route("**/v2/projects", (route) =>
      route.fulfill({ status: 403, json: { status: 403, code: "access.credentials", message } }),
    );
    await page.goto(stack.url);
    await page.getByRole("heading", { name: "This service takes signed requests only" }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.screenshot({ path: join(PICTURES, "sign-in with IAM.png") });
  });
});
