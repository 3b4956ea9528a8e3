/** `show bfd peers`: the sessions, with the words of FRR. */
import { formatTable } from "../../../../base/text-table.ts";
import { formatAnyAddress } from "../../../../net/address/prefix.ts";
import { BFD_DIAGNOSTICS, type BfdState } from "../../../../wire/bfd.ts";
import type { Parts } from "../base/parts.ts";
import { type Bfd, type BfdStatus, tooMany } from "./bfd.ts";

type Lines = readonly string[];

const MS_US = 1_000;
const SECOND_US = 1_000_000;

const STATES: Readonly<Record<BfdState, string>> = {
  "admin-down": "shutdown",
  down: "down",
  init: "init",
  up: "up",
};

const withBfd =
  (show: (peers: readonly BfdStatus[], parts: Parts, unwatched: number) => Lines) =>
  (parts: Parts): Lines => {
    const bfd = parts.services.find<Bfd>("bfd");
    return bfd === undefined ? ["BFD is not configured"] : show(bfd.list(), parts, bfd.unwatched);
  };

const diagnosticOf = (code: number): string =>
  code === 0 ? "ok" : (BFD_DIAGNOSTICS[code] ?? `reserved (${code})`);

export const showPeers = withBfd((peers, { core }, unwatched) => [
  "BFD Peers:",
  ...peers.flatMap((peer) => peerLines(peer, core)),
  ...(unwatched > 0 ? [tooMany(unwatched)] : []),
]);

function peerLines(
  { address, port, source, profile, isConfigured, minimumTtl, session }: BfdStatus,
  core: Parts["core"],
): Lines {
  const { state, mine, yours, sinceUs, config, diagnostic, remoteDiagnostic, ...own } = session.status;
  const { isPassive } = config;
  const since = `${Math.floor((core.world.nowUs - sinceUs) / SECOND_US)} second(s)`;
  const place = port === undefined ? " multihop" : "";
  const from = source === undefined ? "" : ` local-address ${formatAnyAddress(source)}`;
  const on = port === undefined ? "" : ` vrf default interface ${core.tables.ports[port]!.name}`;
  const isMissing = profile !== undefined && core.running.bfd?.profiles[profile] === undefined;
  const rows: readonly (readonly [depth: number, text: string])[] = [
    [1, `peer ${formatAnyAddress(address)}${place}${from}${on}`],
    [2, `ID: ${mine}`],
    [2, `Remote ID: ${yours}`],
    [2, isPassive ? "Passive mode" : "Active mode"],
    ...(profile === undefined
      ? []
      : [[2, `Profile: ${profile}${isMissing ? " (is not configured)" : ""}`] as const]),
    ...(port === undefined ? [[2, `Minimum TTL: ${minimumTtl}`] as const] : []),
    [2, `Status: ${STATES[state]}`],
    [2, state === "up" ? `Uptime: ${since}` : `Downtime: ${since}`],
    [2, `Diagnostics: ${diagnosticOf(diagnostic)}`],
    [2, `Remote diagnostics: ${diagnosticOf(remoteDiagnostic)}`],
    [2, `Peer Type: ${isConfigured ? "configured" : "dynamic"}`],
    [2, "Local timers:"],
    [3, `Detect-multiplier: ${config.multiplier}`],
    [3, `Receive interval: ${config.rxUs / MS_US}ms`],
    [3, `Transmission interval: ${config.txUs / MS_US}ms`],
    [2, "Remote timers:"],
    [3, `Detect-multiplier: ${own.remoteMultiplier}`],
    [3, `Receive interval: ${own.remoteRxUs / MS_US}ms`],
    [3, `Transmission interval: ${own.remoteTxUs / MS_US}ms`],
  ];
  return rows.map(([depth, text]) => `${"\t".repeat(depth)}${text}`);
}

export const showPeersBrief = withBfd((peers, { core }) => [
  `Session count: ${peers.length}`,
  ...formatTable(
    ["SessionId", "LocalAddress", "PeerAddress", "Status"],
    peers.map(({ address, port, source, session }) => {
      const { ipv4, ipv6 } = (port !== undefined && core.tables.ports[port]) || {};
      const local = source ?? (typeof address === "number" ? ipv4?.address : ipv6?.address);
      return [
        String(session.mine),
        local === undefined ? "unknown" : formatAnyAddress(local),
        formatAnyAddress(address),
        STATES[session.state],
      ];
    }),
  ),
]);

/** With the keys of FRR. */
export const showPeersJson = withBfd((peers, { core }) => [
  JSON.stringify(
    peers.map(({ address, port, source, isConfigured, session }) => {
      const { state, mine, yours, sinceUs, config, diagnostic, remoteDiagnostic, ...own } = session.status;
      const seconds = Math.floor((core.world.nowUs - sinceUs) / SECOND_US);
      return {
        multihop: port === undefined,
        peer: formatAnyAddress(address),
        ...(source !== undefined && { local: formatAnyAddress(source) }),
        vrf: "default",
        ...(port !== undefined && { interface: core.tables.ports[port]!.name }),
        id: mine,
        "remote-id": yours,
        "passive-mode": config.isPassive,
        status: STATES[state],
        ...(state === "up" ? { uptime: seconds } : { downtime: seconds }),
        diagnostic: diagnosticOf(diagnostic),
        "remote-diagnostic": diagnosticOf(remoteDiagnostic),
        type: isConfigured ? "configured" : "dynamic",
        "receive-interval": config.rxUs / MS_US,
        "transmit-interval": config.txUs / MS_US,
        "detect-multiplier": config.multiplier,
        "remote-receive-interval": own.remoteRxUs / MS_US,
        "remote-transmit-interval": own.remoteTxUs / MS_US,
        "remote-detect-multiplier": own.remoteMultiplier,
      };
    }),
    null,
    2,
  ),
]);
