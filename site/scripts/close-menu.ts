/**
 * The menu is a popover, so the browser opens and closes it. This script adds what a popover does not do: it closes the
 * menu after a choice that stays on the page, and when the focus leaves it, because the open menu would cover the focused
 * element.
 */
const menu = document.getElementById("menu");
const toggle = document.querySelector("[popovertarget=menu]");

menu?.addEventListener("click", ({ target }) => {
  // Browsers of 2022 have no popovers: there the menu is a list in the page (header.module.css).
  if (target instanceof Element && target.closest("a")) menu.hidePopover?.();
});

menu?.addEventListener("focusout", ({ relatedTarget }) => {
  const isOutside = relatedTarget instanceof Node && relatedTarget !== toggle && !menu.contains(relatedTarget);
  if (isOutside) menu.hidePopover?.();
});
