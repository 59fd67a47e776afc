/** What few visits need, in one chunk that is loaded when the first of these is shown. */

export { HandlerChoices } from "./changes/handler-choices";
export { FilterFields } from "./find/filter-fields";
export { KeyboardHelp } from "./keyboard-help";
export { DeliveryNotice } from "./list/delivery-notice";
export { ExportContacts } from "./list/export-contacts";
export { CorrectionForm } from "./panel/correction-form";
export { PersonalDataFile } from "./panel/personal-data-file";
export { ReplyOffer, repliesTo } from "./panel/reply-offer";
export { Sources } from "./sources/sources";
export { Weeks } from "./sources/weeks";
