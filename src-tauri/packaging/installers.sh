#!/usr/bin/env bash
# Builds what people install where there is no package of the system, and what can replace itself: an AppImage on Linux, an app
# for both kinds of Macs, an installer on Windows. Usage: installers.sh build, then installers.sh bundle, into
# target/package/built. Keys of the system, such as APPLE_CERTIFICATE, are for the second: the first runs code of hundreds of
# packages.
#
# NEXI_RELEASES_URL, where releases are listed, and NEXI_RELEASES_KEY, the public half of the key of updates, are built in.
set -euo pipefail
cd "$(dirname "$0")/../.."
tauri=src-tauri/packaging/node_modules/.bin/tauri
out=target/package/built
options=(--ci --config src-tauri/packaging/bundle.json)
case "$(uname -s)" in
  Linux) bundles=appimage built=target/release/bundle ;;
  Darwin)
    bundles=app,dmg built=target/universal-apple-darwin/release/bundle
    options+=(--target universal-apple-darwin)
    ;;
  *) bundles=nsis built=target/release/bundle ;;
esac

if [ "${1:-}" = build ]; then
  [ "$(uname -s)" != Darwin ] || rustup target add x86_64-apple-darwin aarch64-apple-darwin
  # The app is none of the default members, and only it has the feature that the CLI asks for.
  "$tauri" build "${options[@]}" --no-bundle -- --package nexi-desktop
  exit
fi

# Tauri takes an empty variable for one that is wrong.
for name in APPLE_CERTIFICATE APPLE_CERTIFICATE_PASSWORD APPLE_SIGNING_IDENTITY APPLE_ID APPLE_PASSWORD APPLE_TEAM_ID; do
  [ -n "${!name:-}" ] || unset "$name"
done
# Nothing that is left over from another version.
rm -rf "$built" "$out"
mkdir -p "$out"
"$tauri" bundle "${options[@]}" --bundles "$bundles"
case "$(uname -s)" in
  Linux) cp "$built"/appimage/*.AppImage "$out" ;;
  Darwin)
    cp "$built"/dmg/*.dmg "$out"
    # Without what macOS adds beside files: it would be unpacked as files of its own.
    COPYFILE_DISABLE=1 tar --no-xattrs --no-mac-metadata -czf "$out/Nexi.app.tar.gz" -C "$built/macos" Nexi.app
    if tar -tzf "$out/Nexi.app.tar.gz" | grep -E '(^|/)\._'; then
      echo "The archive holds what macOS adds beside files." >&2
      exit 1
    fi
    ;;
  *) cp "$built"/nsis/*-setup.exe "$out" ;;
esac
# Named by the system, as one release holds those of all.
(cd "$out" && if command -v sha256sum > /dev/null; then sha256sum -- *; else shasum -a 256 -- *; fi > "../SHA256SUMS" && mv ../SHA256SUMS "SHA256SUMS-installers-$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)")
ls -l "$out"
