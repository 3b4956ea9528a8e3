/** The shell script that makes a guest of an image into a node: name, date, ports, files, daemons, commands. */
import { posix } from "node:path";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { portLines, runBatch } from "../image/wire.ts";

/**
 * @param configure the commands of the image.
 * @param nowUs the lab's clock: microseconds since 1970.
 * @param portsDown those without a carrier.
 */
export function makeStartScript(
  { name, hostname = name, ports, mac, addresses, files, commands }: LinuxSpec,
  configure: readonly string[],
  nowUs: number,
  portsDown: ReadonlySet<number>,
): string {
  const numbers = Array.from({ length: ports }, (_, port) => port);
  const moves = numbers.map((port) => portLines(port, macText(mac + port), !portsDown.has(port)));
  const settings = numbers.map((port) => [
    `link set eth${port} up`,
    ...(addresses[port] ?? []).map((address) => `address add ${address} dev eth${port}`),
  ]);
  return [
    `echo ${hostname} > /proc/sys/kernel/hostname`,
    `echo "127.0.1.1 ${hostname}" >> /etc/hosts`,
    `date -s @${Math.floor(nowUs / 1_000_000)} > /dev/null`,
    ...runBatch("wire", moves.flat()),
    ...runBatch("node", settings.flat()),
    ...Object.entries(files).map(([path, text]) => writeFile(path, text)),
    ...configure,
    ...commands,
    "",
  ].join("\n");
}

function writeFile(path: string, text: string): string {
  const absolute = posix.join("/", path);
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  return `mkdir -p ${quote(posix.dirname(absolute))}; printf %s ${quote(ended)} > ${quote(absolute)}`;
}

/** A word of a shell command. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const macText = (mac: number): string =>
  mac
    .toString(16)
    .padStart(12, "0")
    .replaceAll(/(..)(?!$)/g, "$1:");
