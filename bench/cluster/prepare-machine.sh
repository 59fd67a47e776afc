# Before a machine of the cluster boots: its name, its network (`bench/cluster/machines.ts` plugs in eth0), a small disk of
# its own for PostgreSQL, and the built site.
if [ "$(cat etc/hostname)" != "$NAME" ]; then
  echo "$NAME" > etc/hostname
  # As Debian's installer does it.
  printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$NAME" > etc/hosts
  : > etc/resolv.conf
fi
ip link set lo up
until ip link set eth0 up 2> /dev/null; do sleep 0.05; done
ip address add "$ADDRESS/24" dev eth0
ip route add default via "$GATEWAY"
mount -o loop "$DISK" var/lib/postgresql
chroot . chown postgres:postgres /var/lib/postgresql
mkdir -p srv/fernway/current
mount --bind "$SITE" srv/fernway/current
