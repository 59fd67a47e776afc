import type { QueryClient } from "@tanstack/react-query";

/** The key of every list begins with this. The data of a list is an `InfiniteData<ContactsPage, Place>`. */
export const contactsKey = ["contacts"];
export const countsKey = ["contact-counts"];
/** Everything that the panel of the open contact reads is below this key. */
export const panelKey = ["contact-panel"];
/** The data is the `User`, once the role is checked. */
export const roleKey = ["role"];
export const newsKey = ["inbox-news"];

/** False on a hosted project that lacks the function of the news. Until the first answer, it is taken for granted. */
export function hasNews(queries: QueryClient): boolean {
  return queries.getQueryData(newsKey) !== null;
}
