/** What the popovers above the list show, in one chunk that is loaded when the first of them opens. */
export { ExportContacts } from "./export-contacts";
export { WeeksDetails } from "./weeks-details";
