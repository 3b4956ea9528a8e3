/**
 * Syslog (RFC 5424, over UDP as in RFC 5426): a datagram to each server for each event.
 *
 *     <189>1 2026-01-01T00:00:00.000125Z R1 router - LINK_DOWN - Ethernet0 is down
 *
 * Events are ports that go up and down, leases, and packets that a rule of an access list logs.
 */

import type { LogEvent } from "../../../../net/plane/event.ts";
import { parseIpv4 } from "../../../../wire/ipv4-address.ts";
import { SYSLOG_PORT } from "../../../../wire/syslog.ts";
import { sendUdp } from "../base/send-udp.ts";
import type { Service, ServiceWorld } from "../base/service.ts";
import type { SyslogSpec } from "./settings.ts";
import { formatTimestamp } from "./timestamp.ts";

const NOTICE = 5;
/** What RFC 5424 allows in the name of a host: printable characters without spaces, 255 at most. */
const NOT_IN_A_NAME = /[^!-~]/g;

export class Syslog implements Service {
  readonly #world: ServiceWorld;
  #portsUp: ReadonlySet<string>;
  #isSending = false;

  constructor(world: ServiceWorld) {
    this.#world = world;
    this.#portsUp = this.#upNow();
    world.core.onEvent = (event) => this.#send(event);
  }

  start(): void {}

  resume(): void {}

  changed(): void {
    const [before, now] = [this.#portsUp, this.#upNow()];
    this.#portsUp = now;
    for (const name of before)
      if (!now.has(name)) this.#send({ severity: NOTICE, id: "LINK_DOWN", text: `${name} is down` });
    for (const name of now)
      if (!before.has(name)) this.#send({ severity: NOTICE, id: "LINK_UP", text: `${name} is up` });
  }

  stop(): void {
    this.#world.core.onEvent = undefined;
  }

  /** Events are not kept. */
  save(): undefined {
    return undefined;
  }

  get #spec(): SyslogSpec {
    return this.#world.core.running.syslog!;
  }

  #upNow(): Set<string> {
    return new Set(this.#world.core.tables.ports.filter(({ isUp }) => isUp).map(({ name }) => name));
  }

  /** An access list that logs the datagrams of syslog themselves would report without end. */
  #send({ severity, id, text }: LogEvent): void {
    const { servers, facility, severity: most } = this.#spec;
    if (severity > most || this.#isSending) return;
    this.#isSending = true;
    const { core } = this.#world;
    const host = core.name.replaceAll(NOT_IN_A_NAME, "").slice(0, 255) || "-";
    const head = `<${facility * 8 + severity}>1 ${formatTimestamp(core.world.nowUs)} ${host} router - ${id} - `;
    const data = new TextEncoder().encode(head + text);
    for (const server of servers)
      sendUdp(this.#world, parseIpv4(server)!, { sourcePort: SYSLOG_PORT, targetPort: SYSLOG_PORT, data });
    this.#isSending = false;
  }
}
