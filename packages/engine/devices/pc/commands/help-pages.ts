/** The texts of help: `*keyword*`, `_PLACEHOLDER_`. */

export interface HelpPage {
  /** A command, or a command and its keyword (`ip dhcp`). */
  readonly topic: string;
  readonly syntax: string;
  /** The topic's shorter form in the command list; absent if the list shows `topic`. */
  readonly listed?: string;
  /** The text in the command list; a topic without a summary is not listed. */
  readonly summary?: string;
  /** Empty for a command that takes `?` as an ordinary word. */
  readonly details: readonly string[];
}

/** In the order in which `help` lists them. */
export const HELP_PAGES: readonly HelpPage[] = [
  { topic: "?", syntax: "*?*", summary: "List the commands", details: ["Lists all commands."] },
  {
    topic: "arp",
    syntax: "*arp* [*all*]",
    listed: "*arp*",
    summary: "Short for show arp: the ARP table",
    details: ["The same as *show arp*."],
  },
  {
    topic: "clear",
    syntax: "*clear* _WHAT_",
    summary: "Forget addresses, tables or history",
    details: [
      "*arp*        the ARP table",
      "*hist*       the lines typed so far",
      "*ip*         IPv4 address, gateway, DNS, domain and lease",
      "*ipv6*       IPv6 address and router",
      "*mtu*        the path MTU table",
      "*neighbor*   the IPv6 neighbor table",
    ],
  },
  {
    topic: "dhcp",
    syntax: "*dhcp* [*-d*] [*-r*] [*-x*]",
    listed: "*dhcp* [_OPTION_ ...]",
    summary: "Short for ip dhcp: ask a DHCP server",
    details: ["The same as *ip dhcp*."],
  },
  {
    topic: "disconnect",
    syntax: "*disconnect*",
    summary: "Leave a telnet session",
    details: [],
  },
  {
    topic: "echo",
    syntax: "*echo* _TEXT_",
    summary: "Print TEXT, see also set echo",
    details: [],
  },
  { topic: "help", syntax: "*help*", summary: "List the commands", details: ["Lists all commands."] },
  {
    topic: "history",
    syntax: "*history*",
    summary: "Short for show history: lines typed so far",
    details: [],
  },
  {
    topic: "ip",
    syntax: "*ip* _ARG_ ...",
    listed: "*ip* _ARG_ ... [_OPTION_ ...]",
    summary: "Configure addresses and names",
    details: [
      "_ADDRESS_ [_MASK_] [_GATEWAY_]   IPv4 address; the mask as a length or dotted, 24 bits by default",
      "_ADDRESS_/_LENGTH_ [*eui-64*]    IPv6 address, 64 bits by default",
      "*auto*                       IPv6 address from a router",
      "*dhcp* [_OPTION_ ...]          IPv4 address from a DHCP server",
      "*dns* _ADDRESS_ [_ADDRESS_]      name servers; 0 for none",
      "*dns6* _ADDRESS_ [_ADDRESS_]     name servers over IPv6",
      "*domain* _NAME_                what short names end with",
    ],
  },
  {
    topic: "ip dhcp",
    syntax: "*ip dhcp* [_OPTION_ ...]",
    details: [
      "Gets an address from a DHCP server.",
      "*-d*   show the messages",
      "*-r*   ask again for the address of the last lease",
      "*-x*   give the address back",
    ],
  },
  {
    topic: "load",
    syntax: "*load* [_FILE_]",
    summary: "Run the commands of FILE",
    details: ["Runs the lines of a saved file, *startup.vpc* by default."],
  },
  {
    topic: "neighbor",
    syntax: "*neighbor*",
    summary: "The IPv6 neighbor table",
    details: [],
  },
  {
    topic: "ping",
    syntax: "*ping* _HOST_ [_OPTION_ ...]",
    summary: "Ping HOST over ICMP, UDP or TCP, see ping ?",
    details: [
      "_HOST_ is an address or a name. Options follow it:",
      "*-1* *-2* *-3*      ICMP (default), UDP, TCP",
      "*-P* _PROTOCOL_   the same by number: 1, 17, 6",
      "*-c* _COUNT_      how many packets, 5 by default",
      "*-t*            until Ctrl-C",
      "*-i* _MS_         pause after each result, 1000 ms by default",
      "*-w* _MS_         wait for each reply, 1000 ms by default",
      "*-l* _BYTES_      data in each packet, 56 bytes by default",
      "*-T* _TTL_        time to live, 64 by default",
      "*-D*            do not fragment: a packet over the path MTU is not sent",
      "*-u* _BYTES_      MTU at which packets are cut",
      "*-s* _PORT_       source port, random by default",
      "*-p* _PORT_       destination port, 7 by default",
      "*-f* _FLAGS_      with TCP: bare segments, flags of CEUAPRSF",
    ],
  },
  {
    topic: "quit",
    syntax: "*quit*",
    summary: "End the program; a PC of a lab is stopped there",
    details: [],
  },
  {
    topic: "relay",
    syntax: "*relay* _ARG_ ...",
    summary: "Relay UDP packets between ports of the host",
    details: ["A PC of a lab has no host whose ports could be relayed."],
  },
  {
    topic: "rlogin",
    syntax: "*rlogin* [_ADDRESS_] _PORT_",
    summary: "Log in to a port of the host",
    details: ["A PC of a lab has no host to log in to."],
  },
  {
    topic: "save",
    syntax: "*save* [_FILE_]",
    summary: "Save the configuration to FILE",
    details: [
      "Saves the configuration as commands, to *startup.vpc* by default; that file runs when the PC starts.",
      "A name without a dot gets the ending *.vpc*.",
    ],
  },
  {
    topic: "set",
    syntax: "*set* _ARG_ ...",
    summary: "Set name, MTU, ports, echo or dump",
    details: [
      "*pcname* _NAME_               name, at most 12 characters",
      "*mtu* _BYTES_                 size of the largest packet; of IPv6, at least 1280",
      "*echo* *on*|*off*               whether a file's commands are shown",
      "*echo color* _FG_ [_BG_]        colors of echo; *clear* for none",
      "*dump* _FLAG_ ...             show packets: *mac*, *raw*, *detail*, *all*; *off* to end",
      "*lport* _PORT_, *rport* _PORT_  ports that show lists",
      "*rhost* _ADDRESS_             host that show lists",
    ],
  },
  {
    topic: "show",
    syntax: "*show* [_WHAT_]",
    summary: "Show what is configured and known",
    details: [
      "Without an argument: a line for IPv4, one for each IPv6 address.",
      "*arp* [*all*]   the ARP table",
      "*dump*        which packets are shown",
      "*echo*        how echo is set",
      "*history*     lines typed so far",
      "*ip* [*all*]    IPv4",
      "*ipv6*        IPv6",
      "*mtu*         path MTUs: size in bytes, seconds left, host",
      "*mtu6*        those of IPv6 only",
      "*version*     what this is",
    ],
  },
  {
    topic: "show arp",
    syntax: "*show arp* [*1*|*all*]",
    details: ["Shows the ARP table: MAC address, IPv4 address, and when the entry expires."],
  },
  {
    topic: "show dump",
    syntax: "*show dump* [*all*]",
    details: ["Shows which packets are shown, see *set dump*."],
  },
  {
    topic: "show ip",
    syntax: "*show ip* [*1*|*all*]",
    details: [
      "Shows what is configured for IPv4: name, address, mask, gateway, name servers, lease,",
      "MAC address, ports and MTU; with *all* as a table.",
    ],
  },
  {
    topic: "show ipv6",
    syntax: "*show ipv6* [*1*]",
    details: [
      "Shows what is configured for IPv6: name, addresses, name servers, router,",
      "MAC address, ports and MTU.",
    ],
  },
  {
    topic: "sleep",
    syntax: "*sleep* [_SECONDS_] [_TEXT_]",
    summary: "Print TEXT and wait",
    details: ["Waits so many seconds. Without any, or with 0, it does not: no key can be pressed here."],
  },
  {
    topic: "tracer",
    syntax: "*trace* _HOST_ [_OPTION_ ...]",
    summary: "Show the way that packets take to HOST",
    details: [
      "*-P* _PROTOCOL_   17 for UDP (default), 1 for ICMP, 6 for TCP",
      "*-m* _HOPS_       how far at most, 1 to 64, 8 by default",
    ],
  },
  {
    topic: "version",
    syntax: "*version*",
    summary: "Show what this is",
    details: [],
  },
  { topic: "write", syntax: "*write* [_FILE_]", summary: "Short for save", details: ["The same as *save*."] },
  { topic: "zzz", syntax: "*zzz* [_SECONDS_] [_TEXT_]", details: ["The same as *sleep*."] },
];
