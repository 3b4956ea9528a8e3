/** Reads a PC: addresses, name servers and commands are lines of its start-up script. */
import { checkShape, shown } from "../file/check-shape.ts";
import { nodeSchemas } from "../file/schema.ts";
import { listOf, type ReadForm } from "./node-form.ts";

const ADDRESS = /^[0-9a-fA-F.:]+\/[0-9]+$/;

export const isPcAddress = (text: string): boolean =>
  ADDRESS.test(text) || text === "dhcp" || text === "auto";

export const readPc: ReadForm = (value, _context, path, problems) => {
  const given = checkShape(nodeSchemas.pc, value, path, problems);
  if (given === undefined) return undefined;
  const ips = listOf(given.ip);
  for (const [at, ip] of ips.entries()) {
    if (isPcAddress(ip)) continue;
    const where = typeof given.ip === "string" ? [...path, "ip"] : [...path, "ip", at];
    problems.add(
      where,
      `must be an address with prefix length (10.0.0.1/24), dhcp or auto, got ${shown(ip)}.`,
    );
  }
  const lines = [
    ...ips.map((ip) => (given.gateway && ip.includes(".") ? `ip ${ip} ${given.gateway}` : `ip ${ip}`)),
    ...listOf(given.dns).map((server) => `ip dns ${server}`),
    ...listOf(given.commands).flatMap((command) => command.split("\n")),
  ];
  return {
    properties: {
      ...(lines.length > 0 && { startup_script: lines.join("\n") }),
      ...(given.ignore_checksums && { ignore_checksums: true }),
    },
    isStarted: given.started ?? true,
    model: { addresses: ips.filter((ip) => ADDRESS.test(ip)).map((ip) => ip.split("/")[0]!) },
  };
};
