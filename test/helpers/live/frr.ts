/** FRR's daemons in the namespace of a live lab. */
import { hasPrograms, type LiveLab } from "./live-lab.ts";

const FOLDER = "/usr/lib/frr";

/** Whether zebra, these daemons, vtysh and the programs for captures are installed. */
export const hasFrr = (...daemons: readonly string[]): boolean =>
  hasPrograms(...["zebra", ...daemons].map((each) => `${FOLDER}/${each}`), "vtysh", "tcpdump", "tshark");

export class Frr {
  readonly #lab: LiveLab;

  constructor(lab: LiveLab) {
    this.#lab = lab;
  }

  /** Starts zebra, and each daemon with its configuration. */
  start(daemons: Readonly<Record<string, string>>): void {
    const { folder } = this.#lab;
    for (const [daemon, text] of Object.entries({ zebra: "", ...daemons })) {
      const file = this.#lab.write(`${daemon}.conf`, text);
      const places = ["-i", `${file}.pid`, "-z", `${folder}/zserv`, "--vty_socket", folder];
      this.#lab.begin(`${FOLDER}/${daemon}`, "-f", file, ...places);
    }
  }

  kill(daemon: string): void {
    this.#lab.run("sh", "-c", `kill -9 $(cat ${this.#lab.folder}/${daemon}.conf.pid)`);
  }

  /** @returns what the commands print; nothing while the daemons are not up yet. */
  vtysh(...commands: string[]): string {
    try {
      const asked = commands.flatMap((each) => ["-c", each]);
      return this.#lab.run("vtysh", "--vty_socket", this.#lab.folder, ...asked);
    } catch {
      return "";
    }
  }
}
