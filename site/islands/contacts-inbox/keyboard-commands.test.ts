import { describe, expect, test } from "vitest";
import { shortcutWords } from "#content/inbox-on-demand";
import { commandOf } from "./keyboard-commands";

const press = (key: string, more: Partial<KeyboardEvent> & { altGraph?: boolean } = {}) =>
  commandOf({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    isComposing: false,
    defaultPrevented: false,
    getModifierState: () => more.altGraph ?? false,
    ...more,
  });

describe("commandOf", () => {
  test("every key of the help is a command, except those that elements handle themselves", () => {
    const keys = Object.keys(shortcutWords.keys);
    expect(keys.filter((key) => !press(key))).toEqual(["Enter", "Ctrl+Enter"]);
  });

  test("caps lock does not matter, but Shift does", () => {
    expect(press("J")).toBe("next");
    expect(press("J", { shiftKey: true })).toBeUndefined();
    expect(press("!", { shiftKey: true })).toBe("spam");
  });

  test("a key with Ctrl, Alt or Meta, in a composition, or handled already is no command", () => {
    for (const more of ["ctrlKey", "altKey", "metaKey", "isComposing", "defaultPrevented"])
      expect(press("e", { [more]: true }), more).toBeUndefined();
  });

  test("AltGr may be needed to type the key", () => {
    expect(press("#", { ctrlKey: true, altKey: true, altGraph: true })).toBe("delete");
  });

  test("a key that is held down moves, but changes nothing", () => {
    expect(press("j", { repeat: true })).toBe("next");
    for (const key of ["e", "#", "!", "a", "x", "z"]) expect(press(key, { repeat: true }), key).toBeUndefined();
  });

  test("a name that every object has is no command", () => {
    expect(press("toString")).toBeUndefined();
  });
});
