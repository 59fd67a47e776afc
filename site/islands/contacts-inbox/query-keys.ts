import type { QueryClient } from "@tanstack/react-query";

/** The key of every list begins with this. The data of a list is an `InfiniteData<ContactsPage, Place>`. */
export const contactsKey = ["contacts"];
export const countsKey = ["contact-counts"];
export const newsKey = ["inbox-news"];

/** False on a hosted project that lacks the function of the news. Until the first answer, it is taken for granted. */
export function hasNews(queries: QueryClient): boolean {
  return queries.getQueryData(newsKey) !== null;
}
