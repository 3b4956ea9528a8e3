/** The services of a host over its network layer: connections and their applications, datagrams, and the orders to send. */

import { readU16, readU32 } from "../../base/bytes.ts";
import type { Timer, World } from "../../base/world.ts";
import { IPV4_HEADER_BYTES, PROTOCOL_TCP, PROTOCOL_UDP } from "../../wire/ipv4.ts";
import { IPV6_HEADER_BYTES } from "../../wire/ipv6.ts";
import { readIpv6 } from "../../wire/ipv6-address.ts";
import { encodeTcp, encodeTcp4, TCP_HEADER_BYTES, type Tcp } from "../../wire/tcp.ts";
import { ECHO_PORT, encodeUdp, encodeUdp4, type Udp } from "../../wire/udp.ts";
import { formatAnyAddress, parseAnyAddress } from "../address/prefix.ts";
import { livePathMtus, lowerPathMtu, pathMtuOf, type WithPathMtus } from "../packet/path-mtus.ts";
import type { HostEnds, HostServices } from "../plane/host-services.ts";
import type { Plane } from "../plane/make-plane.ts";
import type { NeighbourTable } from "../plane/neighbours.ts";
import { CODEPOINT_MASK } from "../tcp/ecn.ts";
import type { TcpEvent } from "../tcp/tcb.ts";
import { type Address, type Ends, type Live, saveConnection, TcpHost } from "../tcp/tcp-host.ts";
import { type App, type AppOf, discardsData, handle } from "./applications.ts";
import type { HostSpec } from "./config.ts";
import { answerDatagram } from "./datagrams.ts";
import type { HttpConfig, SendOrder } from "./settings.ts";
import { type HostState, MAX_TRANSFERS, type Transfer, type WaitingOrder } from "./state.ts";
import { transferOf } from "./transfers.ts";

/** As Linux (`min_pmtu`): smaller reports are forged, or by a router that does not know the size. RFC 8200, section 5. */
const MIN_PATH_MTU4 = 552;
const MIN_PATH_MTU6 = 1_280;

/** More than a sender with a time can send. */
const ENDLESS_BYTES = 2 ** 50;

export type Watcher = (event: TcpEvent) => void;

export class Host implements HostServices {
  readonly spec: HostSpec;
  readonly world: World;
  readonly tcp: TcpHost<App>;
  readonly #plane: () => Plane;
  readonly #watchers = new Map<App, Watcher>();
  readonly #paths: WithPathMtus;
  #transfers: Transfer[];
  readonly #waiting: WaitingOrder[];
  /** The timers of the orders, and of the applications that send until a time. */
  readonly #orders = new Map<WaitingOrder, Timer>();
  readonly #ends = new Map<App, Timer>();

  /** @param plane the network layer, which is made with this object. */
  constructor(spec: HostSpec, world: World, plane: () => Plane, state: HostState | undefined) {
    this.spec = spec;
    this.world = world;
    this.#plane = plane;
    this.#paths = { pathMtus: state?.pathMtus && [...state.pathMtus] };
    this.#transfers = [...(state?.transfers ?? [])];
    this.#waiting = [...(state?.waiting ?? [])];
    const events = {
      transmit: (ends: Ends, tcp: Tcp, codepoint?: number) => this.#transmit(ends, tcp, codepoint),
      accept: (port: number) => this.#accept(port),
      report: (live: Live<App>, event: TcpEvent) => this.#report(live, event),
      mssBytes: (remote: Address) => this.#mssBytes(remote),
    };
    this.tcp = new TcpHost(world, spec.tcp, events, state?.nextPort);
  }

  /** The transfers that are over, the oldest first. */
  get transfers(): readonly Transfer[] {
    return this.#transfers;
  }

  get plane(): Plane {
    return this.#plane();
  }

  /** Notes the orders of the properties at power-on. */
  start(): void {
    for (const [index, { afterSeconds }] of this.spec.sends.entries())
      this.#waiting.push({ index, atUs: this.world.nowUs + afterSeconds * 1e6 });
    this.resume([]);
  }

  resume(connections: HostState["connections"]): void {
    this.tcp.restore(connections);
    for (const live of this.tcp.lives) if (live.app.kind === "source") this.#endInTime(live, live.app);
    for (const waiting of this.#waiting)
      this.#orders.set(
        waiting,
        this.world.after(Math.max(0, waiting.atUs - this.world.nowUs), () => this.#begin(waiting)),
      );
  }

  freeze() {
    return {
      connections: this.tcp.freeze(),
      orders: this.#orders,
      ends: this.#ends,
      paths: this.#paths,
      waiting: this.#waiting,
    };
  }

  thaw({ connections, orders, ends, paths, waiting }: ReturnType<Host["freeze"]>): void {
    this.tcp.thaw(connections);
    this.#paths.pathMtus = paths.pathMtus;
    this.#waiting.splice(0, this.#waiting.length, ...waiting);
    for (const [order, timer] of orders) {
      this.#orders.set(order, timer);
      timer.resume?.(() => this.#begin(order));
    }
    for (const [app, timer] of ends) {
      this.#ends.set(app, timer);
      timer.resume?.(() => this.#endSource(app));
    }
  }

  /** The connection of an application; undefined if it is over. */
  liveOf(app: App): Live<App> | undefined {
    return [...this.tcp.lives].find((live) => live.app === app);
  }

  save(): Omit<HostState, "network"> {
    return {
      connections: this.tcp.save(),
      nextPort: this.tcp.nextPort,
      transfers: this.#transfers,
      waiting: [...this.#waiting],
      ...this.#savedPaths(),
    };
  }

  #savedPaths(): Pick<HostState, "pathMtus"> {
    const pathMtus = livePathMtus(this.#paths, this.world.nowUs);
    return pathMtus.length === 0 ? {} : { pathMtus };
  }

  takeTcp({ source, target }: HostEnds, tcp: Tcp, trafficClass: number): void {
    this.tcp.receive(target, source, tcp, trafficClass & CODEPOINT_MASK);
  }

  takeUdp({ source, target }: HostEnds, udp: Udp): boolean {
    const data = answerDatagram(this.spec, udp, this.world.nowUs);
    if (data === undefined) return false;
    const answer = data && { sourcePort: udp.targetPort, targetPort: udp.sourcePort, data };
    if (answer && typeof source === "number" && typeof target === "number")
      this.plane.ipv4.originate(
        { source: target, target: source, protocol: PROTOCOL_UDP },
        encodeUdp4(target, source, answer),
      );
    else if (answer && typeof source === "bigint" && typeof target === "bigint")
      this.plane.ipv6.originate(
        { source: target, target: source, nextHeader: PROTOCOL_UDP },
        encodeUdp(answer, 0),
        this.plane.core.tables.ports[0],
      );
    return true;
  }

  takeTooBig(packet: Uint8Array, mtuBytes: number): void {
    const quoted = readQuoted(packet);
    // Errors about connections that there are not, or about packets of others, are forged or come too late.
    if (quoted === undefined || !this.#isOwn(quoted.local)) return;
    if (quoted.ends !== undefined && !this.tcp.has(quoted.ends)) return;
    const { remote } = quoted;
    const isV4 = typeof remote === "number";
    const bytes = Math.max(isV4 ? MIN_PATH_MTU4 : MIN_PATH_MTU6, mtuBytes);
    if (bytes >= Math.min(this.spec.mtuBytes, this.pathMtuTo(remote) ?? Number.POSITIVE_INFINITY)) return;
    lowerPathMtu(this.#paths, remote, bytes, this.world.nowUs);
    this.tcp.shrinkSegments(
      remote,
      bytes - (isV4 ? IPV4_HEADER_BYTES : IPV6_HEADER_BYTES) - TCP_HEADER_BYTES,
    );
  }

  #isOwn(address: Address): boolean {
    const { own4, own6 } = this.plane.core.tables;
    return typeof address === "number" ? own4.has(address) : own6.has(address);
  }

  pathMtuTo(target: Address): number | undefined {
    return pathMtuOf(this.#paths, target, this.world.nowUs);
  }

  /** Opens a connection. @returns it, or why it cannot be opened. */
  connect(to: string, port: number, app: App, congestion?: SendOrder["congestion"]): Live<App> | string {
    const remote = parseAnyAddress(to);
    if (remote === null) return `${to} is not an address`;
    const local = this.#sourceFor(remote);
    if (local === undefined) return `no route to ${to}`;
    const live = this.tcp.connect(local, remote, port, app, congestion);
    if (typeof live !== "string") live.connection.tcb.discards = discardsData(app);
    return live;
  }

  /** Sends bulk data. @returns the connection, or why there is none. */
  send({ to, port, bytes, seconds, congestion }: Omit<SendOrder, "afterSeconds">): Live<App> | string {
    const { nowUs } = this.world;
    const untilUs = seconds === undefined ? undefined : nowUs + seconds * 1e6;
    const app: AppOf<"source"> = {
      kind: "source",
      startUs: nowUs,
      lastUs: nowUs,
      ...(untilUs !== undefined && { untilUs }),
    };
    const live = this.connect(to, port, app, congestion);
    if (typeof live === "string") return live;
    live.connection.send({ fill: bytes ?? ENDLESS_BYTES });
    if (untilUs === undefined) live.connection.close();
    else this.#endInTime(live, app);
    return live;
  }

  /** Calls `watch` with what happens to a connection, until it is over. */
  watch({ app }: Live<App>, watch: Watcher): void {
    this.#watchers.set(app, watch);
  }

  unwatch({ app }: Live<App>): void {
    this.#watchers.delete(app);
  }

  #begin(waiting: WaitingOrder): void {
    this.#orders.delete(waiting);
    const at = this.#waiting.indexOf(waiting);
    if (at >= 0) this.#waiting.splice(at, 1);
    const order = this.spec.sends[waiting.index];
    if (order === undefined) return;
    const live = this.send(order);
    if (typeof live === "string") this.#fail(order, live);
  }

  #fail({ to, port }: SendOrder, failure: string): void {
    const { nowUs } = this.world;
    this.#note({
      direction: "sent",
      peer: to,
      port,
      bytes: 0,
      startUs: nowUs,
      endUs: nowUs,
      retransmissions: 0,
      timeouts: 0,
      failure,
    });
  }

  #endInTime({ connection }: Live<App>, app: AppOf<"source">): void {
    const { untilUs } = app;
    if (untilUs === undefined || connection.tcb.isClosing) return;
    const end = (): void => this.#endSource(app, connection);
    this.#ends.set(app, this.world.after(Math.max(0, untilUs - this.world.nowUs), end));
  }

  #endSource(app: App, connection = this.liveOf(app)?.connection): void {
    this.#ends.delete(app);
    connection?.cutUnsent();
    connection?.close();
  }

  #httpAt(address: Address): HttpConfig | undefined {
    const { http, sites } = this.spec;
    const files = sites?.[formatAnyAddress(address)];
    return http && files ? { ...http, files } : http;
  }

  #accept(port: number): App | undefined {
    const { echo, sinkPort, http } = this.spec;
    const { nowUs } = this.world;
    if (echo && port === ECHO_PORT) return { kind: "echo" };
    if (port === sinkPort) return { kind: "sink", bytes: 0, startUs: nowUs, lastUs: nowUs };
    return port === http?.port ? { kind: "http", request: "" } : undefined;
  }

  #report(live: Live<App>, event: TcpEvent): void {
    const { app, connection } = live;
    if (event.kind === "acknowledged") this.#confirm(live.ends.remote);
    if (event.kind === "connected") connection.tcb.discards = discardsData(app);
    handle(app, connection, event, { nowUs: this.world.nowUs, http: this.#httpAt(live.ends.local) });
    if (event.kind === "closed") {
      const transfer = transferOf(saveConnection(live), event.reason);
      if (transfer) this.#note(transfer);
    }
    this.#watchers.get(app)?.(event);
    if (event.kind === "closed") this.#watchers.delete(app);
  }

  /**
   * The next hop has brought data to their target, so its entry stays (RFC 1122, section 2.3.2.1; RFC 4861, section 7.3.1). Otherwise a
   * long transfer would lose most of a window each time the entry expires.
   */
  #confirm(remote: Address): void {
    const { arp, neighbours, core } = this.plane;
    const { routes4, routes6 } = core.tables;
    if (typeof remote === "number") renew(arp, routes4.find(remote)?.via ?? remote);
    else renew(neighbours, routes6.find(remote)?.via ?? remote);
  }

  #note(transfer: Transfer): void {
    this.#transfers = [...this.#transfers, transfer].slice(-MAX_TRANSFERS);
  }

  #sourceFor(remote: Address): Address | undefined {
    const { ipv4, ipv6, core } = this.plane;
    return typeof remote === "number" ? ipv4.sourceFor(remote) : ipv6.sourceFor(remote, core.tables.ports[0]);
  }

  #mssBytes(remote: Address): number {
    const headerBytes = typeof remote === "number" ? IPV4_HEADER_BYTES : IPV6_HEADER_BYTES;
    const mtuBytes = Math.min(this.spec.mtuBytes, this.pathMtuTo(remote) ?? this.spec.mtuBytes);
    return mtuBytes - headerBytes - TCP_HEADER_BYTES;
  }

  #transmit({ local, remote }: Ends, tcp: Tcp, codepoint = 0): void {
    const { ipv4, ipv6, core } = this.plane;
    if (typeof local === "number" && typeof remote === "number")
      ipv4.originate(
        {
          source: local,
          target: remote,
          protocol: PROTOCOL_TCP,
          dontFragment: true,
          typeOfService: codepoint,
        },
        encodeTcp4(local, remote, tcp),
      );
    else if (typeof local === "bigint" && typeof remote === "bigint")
      ipv6.originate(
        { source: local, target: remote, nextHeader: PROTOCOL_TCP, trafficClass: codepoint },
        encodeTcp(tcp, 0),
        core.tables.ports[0],
      );
  }
}

function renew<A extends Address>(table: NeighbourTable<A>, nextHop: A): void {
  const mac = table.find(0, nextHop);
  if (mac !== undefined) table.learn(0, nextHop, mac);
}

interface Quoted {
  readonly local: Address;
  readonly remote: Address;
  /** The connection of a segment. */
  readonly ends?: Ends;
}

/** @returns undefined for a packet that is cut off before its ports. */
function readQuoted(packet: Uint8Array): Quoted | undefined {
  const isIpv6 = (packet[0] as number) >> 4 === 6;
  const at = isIpv6 ? IPV6_HEADER_BYTES : ((packet[0] as number) & 15) * 4;
  if (packet.length < Math.max(at, IPV4_HEADER_BYTES) + 4) return undefined;
  const [local, remote] = isIpv6
    ? [readIpv6(packet, 8), readIpv6(packet, 24)]
    : [readU32(packet, 12), readU32(packet, 16)];
  if (packet[isIpv6 ? 6 : 9] !== PROTOCOL_TCP) return { local, remote };
  const ends = { local, remote, localPort: readU16(packet, at), remotePort: readU16(packet, at + 2) };
  return { local, remote, ends };
}
