/** Packets of OSPF of each type, with LSAs of each type, for comparisons with tshark. */
import {
  DD_FLAG,
  encodeAcknowledgment,
  encodeDescription,
  encodeHello,
  encodeOspf,
  encodeRequest,
  encodeUpdate,
  OPTION,
  OSPF,
} from "../../../packages/engine/wire/ospf.ts";
import { signOspf } from "../../../packages/engine/wire/ospf-authentication.ts";
import {
  LINK,
  LSA,
  type Lsa,
  type LsaBody,
  makeLsa,
  ROUTER_FLAG,
} from "../../../packages/engine/wire/ospf-lsa.ts";

const SENDER = { routerId: 0x0101_0101, areaId: 0 };
const OTHER = 0x0202_0202;
const MASK = 0xffff_ff00;

export const HELLO = {
  mask: MASK,
  helloSeconds: 10,
  options: OPTION.external,
  priority: 1,
  deadSeconds: 40,
  designated: 0x0a00_0001,
  backup: 0x0a00_0002,
  neighbours: [OTHER, 0x0303_0303],
};

const external = { kind: "external", mask: MASK, isType2: true, metric: 20, forwarding: 0, tag: 7 } as const;

const BODIES: readonly (readonly [type: number, body: LsaBody])[] = [
  [
    LSA.router,
    {
      kind: "router",
      flags: ROUTER_FLAG.border | ROUTER_FLAG.boundary,
      links: [
        { type: LINK.pointToPoint, id: OTHER, data: 0x0a00_0001, metric: 10 },
        { type: LINK.transit, id: 0x0a00_0101, data: 0x0a00_0102, metric: 20 },
        { type: LINK.stub, id: 0x0a00_0000, data: MASK, metric: 10 },
        { type: LINK.virtual, id: OTHER, data: 0x0a00_0001, metric: 30 },
      ],
    },
  ],
  [LSA.network, { kind: "network", mask: MASK, routers: [SENDER.routerId, OTHER] }],
  [LSA.summaryNetwork, { kind: "summary", mask: MASK, metric: 40 }],
  [LSA.summaryRouter, { kind: "summary", mask: 0, metric: 50 }],
  [LSA.external, external],
  [LSA.nssa, { ...external, isType2: false, forwarding: 0x0a00_0001 }],
];

export const LSAS: readonly Lsa[] = BODIES.map(([type, body], index) =>
  makeLsa(
    {
      type,
      id: 0x0a00_0000 + 256 * index,
      advertiser: SENDER.routerId,
      options: OPTION.external,
      sequence: (0x8000_0001 | 0) + index,
    },
    body,
  ),
);
const aged = LSAS.map((lsa, index) => ({ lsa, age: index }));

const hello = encodeOspf(OSPF.hello, SENDER, encodeHello(HELLO));
const key = new TextEncoder().encode("secret");

export const OSPF_PACKETS: readonly Uint8Array[] = [
  hello,
  encodeOspf(
    OSPF.description,
    SENDER,
    encodeDescription({
      mtuBytes: 1500,
      options: OPTION.external | OPTION.opaque,
      flags: DD_FLAG.more | DD_FLAG.master,
      sequence: 4711,
      headers: aged,
    }),
  ),
  encodeOspf(OSPF.request, SENDER, encodeRequest(LSAS)),
  encodeOspf(OSPF.update, SENDER, encodeUpdate(aged)),
  encodeOspf(OSPF.acknowledgment, SENDER, encodeAcknowledgment(aged)),
  signOspf(hello, { type: "password", password: key }, 0),
  signOspf(hello, { type: "digest", keys: [{ id: 5, key, digest: "md5" }] }, 99),
];
