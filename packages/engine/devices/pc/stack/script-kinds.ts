/** The scripts that a PC runs besides its console, by the kinds under which they are saved. */
import { keepLease } from "../dhcp/renewal.ts";
import type { Host, Script } from "../host.ts";
import { sendWaiting6 } from "../ipv6/answer.ts";
import { solicitTwice } from "../ipv6/solicit.ts";
import type { Notes } from "../notes.ts";

export const SCRIPTS: Readonly<Record<string, (host: Host, notes: Notes) => Script>> = {
  lease: keepLease,
  solicit: solicitTwice,
  answers6: sendWaiting6,
};
