/** Texts about where contacts come from. */
export const sourceWords = {
  title: "Where contacts come from",
  by: "Show by",
  kinds: { referrer: "Website", campaign: "Campaign", first_page: "Page" },
  unknown: { referrer: "Direct or not known", campaign: "No campaign", first_page: "Not known" },
  time: "Time",
  weeks: (count: number) => `${count} weeks`,
  visits: "Visits",
  contacts: "Contacts",
  since: (day: string) => `Since ${day}, without spam.`,
  explanation:
    "A visit is somebody’s arrival at the site. Nobody is followed: of people who read several pages first, the website they came from is often not known.",
  nothing: "There is nothing to show yet.",
  failed: "The sources could not be loaded.",
} as const;
