#!/usr/bin/env bash
# The Debian package in a clean Debian 12, as somebody would use it: installed with what it depends on alone, opened, asked
# a question, updated, and removed without touching what was asked. Needs root, mmdebstrap and a package mirror.
# Usage: package.sh PACKAGE [NEWER PACKAGE]
set -euo pipefail
package=$(realpath "$1")
newer=$(realpath "${2:-$1}")
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

work=$(mktemp -d)
root=$work/root
jobs_to_end=()
cleanup() {
  for job in "${jobs_to_end[@]}"; do kill -- "-$job" 2>/dev/null || true; done
  for mount in dev proc; do
    if mountpoint -q "$root/$mount"; then umount -R -l "$root/$mount"; fi
  done
  # Never into what is still mounted.
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}
step() { echo "== $*"; }
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
person() { chroot --userspec=person:person "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/home/person LANG=C.UTF-8 "$@"; }
install_package() {
  cp "$1" "$root/tmp/nexi.deb"
  inside apt-get install -y -qq --no-install-recommends /tmp/nexi.deb > "$work/apt.log" 2>&1 || { cat "$work/apt.log"; fail "$1 could not be installed"; }
  inside apt-get check -qq
}

step "a clean Debian 12"
mmdebstrap --quiet --variant=apt --skip=cleanup/apt bookworm "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
# What is unmounted here stays mounted outside.
mount --make-rslave "$root/dev"
inside useradd --create-home person

step "installed with what it depends on"
install_package "$package"
for program in nexi nexi-desktop; do
  missing=$(inside ldd "/usr/bin/$program" | grep "not found" || true)
  [ -z "$missing" ] || fail "$program lacks $missing"
done
person nexi --version
person nexi ask "Where does Nexi keep my keys?" --data-dir /tmp/asked --plain --focus documents | grep -q keyring || fail "nexi does not answer from its handbook"
person nexi-desktop --help 2>&1 | grep -q -- --popup || fail "nexi-desktop does not say what it can do"

step "manual pages, completions, desktop entry and icons"
inside apt-get install -y -qq --no-install-recommends desktop-file-utils appstream man-db bash-completion zsh fish > /dev/null 2>&1
inside desktop-file-validate /usr/share/applications/Nexi.desktop
inside appstreamcli validate --no-net --explain /usr/share/metainfo/app.nexi.desktop.metainfo.xml || fail "the description is not valid"
person man -P cat nexi | grep -q "history" || fail "nexi has no manual page"
person man -P cat nexi-history-export | grep -q bibtex || fail "nexi history export has no manual page"
person man -P cat nexi-desktop | grep -q "popup" || fail "nexi-desktop has no manual page"
person bash -c '. /usr/share/bash-completion/bash_completion; . /usr/share/bash-completion/completions/nexi; complete -p nexi' > /dev/null
person zsh -fc 'fpath=(/usr/share/zsh/vendor-completions $fpath); autoload -U compinit; compinit -D; [[ -n $_comps[nexi] ]]' || fail "zsh completes nothing"
person fish -c 'complete -C "nexi hist" | string match -q "history*"' || fail "fish completes nothing"
for file in copyright changelog.gz licences.txt.gz handbook/01-welcome.md pictures/research.png; do
  [ -s "$root/usr/share/doc/nexi/$file" ] || fail "no $file"
done
for size in 32x32 128x128 256x256@2 scalable; do
  ls "$root/usr/share/icons/hicolor/$size/apps/" | grep -q nexi-desktop || fail "no icon of $size"
done

step "opened and asked a question, without a network"
inside apt-get install -y -qq --no-install-recommends xvfb xauth openbox dbus dbus-x11 webkit2gtk-driver procps > /dev/null 2>&1
install -m 755 "$(command -v tauri-driver)" "$root/usr/local/bin/tauri-driver"
setsid chroot --userspec=person:person "$root" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/person LANG=C.UTF-8 \
  dbus-run-session -- xvfb-run -a sh -c "openbox & exec tauri-driver --port 4655 --native-port 4656" > "$work/driver.log" 2>&1 &
jobs_to_end+=($!)
question="Where does Nexi keep my keys?"
node "$here/window.mjs" 4655 ask "$question" || { cat "$work/driver.log"; fail "the window did not answer"; }
person nexi history | grep -q "$question" || fail "the question is not in the library"

step "updated, with its library"
install_package "$newer"
person nexi history | grep -q "$question" || fail "the library was lost by the update"
node "$here/window.mjs" 4655 listed "$question" || { cat "$work/driver.log"; fail "the window does not show the earlier question"; }

step "removed, user data untouched"
person nexi config set default_effort s > /dev/null
kept() { (cd "$root/home/person" && find .config/nexi .local/share/nexi -type f \( -name '*.toml' -o -name 'nexi.db' \) -exec sha256sum {} +); }
before=$(kept)
[ -n "$before" ] || fail "nothing to lose"
inside apt-get purge -y -qq nexi > /dev/null 2>&1
[ "$(kept)" = "$before" ] || fail "removing changed what the person has"
left=$(find "$root/usr" -iname '*nexi*' -not -path '*/local/*')
[ -z "$left" ] || fail "files left behind: $left"
echo "The package installs, opens, answers, updates and uninstalls."
