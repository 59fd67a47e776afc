# Boots systemd with the service of deploy/fernway.service, in namespaces of its own, on a copy-on-write view of this
# machine's files: FOLDER gets the copy, SITE is the folder of the built site. Started by `unshare`, as process 1.
set -eu
folder=$1 site=$2 unit=$3
mount -t tmpfs tmpfs "$folder"
mkdir "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
cd "$folder/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
ln -s /proc/self/fd dev/fd
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
# systemd empties /tmp.
mount -t tmpfs -o mode=1777 tmpfs tmp
# This machine may serve a site of its own: the copy is without it.
mount -t tmpfs -o mode=755 tmpfs srv
rm -rf var/lib/fernway var/cache/fernway etc/fernway.env
mkdir -p srv/fernway/current
mount --bind "$site" srv/fernway/current
# The devices are the machine's.
for name in udevd.service udev-trigger.service udevd-control.socket udevd-kernel.socket; do
  ln -sf /dev/null "etc/systemd/system/systemd-$name"
done
cp "$unit" etc/systemd/system/fernway.service
chroot . id fernway > /dev/null 2>&1 || chroot . useradd --system --no-create-home --shell /usr/sbin/nologin fernway
install --group="$(chroot . id --group fernway)" --mode=640 "$site.env" etc/fernway.env
mkdir old
pivot_root . old
umount --lazy old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=fernway.service
