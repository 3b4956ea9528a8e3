/** A configuration of BGP with every line, in the order in which it is printed. */
export const WHOLE = `router bgp 65001
 bgp router-id 1.1.1.1
 bgp cluster-id 9.9.9.9
 bgp default local-preference 200
 no bgp default ipv4-unicast
 no bgp ebgp-requires-policy
 no bgp network import-check
 no bgp client-to-client reflection
 bgp always-compare-med
 bgp deterministic-med
 bgp bestpath as-path ignore
 bgp bestpath as-path multipath-relax
 bgp bestpath compare-routerid
 bgp bestpath med missing-as-worst
 timers bgp 3 9
 neighbor 10.0.1.2 remote-as 65002
 neighbor 10.0.1.2 local-as 65100 no-prepend replace-as
 neighbor 10.0.1.2 description the other one
 neighbor 10.0.1.2 shutdown
 neighbor 10.0.1.2 passive
 neighbor 10.0.1.2 ebgp-multihop 5
 neighbor 10.0.1.2 disable-connected-check
 neighbor 10.0.1.2 update-source eth0
 neighbor 10.0.1.2 advertisement-interval 5
 neighbor 10.0.1.2 timers connect 10
 neighbor 10.0.1.2 timers 5 15
 neighbor 10.0.1.3 remote-as internal
 address-family ipv4 unicast
  network 10.0.1.0/24
  redistribute connected
  redistribute static metric 5
  maximum-paths 2
  maximum-paths ibgp 3
  distance bgp 21 201 202
  neighbor 10.0.1.2 activate
  neighbor 10.0.1.2 next-hop-self force
  neighbor 10.0.1.2 remove-private-AS all replace-AS
  neighbor 10.0.1.2 default-originate
  neighbor 10.0.1.2 maximum-prefix 100 80 warning-only
  neighbor 10.0.1.2 allowas-in 2
  neighbor 10.0.1.2 prefix-list NETS in
  neighbor 10.0.1.2 prefix-list NETS out
  neighbor 10.0.1.2 filter-list PATHS in
  neighbor 10.0.1.2 filter-list PATHS out
  neighbor 10.0.1.2 route-map IN in
  neighbor 10.0.1.2 route-map OUT out
  neighbor 10.0.1.2 weight 7
  neighbor 10.0.1.3 next-hop-self
  neighbor 10.0.1.3 route-reflector-client
  neighbor 10.0.1.3 allowas-in origin
 exit-address-family
exit`;
