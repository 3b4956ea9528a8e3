/** What FRR's configuration says about the neighbours of BGP. */
import type { Block } from "./frr-blocks.ts";
import type { BgpRule, ConfigLine, Unread } from "./router-config.ts";

interface Draft {
  at: ConfigLine | undefined;
  remoteAs: BgpRule["remoteAs"] | undefined;
  localAs: number | undefined;
  group: string | undefined;
  password: string | undefined;
  source: string | undefined;
  isByPort: boolean;
  isGroup: boolean;
  isShut: boolean;
  isPassive: boolean;
  hasBfd: boolean;
  isUnread: boolean;
}

const newDraft = (): Draft => ({
  at: undefined,
  remoteAs: undefined,
  localAs: undefined,
  group: undefined,
  password: undefined,
  source: undefined,
  isByPort: false,
  isGroup: false,
  isShut: false,
  isPassive: false,
  hasBfd: false,
  isUnread: false,
});

/** What a neighbour has beside what decides whether there is a session. */
const HARMLESS =
  /^(activate|description|ebgp-multihop|disable-connected-check|ttl-security|timers|advertisement-interval|next-hop-self|send-community|soft-reconfiguration|route-map|prefix-list|distribute-list|filter-list|unsuppress-map|default-originate|maximum-prefix|maximum-prefix-out|weight|allowas-in|as-override|remove-private-AS|replace-as|attribute-unchanged|route-reflector-client|route-server-client|capability|dont-capability-negotiate|override-capability|strict-capability-match|addpath-\S+|graceful-restart\S*|graceful-shutdown|enforce-first-as|solo|sender-as-path-loop-detection|send-label|nexthop-local|accept-own|soo|orf|interface-name|aigp|extended-optional-parameters|rpki)\b/;
/** Lines of `router bgp` beside the lines of neighbours. */
const HARMLESS_IN_PROCESS =
  /^(no )?(bgp |address-family |exit-address-family$|network |redistribute |aggregate-address |timers |maximum-paths |distance |table-map |advertise|vni |exit-vni$|rd |rt |route-target |label |import |export |coalesce-time |read-quanta |write-quanta |update-delay |segment-routing|default-information|dup-addr-detection|autort|flooding|use-es-l3nhg)/;

export function readFrrBgp(blocks: readonly Block[]): {
  readonly rules: readonly BgpRule[];
  readonly unread: readonly Unread[];
} {
  const unread: Unread[] = [];
  const rules = blocks
    .filter(({ head }) => /^router bgp\b/.test(head))
    .flatMap((block) => readProcess(block, unread));
  return { rules, unread };
}

function readProcess({ head, at, lines }: Block, unread: Unread[]): BgpRule[] {
  const [, as, vrf] = /^router bgp ([0-9]+)(?: vrf (\S+))?$/.exec(head) ?? [];
  if (as === undefined) {
    unread.push({ at, why: "an instance of a view, or without a number" });
    return [];
  }
  const neighbours = new Map<string, Draft>();
  for (const line of lines) {
    if (/^bgp shutdown\b/.test(line.text)) {
      unread.push({ at: line, why: "all neighbours are shut down" });
      return [];
    }
    if (/^bgp listen range\b/.test(line.text)) unread.push({ at: line, why: "it names no neighbour" });
    else if (!readNeighbour(line, neighbours, unread) && !HARMLESS_IN_PROCESS.test(line.text))
      unread.push({ at: line, why: "the reader does not know what it does to neighbours" });
  }
  return [...neighbours].flatMap(([name, draft]) =>
    toRule(name, draft, neighbours, { as: Number(as), vrf }, unread),
  );
}

function readNeighbour(at: ConfigLine, neighbours: Map<string, Draft>, unread: Unread[]): boolean {
  const [, no, name, rest] = /^(no )?neighbor (\S+) (.+)$/.exec(at.text) ?? [];
  if (name === undefined || rest === undefined) return false;
  const draft = neighbours.get(name) ?? newDraft();
  neighbours.set(name, draft);
  const isRead = no === undefined ? readWords(rest, at, draft) : readNo(rest, draft);
  if (!isRead) {
    draft.isUnread = true;
    unread.push({ at, why: `the reader does not know what it does to ${name}` });
  }
  return true;
}

function readNo(rest: string, draft: Draft): boolean {
  if (/^shutdown\b/.test(rest)) draft.isShut = false;
  else if (rest === "passive") draft.isPassive = false;
  else if (/^bfd\b/.test(rest)) draft.hasBfd = false;
  else if (/^update-source\b/.test(rest)) draft.source = undefined;
  else return HARMLESS.test(rest);
  return true;
}

function readWords(rest: string, at: ConfigLine, draft: Draft): boolean {
  const [, as] = /^remote-as (\S+)$/.exec(rest) ?? [];
  if (as !== undefined) return setRemote(as, at, draft);
  const [, , byPortAs, byPortGroup] =
    /^interface( v6only)?(?: remote-as (\S+)| peer-group (\S+))?$/.exec(rest) ?? [];
  if (/^interface\b/.test(rest) && !/^interface-name\b/.test(rest)) {
    draft.isByPort = true;
    draft.at ??= at;
    if (byPortGroup !== undefined) draft.group = byPortGroup;
    return byPortAs === undefined
      ? /^interface( v6only)?( peer-group \S+)?$/.test(rest)
      : setRemote(byPortAs, at, draft);
  }
  const [, group] = /^peer-group (\S+)$/.exec(rest) ?? [];
  const [, localAs] = /^local-as ([0-9]+)\b/.exec(rest) ?? [];
  const [, source] = /^update-source (\S+)$/.exec(rest) ?? [];
  const [, password] = /^password (\S+)$/.exec(rest) ?? [];
  if (group !== undefined) {
    draft.group = group;
    draft.at ??= at;
  } else if (rest === "peer-group") draft.isGroup = true;
  else if (localAs !== undefined) draft.localAs = Number(localAs);
  else if (password !== undefined) draft.password = password;
  else if (source !== undefined) draft.source = source;
  else if (/^shutdown\b/.test(rest)) draft.isShut = true;
  else if (rest === "passive") draft.isPassive = true;
  else if (/^bfd\b/.test(rest)) draft.hasBfd = true;
  else return HARMLESS.test(rest);
  return true;
}

function setRemote(text: string, at: ConfigLine, draft: Draft): boolean {
  if (text !== "external" && text !== "internal" && !/^[0-9]+$/.test(text)) return false;
  draft.remoteAs = text === "external" || text === "internal" ? text : Number(text);
  draft.at = at;
  return true;
}

function toRule(
  name: string,
  own: Draft,
  neighbours: ReadonlyMap<string, Draft>,
  { as, vrf }: { readonly as: number; readonly vrf: string | undefined },
  unread: Unread[],
): BgpRule[] {
  if (own.isGroup) return [];
  const group = own.group === undefined ? undefined : neighbours.get(own.group);
  const remoteAs = own.remoteAs ?? group?.remoteAs;
  const at = own.at;
  // A line without a number of an AS makes no neighbour.
  if (remoteAs === undefined || at === undefined) return [];
  if (own.isShut || group?.isShut) {
    unread.push({ at, why: `${name} is shut down` });
    return [];
  }
  if (own.isUnread || group?.isUnread) return [];
  return [
    {
      name,
      isByPort: own.isByPort,
      vrf,
      localAs: own.localAs ?? group?.localAs ?? as,
      remoteAs,
      isPassive: own.isPassive || group?.isPassive === true,
      hasBfd: own.hasBfd || group?.hasBfd === true,
      password: own.password ?? group?.password,
      source: own.source ?? group?.source,
      at,
    },
  ];
}
