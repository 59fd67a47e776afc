/** The menu opens and closes without us (it is a popover); a choice that stays on the page must close it too. */
const menu = document.getElementById("menu");
const toggle = document.querySelector("[popovertarget=menu]");

menu?.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
});

menu?.addEventListener("toggle", (event) => {
  toggle?.setAttribute("aria-expanded", String((event as ToggleEvent).newState === "open"));
});
