// The browser's own menu (Back, Reload, …) has no place in an app. Where there is something to copy or to paste, it stays.

document.addEventListener("contextmenu", (event) => {
  const editable = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable]");
  if (!editable && String(getSelection()) === "") event.preventDefault();
});
