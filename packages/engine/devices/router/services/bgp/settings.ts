/** The settings of BGP, in the words of FRR. */

import { formatShape, type Rules, readShape, schemaOfShape } from "../../../../settings/shape.ts";
import type { Ports } from "../base/port-kind.ts";
import type { ServiceSettings } from "../base/service-shape.ts";
import { checkHold } from "./neighbour-settings.ts";
import { bgpLines } from "./print.ts";
import { type BgpProperties, type BgpSpec, SHAPE } from "./shape.ts";

const rules: Rules<typeof SHAPE, Ports> = ({ as, holdSeconds, neighbors }, reader, path, ports) => {
  checkHold(holdSeconds, reader, [...path, "hold_seconds"]);
  for (const [address, own] of Object.entries(neighbors ?? {})) {
    const at = [...path, "neighbors", address];
    const isInternal = own.remoteAs === "internal" || own.remoteAs === (own.localAs?.as ?? as);
    if (ports?.some((port) => port.spec?.ipv4?.split("/")[0] === address))
      reader.add(at, `${address} is the router's own address`);
    if (own.isClient && !isInternal)
      reader.add([...at, "route_reflector_client"], `${address} is not an internal neighbor`);
    if (own.localAs !== undefined && own.localAs.as === as)
      reader.add([...at, "local_as"], "the AS is the own one: leave it out");
  }
};

export const BGP: ServiceSettings<"bgp", BgpSpec, BgpProperties> = {
  name: "bgp",
  read: (reader, value, path, ports) =>
    readShape<Ports, typeof SHAPE>(reader, value, path, SHAPE, ports, rules),
  format: (spec) => formatShape(SHAPE, spec),
  print: bgpLines,
  schema: () => schemaOfShape(SHAPE),
};

declare module "../base/config.ts" {
  interface ServicesConfig {
    readonly bgp?: BgpSpec;
  }
  interface ServicesProperties {
    bgp?: BgpProperties;
  }
}
