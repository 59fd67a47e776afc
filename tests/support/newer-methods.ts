/**
 * Methods that a browser at the floor of the public pages may lack (docs/specification.md#browsers), by the object that has
 * them. A browser that has a method of a later line has most of those before.
 */
export const newerMethods: Readonly<Record<string, readonly string[]>> = {
  "Array.prototype": ["findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"],
  "HTMLFormElement.prototype": ["requestSubmit"],
  AbortSignal: ["any", "timeout"],
  "String.prototype": ["isWellFormed", "toWellFormed"],
  URL: ["canParse", "parse"],
  Object: ["groupBy"],
  Map: ["groupBy"],
  Promise: ["try", "withResolvers"],
  Array: ["fromAsync"],
  "Set.prototype": ["difference", "intersection", "isDisjointFrom", "isSubsetOf", "symmetricDifference", "union"],
  "Iterator.prototype": ["drop", "every", "filter", "find", "flatMap", "map", "reduce", "some", "take", "toArray"],
  "HTMLElement.prototype": ["hidePopover", "showPopover", "togglePopover"],
  "Element.prototype": ["checkVisibility"],
  "Document.prototype": ["startViewTransition"],
  "Uint8Array.prototype": ["toBase64", "toHex"],
  Uint8Array: ["fromBase64", "fromHex"],
  RegExp: ["escape"],
  "Map.prototype": ["getOrInsert", "getOrInsertComputed"],
};
