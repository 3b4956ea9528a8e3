/** VPCS commands that act on the host machine. A simulated PC has no host machine. */
import { helpPage } from "./help.ts";
import type { Invocation } from "./invocation.ts";

export const refuseRelay = (): string => "There is no host network here to relay\n";

export const refuseLogin = ({ words }: Invocation): string =>
  words.length === 1 ? helpPage("rlogin") : "There is no host network here to log in to\n";

export const disconnect = (): string => "NOT daemon mode\n";

export const quit = (): string => "This PC does not end by itself: stop its node over the API\n";
