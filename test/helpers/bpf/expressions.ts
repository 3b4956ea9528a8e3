/**
 * The expressions compared with tcpdump, one a line. The oracle decides which of them are valid. The list includes rejected ones,
 * because the compiler must reject the same ones.
 */
const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line.trim() !== "");

/** Compared on every link type. */
export const COMMON_EXPRESSIONS: Readonly<Record<string, readonly string[]>> = {
  "protocol words": lines(`
ip
ip6
arp
rarp
tcp
udp
sctp
icmp
icmp6
igmp
igrp
pim
vrrp
carp
ah
esp
atalk
aarp
decnet
lat
sca
moprc
mopdl
iso
esis
es-is
isis
is-is
clnp
l1
l2
iih
lsp
snp
csnp
psnp
stp
ipx
netbeui
radio
ether
link
not ip
! ip6
not not tcp
ip or ip6
ip and ip6
tcp or udp or icmp
not (tcp or udp)
ip and not tcp and not udp
`),
  proto: lines(`
ip proto 6
ip proto \\tcp
ip proto tcp
ip proto \\icmp
ip proto \\ospf
ip proto ospf
ip proto nosuch
ip proto 256
ip proto 0x11
ip proto 021
ip6 proto 58
ip6 proto \\ipv6-icmp
ip6 proto 44
proto 6
proto \\udp
proto (6 or 17)
proto 6 or 17
ip proto (1 or \\tcp or 17)
ip proto not 6
ether proto 0x800
ether proto \\ip
ether proto \\ip6
ether proto \\arp
ether proto \\rarp
ether proto \\atalk
ether proto \\aarp
ether proto \\decnet
ether proto \\stp
ether proto \\iso
ether proto \\ipx
ether proto \\netbeui
ether proto \\lat
ether proto \\loopback
ether proto loopback
ether proto \\moprc
ether proto \\pup
ether proto 0x88cc
ether proto 0x42
ether proto 6
ether proto 1500
ether proto 1501
ether proto 0
ether proto 0xaaaa
ether proto 0x10800
link proto 0x86dd
fddi proto 0x800
iso proto \\isis
iso proto \\clnp
iso proto \\esis
iso proto 0x83
iso proto \\ip
isis proto 17
isis proto 20
isis proto \\l1
tcp proto 6
arp proto 1
stp proto 1
vrrp proto 1
src proto 6
protochain 6
protochain \\tcp
ip protochain 6
ip protochain 17
ip protochain \\ah
ip6 protochain 6
ip6 protochain 17
ip6 protochain 58
ip6 protochain \\icmp
ip6 protochain 59
protochain 51 and ip6
ip protochain 6 or ip6 protochain 17
not ip protochain 6
tcp protochain 6
ether protochain 6
protochain 6 or protochain 17 or protochain 1 or protochain 2
`),
  "hosts and networks": lines(`
host 10.0.0.1
src host 10.0.0.1
dst host 10.0.0.1
src 10.0.0.1
dst 192.168.1.2
src or dst host 10.0.0.1
src and dst host 127.0.0.1
dst or src 10.0.0.1
dst and src host 10.0.0.1
src || dst host 10.0.0.1
src && dst 127.0.0.1
ip host 10.0.0.1
ip src 10.0.0.1
arp host 10.0.0.1
arp src 10.0.0.1
arp dst host 10.0.0.254
rarp host 10.0.0.1
rarp src host 10.0.0.9
ip6 host 10.0.0.1
tcp host 10.0.0.1
udp src 10.0.0.1
ether host 10.0.0.1
host 10.0.0.1 or 192.168.1.2
host 10.0.0.1 and 192.168.1.2
src host 10.0.0.1 and dst host 192.168.1.2
host (10.0.0.1 or 10.0.0.9)
host (10.0.0.1 and not 192.168.1.2)
host not 10.0.0.1
not host 10.0.0.1
not host 10.0.0.1 and 192.168.1.2
host 10.0.0.1 and not (192.168.1.2 or 10.0.0.254)
host ((10.0.0.1 or 10.0.0.2) and 10.0.0.3)
host 10.0
host 10.0.0
net 10
net 10.0
net 10.0.0
net 10.0.0.1
net 10.0.0.0/8
net 10.0.0.0/24
net 10.0.0.1/32
net 0.0.0.0/0
net 10.0/16
net 172.16/12
net 10.0.0.0/33
net 10.0.0.1/8
net 10/8
net 10.0.0.0 mask 255.0.0.0
net 172.16.0.0 mask 255.240.0.0
net 10.0 mask 255.255
net 10.0.0.1 mask 255.0.0.0
net 192.168.0.0 mask 255.255.0.0
src net 10.0.0.0/8
dst net 192.168
ip net 10
arp net 10
net 0
net 167772160
net 192.168 or 172.16
src net 10 and dst net 192.168.1.0/24
host 10.0.0.0/8
host 10.0.0.1/32
net loopback
net link-local
net default
net nosuch
host 256.1.1.1
host 1.2.3.4.5
host 1.2.3.300
host 0x7f.1
host 0x0a000001
host 167772161
host 010.0.0.1
host \\10.0.0.1
host \\127.1
host \\0x7f.1
host \\012.0.0.1
host \\10.0.0.256
host \\::1
host \\fe80::1
ip host \\::1
ip6 host \\10.0.0.1
ip6 host \\::1
host no.such.host.invalid
host nosuchhost
nosuchhost
10.0.0.1
host
net
host tcp
host \\tcp
broadcast
multicast
ip broadcast
ip multicast
ip6 multicast
ip6 broadcast
arp broadcast
arp multicast
ether broadcast
ether multicast
link multicast
not broadcast and not multicast
ip multicast and not ip broadcast
tcp multicast
gateway 10.0.0.1
gateway foo
ip gateway foo
src gateway foo
`),
  "IPv6 hosts and networks": lines(`
host fe80::1
host ::1
ip6 host fe80::1
src host fe80::1
dst 2001:db8::2
ip6 src fe80::1
ip6 dst host 2001:db8::2
src or dst host ::1
src and dst host ::1
net fe80::/10
net fe80::/64
net 2001:db8::/32
src net 2001:db8::/32
dst net ff00::/8
net ::/0
net ::1/128
net fe80::1/64
net fe80::1/129
net 2001:db8::/31
net 2001:db8::/33
net 2001:db8:0:0:0:0:0:0/33
host fe80::1/128
host fe80::1/64
net fe80::1
fe80::1
host 1:2:3:4:5:6:7:8
host 1:2:3:4:5:6:7::
host ::2:3:4:5:6:7:8
host 1::8
host 1:2::7:8
host 1:2:3:4:5:6:1.2.3.4
host ::1.2.3.4
host ::ffff:10.0.0.1
host 1::1.2.3.4
host 1:2:3:4:5:6:7:8:9
host 1::2::3
host ::1.2.3.400
host ::01.2.3.4
host 12345::1
host fe80::
host ::
host :::1
ip host fe80::1
arp host fe80::1
tcp host fe80::1
port fe80::1
host fe80::1 or ::1
host (fe80::1 or ::1)
ip6 net 2001:db8::/32 and tcp
ip6 host fe80::1 and port 443
not host fe80::1
fe80::1 or ::1
host fe80::1%eth0
`),
  "Ethernet addresses": lines(`
ether host 00:11:22:33:44:55
ether src 00:11:22:33:44:55
ether dst 66:77:88:99:aa:bb
ether src host 0:11:22:33:44:55
ether host 00-11-22-33-44-55
ether host 00.11.22.33.44.55
ether host 0011.2233.4455
ether host 001122334455
ether host 66:77:88:99:AA:BB
ether src or dst 66:77:88:99:aa:bb
ether src and dst 66:77:88:99:aa:bb
ether host 00:11:22:33:44
ether host 00:11:22:33:44:55:66
ether host 00:11
ether host 0:1:2:3:4:5
ether host ff:ff:ff:ff:ff:ff
ether dst ff:ff:ff:ff:ff:ff or 01:00:5e:00:00:fb
fddi host 00:11:22:33:44:55
wlan src 00:11:22:33:44:55
host 00:11:22:33:44:55
ip host 00:11:22:33:44:55
ether net 00:11:22:33:44:55
ether port 80
ether host foo
ether host 1
ether net 10
ether ra 00:11:22:33:44:55
wlan addr1 00:11:22:33:44:55
wlan addr4 host 00:11:22:33:44:55
ra host 10.0.0.1
ta 10.0.0.1
addr2 10.0.0.1
address3 10.0.0.1
host $5
ether host $ab
decnet host 1.2
decnet src 1.2
decnet dst host 1.2
decnet host 1.3
decnet 1.2
decnet host 65.1025
decnet host foo
decnet host 10
decnet host 1.2.3
decnet src and dst 1.2
decnet net 1.2
decnet port 1
atalk host 10.0.0.1
atalk 1.2
`),
  ports: lines(`
port 80
port http
port https
port domain
port ssh
port ntp
port syslog
port shell
port nosuchport
port 65535
port 65536
port 0
port 0x50
port 0120
port 08
port \\80
port \\http
port \\99999
src port 80
dst port 80
src or dst port 80
src and dst port 80
dst and src port 22
tcp port 80
udp port 53
sctp port 80
tcp src port 80
udp dst port 53
tcp port domain
udp port http
udp port ntp
udp port ssh
sctp port http
udp port syslog
tcp port syslog
tcp port shell
udp port bootps
ip port 80
ip6 port 80
icmp port 80
port 80 or 443
port 80 or port 443
port (80 or 443)
port (80 or http or 22)
port (80)
port ((80))
port (80 or (443))
port ((80 or 443) or 22)
port 80 or (443 or 8080)
port 80 or (443 and tcp)
port 80 or (tcp and 443)
port 80 and 443
port not 80
not port 80
not port 80 or 443
not port 80 and not 443
port 80 or not 443
port 80 and not (443 or 22)
tcp port 80 or 443 and not host 10.0.0.1
tcp port 80 and host 10.0.0.1
tcp port 80 or udp port 53
tcp dst port 80 or 443 or ssh
port 10.0.0.1
portrange 80-90
portrange 90-80
portrange 80
portrange 22-22
portrange 0-65535
portrange 0-65536
portrange 80-90-100
portrange 80-90x
portrange 080-090
portrange http-https
portrange ssh-nosuch
portrange ftp-data-ssh
portrange http
portrange 80--90
portrange 10.0.0.1
tcp portrange 80-443
udp portrange 50-60
sctp portrange 1-100
src portrange 80-90
dst portrange 80-443
src and dst portrange 1-100
src or dst portrange 20-30
tcp src portrange 80-81 or 22-23
ip6 portrange 80-90
icmp portrange 1-2
portrange 80-90 or 443
portrange domain-http
udp portrange bootps-bootpc
port 80 or 443 or 22 or 53 or 8080 or 5353
portrange 1-1023 and not port 22
src port 80 and dst port 81
src port 80 or dst port 80
`),
  "lengths and bytes": lines(`
less 60
greater 60
less 0
greater 100
less 60 or greater 100
len > 100
len >= 60
len < 60
len <= 60
len = 60
len == 60
len != 60
length > 100
len - 14 > 50
100 < len
len & 1 = 1
less -1
less len
less (60)
byte 0 = 0
byte 0 = 255
byte 12 < 8
byte 12 > 8
byte 13 & 5
byte 13 | 5
byte 13 & 0
byte 13 | 0
byte 4294967295 = 0
byte 12 != 8
byte 12 = 8 and byte 13 = 0
ip and byte 13 & 5
`),
  accessors: lines(`
ip[0] = 0x45
ip[0] & 0xf != 5
ip[8] < 65
ip[9] = 6
ip[9:1] = 6
ip[2:2] > 60
ip[12:4] = 0x0a000001
ip[16:4] = 167772161
ip[0:3] = 1
ip[0:5] = 1
ip[0:0] = 1
ip[-1] = 1
ip[1000] = 1
not ip[1000] = 1
ip[4294967295] = 1
ip[6:2] & 0x1fff = 0
ip[6:2] & 0x2000 != 0
ip6[6] = 6
ip6[40] = 1
ip6[8:4] = 0xfe800000
ip6[24:2] == 0xff02
tcp[0:2] = 80
tcp[13] = 2
tcp[13] & 2 != 0
tcp[tcpflags] = tcp-syn
tcp[tcpflags] & (tcp-syn|tcp-fin) != 0
tcp[tcpflags] & (tcp-syn|tcp-ack) == (tcp-syn|tcp-ack)
tcp[tcpflags] & tcp-rst != 0
tcp[tcpflags] == tcp-syn+tcp-ack
tcp[tcpflags] & (tcp-push|tcp-urg|tcp-ece|tcp-cwr) != 0
tcp[12] >> 4 > 5
((tcp[12] & 0xf0) >> 2) = 20
tcp[((tcp[12:1] & 0xf0) >> 2):4] = 0
tcp[4:4] = 0x01020304
udp[0:2] = 53
udp[4:2] > 20
udp[8] = 0
sctp[0:2] = 80
icmp[0] = 8
icmp[icmptype] = icmp-echo
icmp[icmptype] = icmp-echoreply or icmp[icmptype] = icmp-unreach
icmp[icmpcode] = 0
icmp[icmptype] != icmp-echo and icmp[icmptype] != icmp-echoreply
icmp[icmptype] = icmp-timxceed
icmp[icmptype] = icmp-tstamp or icmp[0] = icmp-maskreq
icmp6[icmp6type] = icmp6-echo
icmp6[icmp6type] = icmp6-neighborsolicit
icmp6[icmp6code] = 0
icmp6[0] >= 133 and icmp6[0] <= 137
icmp6[icmp6type] = icmp6-multicastlistenerreportv2
igmp[0] = 0
pim[0] = 0
vrrp[0] = 0
carp[0] = 0
igrp[0] = 0
ah[0] = 0
esp[0] = 0
arp[6:2] = 1
arp[7] = 2
arp[14:4] = 0x0a000001
rarp[7] = 3
atalk[0] = 0
aarp[0] = 0
decnet[0] = 40
lat[0] = 0
sca[0] = 0
moprc[0] = 0
mopdl[0] = 0
iso[0] = 0
isis[0] = 0
stp[0] = 0
ipx[0] = 0
netbeui[0] = 0
radio[0] = 0
ether[0] & 1 = 0
ether[0] & 1 = 1
ether[12:2] = 0x800
ether[12:2] > 1500
ether[6:4] = 0x00112233
ether[20] = 1
link[0] = 0
ether[len - 1] = 0
ether[len] = 0
ip[ip[0] & 0xf] = 1
ip[((ip[0] & 0xf) << 2):2] = 80
ip[tcp[0]] = 1
tcp[ip[0]] = 1
ip[ip6[0]] = 0
ip[0] = ip[1]
ip[0] > ip[1]
ip[12:4] = ip[16:4]
tcp[0:2] = tcp[2:2]
tcp[0] = udp[0]
tcp[0] + udp[0] = 0
udp[0] + tcp[0] = 0
ip[0] + ip6[0] = 5
1 + tcp[0] > 0
ip[8]
ip[8] +
tcp[
tcp[0
tcp[0:
tcp[0:2
tcp[0:x] = 1
tcp[http] = 1
tcp[] = 1
`),
  arithmetic: lines(`
1 = 1
1 = 2
1 != 1
0 = 0
1 > 0
0 > 1
1 + 1 = 2
2 * 3 = 6
7 / 2 = 3
7 % 4 = 3
6 & 3 = 2
6 | 3 = 7
6 ^ 3 = 5
1 << 4 = 16
256 >> 4 = 16
1 << 31 = 0x80000000
1 << 32 = 0
1 >> 32 = 0
-1 = 4294967295
-1 > 0
- 1 + 2 = 1
-(1 + 2) = 0xfffffffd
0 - 1 = 0xffffffff
1 / 0 = 1
1 % 0 = 1
1 / (1 - 1) = 1
1 % (2 - 2) = 0
ip[0] / 0 = 1
ip[0] % 0 = 1
ip[0] / (0 + 1) = 69
ip[0] / ip[1] = 1
ip[0] % ip[1] = 1
ip[0] / ip[8] = 1
ip[0] % ip[8] = 5
not ip[0] / ip[1] = 1
0 / ip[1] = 0
0 % ip[1] = 0
ip[1] / ip[8] = 0
ip[0] << ip[8] = 0
ip[0] >> ip[8] = 0
ip[0] << ip[1] = 69
ip[0] << 33 = 0
ip[0] << (30 + 3) = 0
ip[0] >> 4 = 4
ip[0] * 1000000000 > 5
ip[12:4] * ip[16:4] > 1000
ip[12:4] + ip[16:4] < 10
ip[12:4] - ip[16:4] > 0x80000000
ip[0] - 69 = 0
ip[1] - 1 = 0xffffffff
-ip[0] = 0xffffffbb
- - ip[0] = 69
-ip[8] & 0xff = 192
ip[0] ^ 0x45 = 0
ip[0] | 0xf0 = 0xf5
ip[0] & 0 = 0
ip[1000] & 0 = 0
ip[1000] * 0 = 0
ip[1000] - ip[1000] = 0
ip[1000] ^ ip[1000] = 0
ip[1000] + 0 = 0
1 + 2 * 3 = 7
(1 + 2) * 3 = 9
2 * 3 + 4 = 10
10 - 3 - 2 = 5
100 / 5 / 2 = 10
1 | 2 & 3 = 3
1 | 6 & 3 = 3
1 << 2 + 1 = 8
16 >> 1 << 1 = 16
ip[0] % 2 + 1 = 3
ip[0] + 5 % 3 = 71
7 % 4 % 2 = 1
7 ^ 4 ^ 2 = 1
2 * 7 % 4 + 1 = 10
7 & 3 ^ 1 = 2
-5 % 3 = 1
ip[8] & 3 + 1 = 0
ip[0] >> 4 & 3 = 0
1 = 1 and ip
1 = 2 or ip
1 = 1 or ip
1 = 2 and ip
ip and 1 = 1
ip or 1 = 1
ip and 1 = 2
ip or 1 = 2
ip[100] = 1 or 1 = 1
ip[100] = 1 and 1 = 2
(5) = 5
((5)) = (5)
(ip[0]) = 69
((ip[0])) + 1 = 70
(ip[0] = 69)
((ip[0] + 1) * 2) = 140
(ip[0] + 1
4294967295 = -1
4294967296 = 0
0xffffffff = -1
0x100000000 = 0
037777777777 = 0xffffffff
09 = 9
0x = 0
1 = 1 = 1
1 +
= 1
1 == 1
1 => 1
1 =< 1
ip[0] <> 69
ip[0] ! 69
ip[0] !=69
ip[0]>=69
ip[0]<=69
ip[0]<<1=138
ip[0]&&1
tcp-syn = 2
icmp-echo + 1 = 9
icmp6-echo = 128
tcp-foo = 1
`),
  "logic and inheritance": lines(`
tcp and port 80
tcp and 80
80
80 and tcp
tcp or 80
ip and host 10.0.0.1 or 192.168.1.2
host 10.0.0.1 and tcp
host 10.0.0.1 and (tcp or udp)
host 10.0.0.1 and (tcp or udp) and 192.168.1.2
host 10.0.0.1 or (tcp port 80) or 192.168.1.2
(host 10.0.0.1) or 192.168.1.2
(tcp port 80) or 443
tcp port 80 or (udp) or 443
tcp port 80 or (443)
tcp port 80 or ((443))
tcp port 80 or (not 443)
tcp port 80 or not (443)
tcp port 80 or not (443 or 22)
tcp port 80 or (not (443 or 22))
tcp port 80 or (not (443 or 22) and 80)
tcp port 80 or (not 443 and not 22)
tcp port 80 or (443 or tcp)
tcp port 80 or (tcp or 443)
tcp port 80 or (443 = 443)
tcp port 80 or 443 = 443
tcp port 80 or (443 + 0 = 443)
tcp port 80 or ip[0] = 69 or 443
tcp port 80 or (ip[0] = 69) or 443
(tcp
tcp)
()
(tcp))
tcp tcp
tcp and
and tcp
or
not
not not
tcp and or udp
tcp && udp
tcp || udp
tcp & udp
tcp | udp
!tcp
!!tcp
! (tcp)
not(tcp)
(tcp)and(udp)
((((tcp))))
tcp or udp and ip6
tcp or (udp and ip6)
ip6 and tcp or udp
not tcp and not udp or arp
not (tcp and not udp or arp)
host 10.0.0.1 or 192.168.1.2 and port 80 or 443
port 80 or 443 and host 10.0.0.1 or 192.168.1.2
src host 10.0.0.1 or dst host 10.0.0.1
src 10.0.0.1 and dst 192.168.1.2 and tcp src port 40000 and dst port 80
ip host 10.0.0.1 or arp
tcp port 80 and not tcp port 80
tcp or not tcp
ip and not ip
not (ip or not ip)
tcp[13] & 2 != 0 and not port 80
(tcp port 80 and host 10.0.0.1) or (udp port 53 and not host 10.0.0.1)
host 10.0.0.1 and not port 80 and not port 53 and not icmp
ip[100] = 0 or tcp
tcp or ip[100] = 0
not ip[100] = 0 or tcp
ip6 or tcp port 80 or udp port 53 or icmp
ether[100] = 0 or ip
ip or ether[100] = 0
ip and ether[60] = 0 or arp
arp or (ip and ether[60] = 0)
not ether[60] = 0
  tcp  and	port   80
TCP
Host 10.0.0.1
tcp,udp
tcp;udp
tcp # comment
tcp "port" 80
tcp port $80
tcp@80
~tcp
tcp . udp
tcp \\
tcp port \\
\\tcp
`),
  "words of cooked captures": lines(`
inbound
outbound
outbound and ip
not inbound or arp
ifindex 7
ifindex 0x10007 and tcp port 80
ifindex
pppoes and outbound
`),
  "words for other links": lines(`
on eth0
ifname eth0
rset x
ruleset x
rnr 1
rulenum 1
srnr 1
subrulenum 1
reason match
action pass
type mgt
wlan type data
type mgt subtype beacon
subtype beacon
dir tods
direction fromds
vpi 1
vci 5
lane
metac
bcc
oam
oamf4
oamf4ec
oamf4sc
sc
ilmic
connectmsg
metaconnect
fisu
lssu
lsu
msu
hfisu
hlssu
hmsu
sio 1
opc 1
dpc 1
sls 1
hsio 1
vxlan
vxlan 5
`),
  encapsulations: lines(`
vlan
vlan 5
vlan 100
vlan 4095
vlan 4096
vlan (5)
vlan ((5))
vlan 0x5
vlan foo
vlan and ip
vlan and not ip
vlan 5 and tcp port 80
vlan and vlan
vlan 6 and vlan 7
vlan 6 and vlan 7 and udp port 53
vlan or ip
ip or vlan
vlan or vlan
vlan 5 or vlan 6
not vlan
not vlan and ip
not (vlan 5) and tcp
vlan and arp
vlan and stp
vlan and ether host 00:11:22:33:44:55
vlan and ether[12:2] = 0x8100
vlan and ip[0] = 0x45
vlan and tcp[13] & 2 != 0
vlan and host 10.0.0.1
vlan and llc
vlan and ip6 and port 443
vlan and mpls
vlan and mpls 100 and ip
vlan and pppoes
vlan and pppoes 7 and ip
mpls
mpls 100
mpls 1048575
mpls 1048576
mpls and ip
mpls 100 and tcp
mpls 100 and mpls 200
mpls 100 and mpls 200 and host 10.0.0.1
mpls and mpls and mpls
mpls and mpls and mpls and ip6
mpls and mpls 200 and udp port 53
mpls and not ip
mpls and arp
mpls and stp
mpls and vlan
mpls and host 10.0.0.1
mpls and arp host 10.0.0.1
mpls and port 80
mpls and icmp
mpls and ip6 host fe80::1
mpls and ether host 00:11:22:33:44:55
mpls and pppoes
mpls or ip
mpls 100 or mpls 200
not mpls
mpls and ip[0] = 0x45
mpls and tcp[tcpflags] = tcp-syn
mpls and iso
mpls and llc
pppoed
pppoes
pppoes 7
pppoes 0x1234
pppoes 65535
pppoes 65536
pppoes and ip
pppoes and ip6
pppoes and tcp port 80
pppoes 7 and host 10.0.0.1
pppoes and not ip
pppoes or ip
pppoes and pppoes
pppoes and vlan
pppoes and mpls
pppoes and mpls 100 and ip
pppoes and broadcast
pppoes and ether host 00:11:22:33:44:55
pppoes and ether[0] = 0
pppoes and link[0:2] = 0x21
pppoes and ip[0] = 0x45
pppoes and stp
pppoes and iso
pppoes and llc
pppoes and arp
pppoed and broadcast
not pppoes and ip
pppoed or pppoes
geneve
geneve 5
geneve 0xabcdef
geneve 16777215
geneve 16777216
geneve and ip
geneve and ip6
geneve 5 and ip
geneve and tcp port 80
geneve and host 10.0.0.1
geneve and ether host 00:11:22:33:44:55
geneve and broadcast
geneve and ether multicast
geneve and arp
geneve and vlan
geneve and vlan 5 and ip
geneve and ether[12:2] = 0x800
geneve and ip[0] = 0x45
geneve and tcp[13] = 2
geneve and udp[0:2] = 53
geneve and icmp6[0] = 1
geneve and geneve
geneve 5 and geneve 6 and ip
geneve and mpls
geneve and pppoes
geneve and stp
geneve and ip protochain 6
geneve and portrange 1-100
geneve and net 10
geneve and llc
geneve and isis
not geneve
not geneve and ip
vlan and geneve
`),
  llc: lines(`
llc
llc i
llc s
llc u
llc I
llc rr
llc rnr
llc rulenum
llc rej
llc ui
llc ua
llc disc
llc dm
llc sabme
llc test
llc xid
llc frmr
llc UI
llc foo
llc 3
llc and stp
not llc
llc or ip
llc \\rr
`),
  "long chains": lines(`
port 1 or 2 or 3 or 4 or 5 or 6 or 7 or 8 or 9 or 10 or 11 or 12 or 80
host 10.0.0.1 or 10.0.0.2 or 10.0.0.3 or 10.0.0.4 or 10.0.0.5 or 10.0.0.6 or 192.168.1.2
net 10.1 or net 10.2 or net 10.3 or net 10.4 or net 172.16
not port 22 and not port 80 and not port 443 and not port 53 and not host 10.0.0.1
tcp[0] = 1 or tcp[1] = 80 or tcp[2] = 3 or tcp[3] = 80 or tcp[4] = 5
ip[0] + ip[1] + ip[2] + ip[3] + ip[4] + ip[5] + ip[6] + ip[7] + ip[8] + ip[9] = 100
ip[0] + (ip[1] + (ip[2] + (ip[3] + (ip[4] + (ip[5] + (ip[6] + (ip[7] + ip[8]))))))) = 100
1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+1)))))))))))))) = 16
1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+1))))))))))))))) = 17
1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+(1+1)))))))))))))))) = 18
ip[ip[ip[ip[ip[0] & 3] & 3] & 3] & 3] = 69
icmp or igmp or igrp or pim or vrrp or ah or esp or sctp
l1 or l2 or iih or lsp or snp or esis or clnp
atalk or aarp or ipx or netbeui or stp or decnet or lat or moprc or mopdl
`),
};

export const ALL_EXPRESSIONS: readonly string[] = ["", ...Object.values(COMMON_EXPRESSIONS).flat()];
