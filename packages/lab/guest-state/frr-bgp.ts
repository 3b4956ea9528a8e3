/** FRR's `show bgp neighbors json`, `show bfd peers json` and `show isis neighbor json`, as of FRR 8.4. */
import { type Fields, fieldsOf } from "../file/fields.ts";
import { listOf, numberOf, parseJson, textOf } from "./json.ts";
import type { BfdPeer, BgpNeighbour, IsisNeighbour } from "./neighbours.ts";

/** The output of `vrf all` has a part for each VRF, under its name. @returns undefined if the daemon has printed something else. */
export function parseFrrBgpNeighbours(text: string): readonly BgpNeighbour[] | undefined {
  const data = parseJson(text);
  if (data === undefined) return undefined;
  return Object.entries(fieldsOf(data)).flatMap(([name, value]) => {
    const own = fieldsOf(value);
    return textOf(own.vrfName) === undefined
      ? neighbourIn(name, own, undefined)
      : Object.entries(own).flatMap(([each, fields]) =>
          neighbourIn(each, fieldsOf(fields), vrfNamed(own.vrfName)),
        );
  });
}

const vrfNamed = (name: unknown): string | undefined => (name === "default" ? undefined : textOf(name));

function neighbourIn(name: string, fields: Fields, vrf: string | undefined): BgpNeighbour[] {
  const state = textOf(fields.bgpState);
  // The name and the number of the table stand beside the neighbours.
  if (state === undefined) return [];
  const reason = [textOf(fields.lastResetDueTo), textOf(fields.lastNotificationReason)];
  return [
    {
      name,
      address: isAddress(name) ? name : textOf(fields.bgpNeighborAddr),
      vrf,
      state,
      localAs: numberOf(fields.localAs),
      remoteAs: numberOf(fields.remoteAs),
      isShutDown: fields.adminShutDown === true,
      lastError: reason.filter((each) => each !== undefined).join(": ") || undefined,
      ...policiesIn(fields.addressFamilyInfo),
    },
  ];
}

/** The directions of unicast routes in which FRR discards them. */
function policiesIn(families: unknown): Pick<BgpNeighbour, "withoutPolicy"> {
  const all = ["ipv4Unicast", "ipv6Unicast"].map((name) => fieldsOf(fieldsOf(families)[name]));
  const withoutPolicy = [
    ...(all.some(({ inboundEbgpRequiresPolicy: text }) => text !== undefined) ? ["in"] : []),
    ...(all.some(({ outboundEbgpRequiresPolicy: text }) => text !== undefined) ? ["out"] : []),
  ];
  return withoutPolicy.length === 0 ? {} : { withoutPolicy };
}

const isAddress = (name: string): boolean => /^[0-9.]+$|:/.test(name);

/** @returns undefined if the daemon has printed something else. */
export function parseFrrBfdPeers(text: string): readonly BfdPeer[] | undefined {
  const data = parseJson(text);
  if (!Array.isArray(data)) return undefined;
  return listOf(data).flatMap((each) => {
    const { peer, interface: port, status, vrf } = fieldsOf(each);
    const address = textOf(peer);
    if (address === undefined) return [];
    return [
      { address, vrf: vrfNamed(vrf), port: textOf(port), isUp: status === "up", state: String(status) },
    ];
  });
}

/** @returns undefined if the daemon has printed something else. */
export function parseFrrIsisNeighbours(text: string): readonly IsisNeighbour[] | undefined {
  const data = parseJson(text);
  if (data === undefined) return undefined;
  return listOf(fieldsOf(data).areas).flatMap((area) =>
    listOf(fieldsOf(area).circuits).flatMap((circuit) => {
      const { adj, interface: port, level, state } = fieldsOf(circuit);
      const name = textOf(port);
      // A circuit without a neighbour has its number alone.
      if (name === undefined) return [];
      return [{ port: name, system: String(adj), level: numberOf(level), state: String(state) }];
    }),
  );
}
