/** `set WHAT VALUE`. */
import type { Host } from "../host.ts";
import { NAME_MAX_CHARACTERS } from "../state.ts";
import { helpPage } from "./help.ts";
import { toInteger, toNatural } from "./integer.ts";
import type { Invocation } from "./invocation.ts";
import { keywordOf } from "./keyword.ts";
import { setDump } from "./set-dump.ts";
import { setEcho } from "./set-echo.ts";
import { parseShortIpv4 } from "./short-ipv4.ts";

const SETTINGS = ["dump", "echo", "lport", "mtu", "pcname", "rport", "rhost"] as const;
const MTU_MIN_BYTES = 576;
const MTU_MAX_BYTES = 65_535;
const PORT_MIN = 1024;
const PORT_MAX = 65_000;
const INCOMPLETE = "Incomplete command.\n";

export function set({ host, words }: Invocation): string {
  const [, word, ...values] = words;
  if (word === undefined) return helpPage("set");
  switch (keywordOf(word, SETTINGS)) {
    case "dump":
      return setDump(host.state, values);
    case "echo":
      return setEcho(host.state, values);
    case "mtu":
      return setMtu(host, values);
    case "pcname":
      return setName(host, values);
    case "lport":
      return setPort(host, "localPort", values);
    case "rport":
      return setPort(host, "remotePort", values);
    case "rhost":
      return setRemoteHost(host, values);
    default:
      return "Invalid command.\n";
  }
}

function setName({ state }: Host, values: readonly string[]): string {
  const [name] = values;
  if (name === undefined || values.length > 1) return INCOMPLETE;
  if (name.length > NAME_MAX_CHARACTERS)
    return `Hostname is too long. (Maximum ${NAME_MAX_CHARACTERS} characters)\n`;
  state.name = name;
  return "";
}

function setMtu({ state }: Host, [text = "", ...more]: readonly string[]): string {
  const mtuBytes = toNatural(text);
  if (mtuBytes === undefined || mtuBytes > MTU_MAX_BYTES || more.length > 0) return helpPage("set");
  if (mtuBytes < MTU_MIN_BYTES) return `Invalid MTU, should bigger than ${MTU_MIN_BYTES}\n`;
  state.mtuBytes = mtuBytes;
  return "";
}

/** Sets a value that is only listed: links are created through the API. */
function setPort(
  { state }: Host,
  which: "localPort" | "remotePort",
  [text, ...more]: readonly string[],
): string {
  if (text === undefined || more.length > 0) return INCOMPLETE;
  const port = toInteger(text);
  if (port < PORT_MIN || port > PORT_MAX) return `Invalid port. ${PORT_MIN} > port < ${PORT_MAX}.\n`;
  state.settings[which] = port;
  return "";
}

function setRemoteHost({ state }: Host, [text, ...more]: readonly string[]): string {
  if (text === undefined || more.length > 0) return INCOMPLETE;
  const address = parseShortIpv4(text);
  if (address === null) return `Invalid address: ${text}\n`;
  state.settings.remoteHost = address;
  return "";
}
