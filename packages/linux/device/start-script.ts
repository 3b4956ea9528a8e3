/** The shell script that makes a guest of an image into a node: name, date, ports, files, daemons, commands. */
import { posix } from "node:path";
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { portLines, runBatch } from "../image/wire.ts";
import { quote } from "./quote.ts";
import { stepLines } from "./steps.ts";

/**
 * @param configure the commands of the image.
 * @param nowUs the lab's clock: microseconds since 1970.
 * @param portsDown those without a carrier.
 */
export function makeStartScript(
  spec: LinuxSpec,
  configure: readonly string[],
  nowUs: number,
  portsDown: ReadonlySet<number>,
): string {
  const { name, hostname = name, ports, mac, addresses, files, commands } = spec;
  const nameOf = (port: number): string => spec.interfaces?.[port] ?? `eth${port}`;
  const numbers = Array.from({ length: ports }, (_, port) => port);
  const moves = numbers.map((port) =>
    portLines(port, nameOf(port), macText(mac + port), !portsDown.has(port)),
  );
  const settings = numbers.map((port) => [
    `link set ${nameOf(port)} up`,
    ...(addresses[port] ?? []).map((address) => `address add ${address} dev ${nameOf(port)}`),
  ]);
  return [
    `echo ${hostname} > /proc/sys/kernel/hostname`,
    `echo "127.0.1.1 ${hostname}" >> /etc/hosts`,
    `date -s @${Math.floor(nowUs / 1_000_000)} > /dev/null`,
    ...runBatch("wire", moves.flat()),
    ...runBatch("node", settings.flat()),
    ...Object.entries(files).map(([path, text]) => writeFile(path, text)),
    ...Object.entries(spec.binaries ?? {}).map(([path, data]) => writeBinary(path, data)),
    ...(spec.executables ?? []).map((path) => `chmod 755 ${quote(posix.join("/", path))}`),
    ...configure,
    ...commands,
    ...stepLines(spec),
    "",
  ].join("\n");
}

function writeFile(path: string, text: string): string {
  const absolute = posix.join("/", path);
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  return `mkdir -p ${quote(posix.dirname(absolute))}; printf %s ${quote(ended)} > ${quote(absolute)}`;
}

function writeBinary(path: string, data: string): string {
  const absolute = posix.join("/", path);
  return `mkdir -p ${quote(posix.dirname(absolute))}; printf %s ${quote(data)} | base64 -d > ${quote(absolute)}`;
}

const macText = (mac: number): string =>
  mac
    .toString(16)
    .padStart(12, "0")
    .replaceAll(/(..)(?!$)/g, "$1:");
