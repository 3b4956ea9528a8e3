/**
 * Vitest's global setup: a browser, and a service in memory. A file of tests that makes labs of its own uses both; one that looks at all labs,
 * or needs settings, starts a service of its own.
 */
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { startInMemory } from "../stack/in-memory.ts";
import { BROWSER } from "./browser.ts";

declare module "vitest" {
  export interface ProvidedContext {
    sharedService: { readonly url: string };
    sharedBrowser: string;
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!existsSync(BROWSER)) return undefined;
  const stack = await startInMemory();
  const browser = await chromium.launchServer({ executablePath: BROWSER, args: ["--no-sandbox"] });
  project.provide("sharedService", { url: stack.url });
  project.provide("sharedBrowser", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await stack.stop();
  };
}
