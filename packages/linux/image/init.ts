/**
 * The first program of a guest (`/init` of the initramfs). It loads the modules, starts the daemons, and reports that it is ready on the second
 * serial port. From there it takes requests:
 *
 *     <length>                   a job: a shell script of this length in bytes follows
 *     carrier <port> <flags>     changes the carrier of a port
 *
 * Jobs run one after another. The answer to a job is a line with its exit code and the length of its output, and then the output. A
 * change of a carrier takes effect also while a job runs, and has no answer.
 *
 * The first serial port has a shell.
 */
import type { Recipe } from "./recipe.ts";
import { makeWire, SET_CARRIER } from "./wire.ts";

export const READY = "WIRELAB READY";

/** @param modules in the order of loading. */
export const makeInit = (
  modules: readonly string[],
  { start }: Pick<Recipe, "start">,
): string => `#!/bin/busybox sh
/bin/busybox mkdir -p /bin /sbin /usr/bin /usr/sbin /usr/lib/busybox /proc /sys /dev /tmp /run /var /root
/bin/busybox --install -s /usr/lib/busybox
export PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/busybox HOME=/root
ln -s dash /bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts /dev/shm
mount -t devpts pts /dev/pts
mount -t tmpfs shm /dev/shm
mount -t tmpfs tmp /tmp
[ -e /var/run ] || ln -s /run /var/run
echo 1 > /proc/sys/kernel/printk
for module in ${modules.join(" ")}; do insmod /lib/modules/$module.ko; done
echo 1 > /proc/sys/net/ipv4/ip_forward
echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
ip link set lo up
# Its module makes it.
ip link del dummy0
# busybox as a shell runs its own ip and tc.
dash <<'WIRE'
${makeWire()}
WIRE
${start.join("\n")}
stty -F /dev/ttyS1 raw -echo
stty -F /dev/ttyS0 -echo
exec 3<>/dev/ttyS1
PS1='# ' setsid cttyhack dash -c 'exec dash -i </dev/ttyS0 >/dev/ttyS0 2>&1' &
sleep 2
echo ${READY} >&3
run() {
  dash /tmp/.job > /tmp/.output 2>&1 3>&-
  code=$?
  echo "$code $(wc -c < /tmp/.output)" >&3
  cat /tmp/.output >&3
}
while read -r request port flags <&3; do
  case $request in
    carrier) ${SET_CARRIER} ;;
    # Reads no byte beyond the script: a further request may be here already.
    *) dd bs="$request" count=1 iflag=fullblock <&3 > /tmp/.job 2> /dev/null; run & ;;
  esac
done
`;
