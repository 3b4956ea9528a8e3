/** Which ports of a VLAN have members of a group, and which lead to routers, until they have been silent for too long. */

/** More than the tables of small switches hold; the state of a switch must fit in one item of the store. */
const MAX_MEMBERS = 2_048;

/** @typeParam S a group in its saved form, by which the table knows it. */
export type SavedMembership<S> = [vlan: number, group: S, port: number, leftUs: number];
export type SavedRouter = [vlan: number, port: number, leftUs: number];

/** Ports by key, each until a time. */
class Table {
  readonly #entries = new Map<string, Map<number, number>>();
  #size = 0;

  set(key: string, port: number, untilUs: number): void {
    const ports = this.#entries.get(key) ?? new Map<number, number>();
    if (!ports.has(port)) {
      if (this.#size >= MAX_MEMBERS) return;
      this.#size += 1;
    }
    this.#entries.set(key, ports.set(port, untilUs));
  }

  remove(key: string, port: number): void {
    const ports = this.#entries.get(key);
    if (ports?.delete(port) !== true) return;
    this.#size -= 1;
    if (ports.size === 0) this.#entries.delete(key);
  }

  /** The ports of a key with their times, the lowest first. */
  of(key: string, nowUs: number): [port: number, untilUs: number][] {
    for (const [port, untilUs] of this.#entries.get(key) ?? []) if (untilUs <= nowUs) this.remove(key, port);
    return [...(this.#entries.get(key) ?? [])].toSorted(([a], [b]) => a - b);
  }

  freeze() {
    return { entries: this.#entries, size: this.#size };
  }

  thaw({ entries, size }: ReturnType<Table["freeze"]>): void {
    this.#entries.clear();
    for (const [key, ports] of entries) this.#entries.set(key, new Map(ports));
    this.#size = size;
  }

  keys(): string[] {
    return [...this.#entries.keys()];
  }
}

export class Members<S extends number | string> {
  readonly #groups = new Table();
  readonly #routers = new Table();
  readonly #readGroup: (text: string) => S;

  /** @param readGroup reads a group from its text in a key. */
  constructor(
    readGroup: (text: string) => S,
    members: readonly SavedMembership<S>[],
    routers: readonly SavedRouter[],
    nowUs: number,
  ) {
    this.#readGroup = readGroup;
    for (const [vlan, group, port, leftUs] of members) this.join(vlan, group, port, nowUs + leftUs);
    for (const [vlan, port, leftUs] of routers) this.addRouter(vlan, port, nowUs + leftUs);
  }

  join(vlan: number, group: S, port: number, untilUs: number): void {
    this.#groups.set(`${vlan} ${group}`, port, untilUs);
  }

  leave(vlan: number, group: S, port: number): void {
    this.#groups.remove(`${vlan} ${group}`, port);
  }

  addRouter(vlan: number, port: number, untilUs: number): void {
    this.#routers.set(String(vlan), port, untilUs);
  }

  /** Shortens the time of a group's members: they must report again. @param port of one member only; default all. */
  hurry(vlan: number, group: S, untilUs: number, nowUs: number, port?: number): void {
    for (const [each, until] of this.#groups.of(`${vlan} ${group}`, nowUs))
      if (until > untilUs && (port === undefined || port === each)) this.join(vlan, group, each, untilUs);
  }

  /** Forgets all that is behind a port. */
  flush(port: number): void {
    for (const table of [this.#groups, this.#routers])
      for (const key of table.keys()) table.remove(key, port);
  }

  membersOf(vlan: number, group: S, nowUs: number): number[] {
    return this.#groups.of(`${vlan} ${group}`, nowUs).map(([port]) => port);
  }

  routersOf(vlan: number, nowUs: number): number[] {
    return this.#routers.of(String(vlan), nowUs).map(([port]) => port);
  }

  freeze() {
    return { groups: this.#groups.freeze(), routers: this.#routers.freeze() };
  }

  thaw({ groups, routers }: ReturnType<Members<S>["freeze"]>): void {
    this.#groups.thaw(groups);
    this.#routers.thaw(routers);
  }

  saveMembers(nowUs: number): SavedMembership<S>[] {
    return this.#groups.keys().flatMap((key) => {
      const [vlan = "", group = ""] = key.split(" ");
      return this.#groups
        .of(key, nowUs)
        .map(
          ([port, untilUs]): SavedMembership<S> => [
            Number(vlan),
            this.#readGroup(group),
            port,
            untilUs - nowUs,
          ],
        );
    });
  }

  saveRouters(nowUs: number): SavedRouter[] {
    return this.#routers
      .keys()
      .flatMap((key) =>
        this.#routers
          .of(key, nowUs)
          .map(([port, untilUs]): SavedRouter => [Number(key), port, untilUs - nowUs]),
      );
  }
}
