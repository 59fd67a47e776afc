/** Fixed, because the address is compiled into the pages and the built site is kept from one run to the next. */
export const sitePort = 4173;
export const siteUrl = `http://localhost:${sitePort}`;
