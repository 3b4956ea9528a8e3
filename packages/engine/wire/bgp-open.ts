/**
 * The OPEN message (RFC 4271, section 4.2), its capabilities (RFC 5492) and its long form (RFC 9072).
 *
 *     version (1)   AS (2)   hold time (2)   identifier (4)   length of parameters (1)   parameters
 *     parameter:    type (1)   length (1; in the long form 2)   capabilities
 *     capability:   code (1)   length (1)   value
 */
import { concatBytes, readU16, readU32, writeU16, writeU32 } from "../base/bytes.ts";
import {
  BGP,
  BGP_VERSION,
  type BgpNotification,
  type BgpOpen,
  type Capability,
  ERROR,
  encodeMessage,
  type FamilyCode,
  OPEN_ERROR,
} from "./bgp.ts";

export const CAPABILITY = {
  multiprotocol: 1,
  routeRefresh: 2,
  extendedNextHop: 5,
  extendedMessage: 6,
  gracefulRestart: 64,
  as4: 65,
  addPath: 69,
  enhancedRouteRefresh: 70,
} as const;

/** Bytes before the parameters. */
export const OPEN_BYTES = 10;
export const PARAMETER_CAPABILITIES = 2;
/** As the length and as the first parameter, this marks the long form. */
const LONG = 255;

export type OpenResult =
  | { readonly open: BgpOpen }
  | { readonly error: BgpNotification; readonly text: string };

/** Bytes of parameters, the bytes of a parameter's header, and where the parameters begin. */
interface Parameters {
  readonly at: number;
  readonly length: number;
  readonly headBytes: number;
}

/** Where the parameters of a body of at least 10 bytes are. */
export function parametersOf(body: Uint8Array): Parameters {
  const isLong = body[9] === LONG && body[10] === LONG && body.length >= OPEN_BYTES + 3;
  return isLong
    ? { at: OPEN_BYTES + 3, length: readU16(body, 11), headBytes: 3 }
    : { at: OPEN_BYTES, length: body[9]!, headBytes: 2 };
}

/** Checks what the message states (section 6.2). The AS is a matter of the session. */
export function decodeOpen(body: Uint8Array): OpenResult {
  if (body.length < OPEN_BYTES) return fault(OPEN_ERROR.unspecific, "the OPEN message is too short");
  const version = body[0]!;
  if (version !== BGP_VERSION)
    return fault(OPEN_ERROR.version, `BGP version ${version}`, Uint8Array.of(0, BGP_VERSION));
  const holdSeconds = readU16(body, 3);
  const identifier = readU32(body, 5);
  if (holdSeconds === 1 || holdSeconds === 2) return fault(OPEN_ERROR.holdTime, `hold time ${holdSeconds} s`);
  if (identifier === 0) return fault(OPEN_ERROR.identifier, "BGP identifier 0.0.0.0");
  const capabilities = readParameters(body);
  return "error" in capabilities
    ? capabilities
    : { open: { version, system: readU16(body, 1), holdSeconds, identifier, ...capabilities } };
}

function readParameters(body: Uint8Array): { readonly capabilities: readonly Capability[] } | OpenFault {
  const { at: start, length, headBytes } = parametersOf(body);
  const capabilities: Capability[] = [];
  const end = start + length;
  if (end !== body.length) return fault(OPEN_ERROR.unspecific, "the parameters do not end with the message");
  for (let at = start; at < end; ) {
    if (at + headBytes > end) return fault(OPEN_ERROR.unspecific, "a parameter is cut");
    const next = at + headBytes + (headBytes === 3 ? readU16(body, at + 1) : body[at + 1]!);
    if (next > end) return fault(OPEN_ERROR.unspecific, "a parameter is longer than the message");
    if (body[at] !== PARAMETER_CAPABILITIES)
      return fault(OPEN_ERROR.parameter, `optional parameter ${body[at]}`);
    if (!readCapabilities(body.subarray(at + headBytes, next), capabilities))
      return fault(OPEN_ERROR.unspecific, "a capability is longer than its parameter");
    at = next;
  }
  return { capabilities };
}

type OpenFault = Extract<OpenResult, { error: unknown }>;

const fault = (subcode: number, text: string, data = new Uint8Array(0)): OpenFault => ({
  error: { code: ERROR.open, subcode, data },
  text,
});

/** Returns whether the last capability ends with the bytes. */
function readCapabilities(bytes: Uint8Array, into: Capability[]): boolean {
  let at = 0;
  while (at + 2 <= bytes.length) {
    const next = at + 2 + bytes[at + 1]!;
    if (next > bytes.length) return false;
    into.push(decodeCapability(bytes[at]!, bytes.slice(at + 2, next)));
    at = next;
  }
  return at === bytes.length;
}

const familyAt = (bytes: Uint8Array, at: number, safiAt: number): FamilyCode => ({
  afi: readU16(bytes, at),
  safi: bytes[at + safiAt]!,
});

const each = <T>(bytes: Uint8Array, start: number, size: number, read: (at: number) => T): T[] =>
  Array.from({ length: (bytes.length - start) / size }, (_, index) => read(start + index * size));

/** A capability whose value has an impossible length is kept as unknown, so the session does not have it. */
export function decodeCapability(code: number, value: Uint8Array): Capability {
  const { length } = value;
  switch (code) {
    case CAPABILITY.multiprotocol:
      if (length === 4) return { kind: "multiprotocol", ...familyAt(value, 0, 3) };
      break;
    case CAPABILITY.routeRefresh:
      if (length === 0) return { kind: "route-refresh" };
      break;
    case CAPABILITY.enhancedRouteRefresh:
      if (length === 0) return { kind: "enhanced-route-refresh" };
      break;
    case CAPABILITY.extendedMessage:
      if (length === 0) return { kind: "extended-message" };
      break;
    case CAPABILITY.as4:
      if (length === 4) return { kind: "as4", system: readU32(value, 0) };
      break;
    case CAPABILITY.extendedNextHop:
      if (length % 6 === 0)
        return {
          kind: "extended-next-hop",
          families: each(value, 0, 6, (at) => ({
            ...familyAt(value, at, 3),
            nextHopAfi: readU16(value, at + 4),
          })),
        };
      break;
    case CAPABILITY.gracefulRestart:
      if (length >= 2 && length % 4 === 2)
        return {
          kind: "graceful-restart",
          flags: value[0]! >> 4,
          seconds: readU16(value, 0) & 0xfff,
          families: each(value, 2, 4, (at) => ({ ...familyAt(value, at, 2), flags: value[at + 3]! })),
        };
      break;
    case CAPABILITY.addPath:
      if (length % 4 === 0)
        return {
          kind: "add-path",
          families: each(value, 0, 4, (at) => ({ ...familyAt(value, at, 2), mode: value[at + 3]! })),
        };
      break;
  }
  return { kind: "unknown", code, value };
}

/** Each capability is a parameter of its own, as old speakers expect. More than 255 bytes take the long form. */
export function encodeOpen({ version, system, holdSeconds, identifier, capabilities }: BgpOpen): Uint8Array {
  const all = capabilities.map(encodeCapability);
  const shortBytes = all.reduce((sum, { length }) => sum + 2 + length, 0);
  const isLong = shortBytes > LONG;
  const head = new Uint8Array(isLong ? OPEN_BYTES + 3 : OPEN_BYTES);
  head[0] = version;
  writeU16(head, 1, system);
  writeU16(head, 3, holdSeconds);
  writeU32(head, 5, identifier);
  head[9] = isLong ? LONG : shortBytes;
  if (isLong) {
    head[10] = LONG;
    writeU16(head, 11, shortBytes + all.length);
  }
  const parameters = all.flatMap((capability) => [
    isLong
      ? Uint8Array.of(PARAMETER_CAPABILITIES, capability.length >> 8, capability.length)
      : Uint8Array.of(PARAMETER_CAPABILITIES, capability.length),
    capability,
  ]);
  return encodeMessage(BGP.open, head, ...parameters);
}

function encodeCapability(capability: Capability): Uint8Array {
  const [code, value] = capabilityValue(capability);
  return concatBytes(Uint8Array.of(code, value.length), value);
}

const family2 = ({ afi, safi }: FamilyCode, last: number): number[] => [afi >> 8, afi & 255, safi, last];

function capabilityValue(capability: Capability): [code: number, value: Uint8Array] {
  switch (capability.kind) {
    case "multiprotocol":
      return [
        CAPABILITY.multiprotocol,
        Uint8Array.of(capability.afi >> 8, capability.afi, 0, capability.safi),
      ];
    case "route-refresh":
      return [CAPABILITY.routeRefresh, new Uint8Array(0)];
    case "enhanced-route-refresh":
      return [CAPABILITY.enhancedRouteRefresh, new Uint8Array(0)];
    case "extended-message":
      return [CAPABILITY.extendedMessage, new Uint8Array(0)];
    case "as4": {
      const value = new Uint8Array(4);
      writeU32(value, 0, capability.system);
      return [CAPABILITY.as4, value];
    }
    case "extended-next-hop":
      return [
        CAPABILITY.extendedNextHop,
        Uint8Array.from(
          capability.families.flatMap(({ afi, safi, nextHopAfi }) => [
            afi >> 8,
            afi & 255,
            0,
            safi,
            nextHopAfi >> 8,
            nextHopAfi & 255,
          ]),
        ),
      ];
    case "graceful-restart":
      return [
        CAPABILITY.gracefulRestart,
        Uint8Array.of(
          (capability.flags << 4) | (capability.seconds >> 8),
          capability.seconds & 255,
          ...capability.families.flatMap((family) => family2(family, family.flags)),
        ),
      ];
    case "add-path":
      return [
        CAPABILITY.addPath,
        Uint8Array.from(capability.families.flatMap((family) => family2(family, family.mode))),
      ];
    case "unknown":
      return [capability.code, capability.value];
  }
}
