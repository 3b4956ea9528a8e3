/** What shared.ts has started. */
import { type Browser, chromium } from "playwright-core";
import { inject } from "vitest";

/** Each new page has a profile of its own; `close` closes the pages of this file. */
export const joinBrowser = (): Promise<Browser> => chromium.connect(inject("sharedBrowser"));

export const sharedService = (): { readonly url: string } => inject("sharedService");
