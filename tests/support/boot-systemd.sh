# Boots systemd in namespaces of its own, on a copy-on-write view of the files in LOWER, whose changes are in FOLDER. The
# shell script PREPARE changes the view before, and systemd starts UNIT. Started by `unshare`, as process 1.
set -eu
folder=$1 lower=$2 prepare=$(realpath "$3") unit=$4
mkdir -p "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
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
# The devices are the machine's.
for name in udevd.service udev-trigger.service udevd-control.socket udevd-kernel.socket; do
  ln -sf /dev/null "etc/systemd/system/systemd-$name"
done
. "$prepare"
mkdir -p old
pivot_root . old
umount --lazy old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit="$unit"
