/** Commands for the machine under the original program: there is none under a PC of a lab. */
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";

export const refuseRelay = (): string => "There is no host network here to relay\n";

export const refuseLogin = ({ words }: Invocation): string =>
  words.length === 1 ? helpPage("rlogin") : "There is no host network here to log in to\n";

export const disconnect = (): string => "NOT daemon mode\n";

export const quit = (): string => "This PC does not end by itself: stop its node over the API\n";
