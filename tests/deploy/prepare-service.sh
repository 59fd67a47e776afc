# Before systemd boots: the service of deploy/fernway.service on a copy of this machine, with the built site in SITE.
# This machine may serve a site of its own: the copy is without it.
mount -t tmpfs -o mode=755 tmpfs srv
rm -rf var/lib/fernway var/cache/fernway etc/fernway.env
mkdir -p srv/fernway/current
mount --bind "$SITE" srv/fernway/current
cp "$UNIT" etc/systemd/system/fernway.service
chroot . id fernway > /dev/null 2>&1 || chroot . useradd --system --no-create-home --shell /usr/sbin/nologin fernway
install --group="$(chroot . id --group fernway)" --mode=640 "$SITE.env" etc/fernway.env
