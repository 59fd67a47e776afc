/**
 * The menu opens and closes without us (it is a popover). A choice that stays on the page must close it too, and so must
 * the keyboard that goes on past its end: the sheet would lie over what has the focus then.
 */
const menu = document.getElementById("menu");
const toggle = document.querySelector("[popovertarget=menu]");

menu?.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
});

menu?.addEventListener("toggle", (event) => {
  toggle?.setAttribute("aria-expanded", String((event as ToggleEvent).newState === "open"));
});

menu?.addEventListener("focusout", ({ relatedTarget }) => {
  const isOutside = relatedTarget instanceof Node && relatedTarget !== toggle && !menu.contains(relatedTarget);
  if (isOutside && menu.matches(":popover-open")) menu.hidePopover();
});
