import { expect } from "vitest";
import { brand } from "#content/brand";

const { name }: { name: string } = brand;

/** Owners replace the words of the example, and the facts about its company (docs/specification.md#the-example). */
export const isExample = name === "Fernway";

/** This text, or whatever words an owner has in its place. */
export function exampleText(words: string): string {
  return isExample ? words : expect.stringMatching(/\S/);
}
