/** FRR's `show ip ospf neighbor json`, `show ip ospf interface json` and their forms for OSPFv3, as of FRR 8.4. */
import { type Fields, fieldsOf } from "../file/fields.ts";
import { listOf, numberOf, parseJson, parseJsons, textOf } from "./json.ts";
import type { OspfNeighbour, OspfPort } from "./neighbours.ts";

const MS_PER_SECOND = 1_000;

/** The output of `vrf all` has a part for each VRF; other output is of one instance. */
function instancesIn(data: unknown, key: string): readonly Fields[] {
  const whole = fieldsOf(data);
  return (key in whole ? [whole] : Object.values(whole)).map((part) => fieldsOf(fieldsOf(part)[key]));
}

/** @returns undefined if the daemon has printed something else. */
export function parseFrrOspfNeighbours(text: string): readonly OspfNeighbour[] | undefined {
  const data = parseJson(text);
  if (data === undefined) return undefined;
  const all = instancesIn(data, "neighbors");
  return all.flatMap(Object.entries).flatMap(([routerId, list]) =>
    listOf(list).map((each) => {
      const { nbrState, ifaceName, ifaceAddress } = fieldsOf(each);
      // `Full/DR`; the role is `-` on a link between two routers.
      const [state = "", role = ""] = String(nbrState).split("/");
      return {
        // `eth1:10.0.0.1`
        port: String(ifaceName).split(":")[0] ?? "",
        routerId,
        address: textOf(ifaceAddress),
        state,
        role: roleOf(role),
      };
    }),
  );
}

const roleOf = (word: string): OspfNeighbour["role"] =>
  word === "DR" || word === "DROther" ? word : word === "Backup" || word === "BDR" ? "Backup" : undefined;

const NETWORKS: Readonly<Record<string, string>> = {
  BROADCAST: "broadcast",
  POINTOPOINT: "point-to-point",
  NBMA: "non-broadcast",
  POINTOMULTIPOINT: "point-to-multipoint",
  LOOPBACK: "loopback",
};

/** @returns undefined if the daemon has printed something else. */
export function parseFrrOspfPorts(text: string): readonly OspfPort[] | undefined {
  const data = parseJson(text);
  if (data === undefined) return undefined;
  return instancesIn(data, "interfaces")
    .flatMap(Object.entries)
    .flatMap(([port, value]) => {
      const fields = fieldsOf(value);
      const area = areaOf(fields.area);
      if (fields.ospfEnabled !== true || area === undefined) return [];
      const dead = numberOf(fields.timerDeadSecs);
      const address = textOf(fields.ipAddress);
      return [
        {
          port,
          area,
          network: NETWORKS[String(fields.networkType)] ?? String(fields.networkType),
          isPassive: fields.timerPassiveIface === true,
          helloMs: numberOf(fields.timerMsecs),
          deadMs: dead === undefined ? undefined : dead * MS_PER_SECOND,
          routerId: textOf(fields.routerId),
          address: address && `${address}/${numberOf(fields.ipAddressPrefixlen) ?? 32}`,
        },
      ];
    });
}

/** `0.0.0.1 [Stub]` is printed for an area that is no ordinary one. */
const areaOf = (value: unknown): string | undefined => textOf(value)?.split(" ")[0];

const STATES_6: Readonly<Record<string, string>> = { Twoway: "2-Way", ExChange: "Exchange" };

/** @returns undefined if the daemon has printed something else. */
export function parseFrrOspf6Neighbours(text: string): readonly OspfNeighbour[] | undefined {
  const all = parseJsons(text);
  if (all === undefined) return undefined;
  return all
    .flatMap((data) => listOf(fieldsOf(data).neighbors))
    .map((each) => {
      const { neighborId, state, ifState, interfaceName, interfaceState } = fieldsOf(each);
      return {
        port: String(interfaceName),
        routerId: String(neighborId),
        address: undefined,
        state: STATES_6[String(state)] ?? String(state),
        // A link between two routers has no roles, whatever is printed for the neighbour.
        role: interfaceState === "PointToPoint" ? undefined : roleOf(String(ifState)),
      };
    });
}

/** @returns undefined if the daemon has printed something else. */
export function parseFrrOspf6Ports(text: string): readonly OspfPort[] | undefined {
  const all = parseJsons(text);
  if (all === undefined) return undefined;
  return all
    .map(fieldsOf)
    .flatMap(Object.entries)
    .flatMap(([port, value]) => {
      const fields = fieldsOf(value);
      const area = areaOf(fields.areaId);
      if (fields.attachedToArea !== true || area === undefined) return [];
      const [hello, dead] = [
        numberOf(fields.timerIntervalsConfigHello),
        numberOf(fields.timerIntervalsConfigDead),
      ];
      return [
        {
          port,
          area,
          network: NETWORKS[String(fields.type)] ?? String(fields.type),
          isPassive: false,
          helloMs: hello === undefined ? undefined : hello * MS_PER_SECOND,
          deadMs: dead === undefined ? undefined : dead * MS_PER_SECOND,
          routerId: undefined,
          address: undefined,
        },
      ];
    });
}
