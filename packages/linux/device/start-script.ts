/** The shell script that makes a guest of an image into a node: name, date, ports, files, daemons, commands. */
import type { LinuxSpec } from "@wirelab/engine/devices/linux/spec";
import { vlanOf } from "./trunk.ts";

const END_OF_FILE = "WIRELAB_END_OF_FILE";

/** @param configure the commands of the image. @param nowUs the lab's clock: microseconds since 1970. */
export function makeStartScript(
  { name, ports, mac, addresses, files, commands }: LinuxSpec,
  configure: readonly string[],
  nowUs: number,
): string {
  const devices = Array.from({ length: ports }, (_, port) => [
    `ip link add link trunk name eth${port} type vlan id ${vlanOf(port)}`,
    `ip link set eth${port} address ${macText(mac + port)} up`,
    ...(addresses[port] ?? []).map((address) => `ip address add ${address} dev eth${port}`),
  ]);
  return [
    `echo ${name} > /proc/sys/kernel/hostname`,
    `echo "127.0.1.1 ${name}" >> /etc/hosts`,
    `date -s @${Math.floor(nowUs / 1_000_000)} > /dev/null`,
    ...devices.flat(),
    ...Object.entries(files).flatMap(([path, text]) => writeFile(path, text)),
    ...configure,
    ...commands,
    "",
  ].join("\n");
}

function writeFile(path: string, text: string): string[] {
  const absolute = quote(path.startsWith("/") ? path : `/${path}`);
  return [
    `mkdir -p "$(dirname ${absolute})"`,
    `cat > ${absolute} <<'${END_OF_FILE}'`,
    ...(text.endsWith("\n") ? text.slice(0, -1) : text).split("\n"),
    END_OF_FILE,
  ];
}

/** A word of a shell command. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const macText = (mac: number): string =>
  mac
    .toString(16)
    .padStart(12, "0")
    .replaceAll(/(..)(?!$)/g, "$1:");
