#!/bin/sh
# read-only-root.sh APP DATA ROOT COMMAND…: runs a command in /app as user 10001 with a read-only root file system: the libraries
# and programs of this machine, APP at /app, and what a container runtime adds. Only DATA, at /data, can be written to.
# Needs root and a mount namespace of its own (unshare --mount --pid --fork).
set -e
app=$1 data=$2 root=$3
shift 3
mount --make-rprivate /
mount -t tmpfs -o mode=0755 tmpfs "$root"
for folder in usr bin sbin lib lib32 lib64; do
  if [ -L "/$folder" ]; then cp -P "/$folder" "$root/$folder"
  elif [ -d "/$folder" ]; then
    mkdir "$root/$folder"
    mount --bind "/$folder" "$root/$folder"
    mount -o remount,ro,bind "$root/$folder"
  fi
done
mkdir "$root/etc" "$root/app" "$root/data" "$root/proc" "$root/dev" "$root/tmp"
cp /etc/ld.so.cache /etc/nsswitch.conf "$root/etc/"
echo "127.0.0.1 localhost" > "$root/etc/hosts"
echo "postlark:x:10001:10001::/data:/usr/sbin/nologin" > "$root/etc/passwd"
echo "postlark:x:10001:" > "$root/etc/group"
mount --bind "$app" "$root/app"
mount -o remount,ro,bind "$root/app"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
for device in null zero full random urandom; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/dev/shm"
mount -o remount,ro "$root"
PATH=$PATH:/usr/sbin exec chroot --userspec=10001:10001 "$root" /usr/bin/env -C /app "$@"
