/** Signing in at an OpenID Connect issuer, in a browser, with the authorizer of a stack with auth=jwt. */
import { existsSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalStack, startLocalStack } from "../../infra/local/local-stack.ts";
import { BROWSER, violationsOf } from "../helpers/page/browser.ts";
import { type Issuer, startIssuer } from "../helpers/page/issuer.ts";

describe.skipIf(!existsSync(BROWSER))("signing in at an issuer (skipped without chromium)", () => {
  let issuer: Issuer;
  let stack: LocalStack;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    issuer = await startIssuer("wirelab-page");
    stack = await startLocalStack({
      inMemory: true,
      port: 0,
      quiet: true,
      auth: "jwt",
      context: { jwt_issuer: issuer.url, jwt_audience: "wirelab-page" },
    });
    browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
    page = await browser.newPage();
    page.setDefaultTimeout(15_000);
    page.on("console", (message) => {
      if (message.type() === "error") faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
  }, 300_000);

  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    issuer?.stop();
  });

  const start = () => page.getByRole("button", { name: /^Sign in at 127\.0\.0\.1/ });

  test("reports a refusal at the issuer", async () => {
    await page.goto(stack.url);
    await start().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await start().click();
    await page.getByRole("link", { name: "Refuse" }).click();
    await page.getByRole("alert").getByText("Signing in has failed").waitFor();
    expect(page.url()).not.toContain("error=");
  });

  test("refuses a response that this tab has not asked for", async () => {
    await page.goto(`${stack.url}/v2/page?code=stolen&state=other`);
    await page.getByRole("alert").getByText("this tab has not begun to sign in").waitFor();
    expect(page.url()).not.toContain("code=");
  });

  test("signs in by the keyboard, renews a token that expires, and works", async () => {
    await start().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "I am Alice" }).click();
    await page.getByText("There is no lab yet").waitFor();
    expect(page.url()).not.toContain("code=");
    await expect.poll(issuer.refreshed).toBe(1);
    await page.getByLabel("Name of the new lab").fill("Alice's lab");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("This lab is empty").waitFor();
    expect(issuer.refreshed()).toBe(1);
  });

  test("stays signed in when the page is loaded again, in the same lab", async () => {
    await page.reload();
    await page.getByText("This lab is empty").waitFor();
  });

  test("signs out here and at the issuer", async () => {
    await page.getByRole("link", { name: "All labs" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(issuer.ended).toBe(1);
    await start().waitFor();
    const kept = await page.evaluate("JSON.stringify({ ...sessionStorage })");
    expect(kept).toBe("{}");
  });

  test("returns to the lab whose address was opened", async () => {
    await page.getByRole("button", { name: /^Sign in/ }).click();
    await page.getByRole("link", { name: "I am Alice" }).click();
    await page.getByRole("link", { name: "Alice's lab" }).click();
    await page.getByText("This lab is empty").waitFor();
    const address = page.url();
    const other = await browser.newPage();
    await other.goto(address);
    await other.getByRole("button", { name: /^Sign in/ }).click();
    await other.getByRole("link", { name: "I am Alice" }).click();
    await other.getByText("This lab is empty").waitFor();
    expect(other.url()).toBe(address);
    await other.close();
  });

  test("causes no error on the browser's console but for 401", () => {
    expect(faults.filter((text) => !text.includes("401"))).toEqual([]);
  });
});
