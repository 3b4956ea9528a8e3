/** Reads settings of the kernel as far as simulated devices have them. */
import type { LinuxDraft } from "./linux-config.ts";
import type { Perform } from "./linux-ip.ts";

const FORWARDING = new Set([
  "net.ipv4.ip_forward",
  "net.ipv4.conf.all.forwarding",
  "net.ipv6.conf.all.forwarding",
  "net.ipv6.conf.default.forwarding",
  "net.ipv4.conf.default.forwarding",
]);
/** What simulated devices are like: they filter no reverse paths, and have IPv6. */
const AS_SIMULATED: readonly RegExp[] = [
  /^net\.ipv4\.conf\.[\w-]+\.rp_filter=0$/,
  /^net\.ipv6\.conf\.[\w-]+\.disable_ipv6=0$/,
  /^net\.ipv4\.icmp_echo_ignore_all=0$/,
];

/** Does a setting, or returns why a simulated device cannot. */
function setSysctl(given: string, value: string, draft: LinuxDraft): string | undefined {
  const key = given.replaceAll("/", ".");
  if (FORWARDING.has(key) && /^[01]$/.test(value)) {
    draft.isForwarding &&= value === "1";
    return undefined;
  }
  if (AS_SIMULATED.some((pattern) => pattern.test(`${key}=${value}`))) return undefined;
  return `a simulated device does not have the setting ${key}=${value}`;
}

/** `sysctl -w key=value`, `sysctl key = value` */
export const sysctlCommand: Perform = (args, draft) => {
  const settings = args.filter((word) => !/^-[wqe]+$/.test(word));
  if (settings.some((word) => word.startsWith("-"))) return "a simulated device has no files of settings";
  const text = settings.join(" ").replaceAll(/\s*=\s*/g, "=");
  for (const setting of text.split(" ")) {
    const [key = "", value] = setting.split("=");
    const problem = value === undefined ? undefined : setSysctl(key, value, draft);
    if (problem !== undefined) return problem;
  }
  return undefined;
};
